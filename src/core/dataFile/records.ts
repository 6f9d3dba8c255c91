import { CsvError, parse } from 'csv-parse/sync';
import { tableLimits } from '../../shared/tableLimits.ts';
import { GridError } from '../errors.ts';
import { isNoValue, detectKinds } from './cellKinds.ts';

/** A cell; null if it is empty, without even quotes. */
export type Cell = string | null;

/** Receives a record, and the line of the file in which it ends, counted from 1. */
export type OnRecord = (cells: readonly Cell[], line: number) => void;

/** The records of a text or of a workbook's sheet. They can be read several times, so that they need not be held in memory. */
export interface TableRecords {
  /** Calls `onRecord` with each record, or with the first `count`. */
  readonly forEach: (onRecord: OnRecord, count?: number) => void;
  /** Undefined for a workbook. */
  readonly separator?: string;
  /** The lines that begin with # above the first record, without the #. */
  readonly comments: readonly string[];
  /** Sentences about how the records were read. */
  readonly notes: readonly string[];
}

/** The maximum number of characters in a row. */
const maxRowLength = 1_000_000;
/** The maximum number of comment lines above the heading. */
const maxComments = 1_000;
/** Passed to csv-parse, which would otherwise assume that all line ends are the same as the first one. */
const lineEnds = ['\r\n', '\n', '\r'];

/** Reads the records of a delimited text. Throws a GridError if a row is too long. */
export function readDelimitedRecords(fileText: string, separator: string): TableRecords {
  const { comments, rest } = splitComments(fileText);
  const heading = findCommentedHeading(comments, rest, separator);
  const text = heading === undefined ? rest : `${heading}\n${rest}`;
  const linesAbove = comments.lines - (heading === undefined ? 0 : 1);
  // csv-parse tests each line end at each character, so a single line end is faster.
  const ends = text.includes('\r') ? lineEnds : '\n';
  // The cast is omitted if possible, because a call for each cell doubles the time.
  const hasEmptyQuotes = text.includes('""');
  const read = (onRecord: OnRecord, count: number, options: object): void => {
    let records = 0;
    parse(text, {
      delimiter: separator,
      record_delimiter: ends,
      max_record_size: maxRowLength,
      relax_column_count: true,
      skip_empty_lines: true,
      ...(count < Infinity && { to: count }),
      ...(hasEmptyQuotes && { cast: (cell: string, { quoting }) => (cell === '' && !quoting ? null : cell) }),
      ...options,
      on_record(cells: Cell[], { lines }) {
        if (++records > count) return undefined;
        onRecord(hasEmptyQuotes ? cells : cells.map(cell => cell || null), lines + linesAbove);
        // Returning the record would make csv-parse hold all of them in memory.
        return undefined;
      },
    });
  };
  const { options, line } = findQuoteOptions(text, linesAbove, (tried, onRecord) => read(onRecord, Infinity, tried));
  const note = `A quotation mark in line ${line} is out of place, and shown as it is.`;
  const forEach = (onRecord: OnRecord, count = Infinity): void => {
    const onCheckedRecord = count < Infinity ? onRecord : checkWidth(onRecord);
    if (!text.includes('"')) {
      splitLines(text, separator, linesAbove, onCheckedRecord, count);
      return;
    }
    try {
      read(onCheckedRecord, count, options);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw createRowTooLongError();
    }
  };
  return {
    forEach,
    separator,
    comments: heading === undefined ? comments.texts : comments.texts.slice(0, -1),
    notes: line === undefined ? [] : [note],
  };
}

/** Throws a GridError if a record is too wide. Not used for samples, where a wrong separator may split a text into any number of cells. */
function checkWidth(onRecord: OnRecord): OnRecord {
  return (cells, line) => {
    if (cells.length > tableLimits.columns) throw new GridError('fileTooLarge', { detail: 'too many columns' });
    onRecord(cells, line);
  };
}

/** Splits a text without quotation marks, which is four times as fast as parsing it. */
function splitLines(text: string, separator: string, above: number, onRecord: OnRecord, count: number): void {
  const end = /\r\n|\r|\n|$/g;
  for (let [start, line, records] = [0, above + 1, 0]; start < text.length && records < count; line++) {
    end.lastIndex = start;
    const { index = text.length, 0: mark = '' } = end.exec(text) ?? {};
    if (index - start > maxRowLength) throw createRowTooLongError();
    if (index > start) {
      records++;
      onRecord(
        text
          .slice(start, index)
          .split(separator)
          .map(cell => cell || null),
        line,
      );
    }
    start = index + Math.max(1, mark.length);
  }
}

function createRowTooLongError(): GridError {
  return new GridError('fileTooLarge', { detail: 'a row of more than 1 million characters' });
}

/** Finds parser options that can read the whole text. If a quotation mark is out of place, it is read as an ordinary character. */
function findQuoteOptions(
  text: string,
  above: number,
  read: (options: object, onRecord: OnRecord) => void,
): { options: object; line?: number } {
  let line: number | undefined;
  const escaped = text.includes('\\"') ? [{ escape: '\\' }] : [];
  for (const options of text.includes('"') ? [{}, ...escaped, { relax_quotes: true }, { quote: null }] : [])
    try {
      let firstUnbalanced: number | undefined;
      read(options, (cells, recordLine) => {
        if ('quote' in options && cells.some(cell => ((cell ?? '').split('"').length - 1) % 2 === 1))
          firstUnbalanced ??= recordLine;
      });
      return { options, ...(line !== undefined && { line: firstUnbalanced ?? line }) };
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      line ??= above + Number(error['lines'] ?? 1);
    }
  return { options: {} };
}

/** Splits off the lines above the heading: Excel's `sep=;`, and comments with `#`, such as the comments in our own exports. */
function splitComments(text: string) {
  const texts: string[] = [];
  let last = '';
  const line = /(.*)(?:\r\n|\r|\n)/y;
  let position = 0;
  let lines = 0;
  while (lines < maxComments) {
    line.lastIndex = position;
    const first = text.slice(position, position + 20);
    const isComment = first.startsWith('#') && !isNoValue(first.split(/[\t;,|\r\n]/, 1)[0] ?? '');
    if (!isComment && !(position === 0 && /^"?sep=/i.test(first))) break;
    const match = line.exec(text);
    if (!match) break;
    if (isComment) last = match[1] ?? '';
    if (isComment) texts.push((match[1] ?? '').replace(/^# ?/, '').slice(0, 10_000));
    position = line.lastIndex;
    lines++;
  }
  return { comments: { texts, last, lines }, rest: text.slice(position) };
}

/** Returns the last comment if it names the columns of the rows below, as NumPy writes it. */
function findCommentedHeading(
  { texts, last }: { texts: readonly string[]; last: string },
  rest: string,
  separator: string,
) {
  const [line = ''] = rest.split(/[\r\n]/, 1);
  const text = /^#\s*$/.test(last.split(separator, 1)[0] ?? '') ? last : texts.at(-1);
  const names = text?.split(separator) ?? [];
  const isData = line.split(separator).some(cell => detectKinds(cell.replaceAll('"', '')) !== 0);
  const isHeading = names.length > 1 && names.length === line.split(separator).length && isData;
  return isHeading && names.every(name => name.trim() !== '' && detectKinds(name) === 0) ? text : undefined;
}
