import { CsvError, parse } from 'csv-parse/sync';
import { tableLimits } from '../../shared/tableLimits.ts';
import { GridError } from '../errors.ts';
import { isNoValue, kindsOf } from './cellKinds.ts';

/** A cell; null where nothing stands between two separators, not even quotes. */
export type Cell = string | null;

/** A record, and the line of the file that it ends in, from 1. */
export type TakeRecord = (cells: readonly Cell[], line: number) => void;

/** The records of a text or of a workbook's sheet, which can be read several times, so that none is kept as an object. */
export interface TableRecords {
  /** Calls `take` with the first `count` records. */
  readonly each: (take: TakeRecord, count?: number) => void;
  /** Undefined for a workbook. */
  readonly separator?: string;
  /** The text of the lines with # above the first record, without it. */
  readonly comments: readonly string[];
  /** Sentences about how they were read. */
  readonly notes: readonly string[];
}

/** Characters of one row. */
const maxRowLength = 1_000_000;
/** Lines above the heading that are looked at. */
const maxComments = 1_000;
/** csv-parse would take the first that it meets for all of them. */
const lineEnds = ['\r\n', '\n', '\r'];

/** The records of a delimited text. Throws a GridError where a row is too long. */
export function delimitedRecords(given: string, separator: string): TableRecords {
  const { comments, rest } = withoutComments(given);
  const heading = headingIn(comments, rest, separator);
  const text = heading === undefined ? rest : `${heading}\n${rest}`;
  const linesAbove = comments.lines - (heading === undefined ? 0 : 1);
  // Each is looked for at each character.
  const ends = text.includes('\r') ? lineEnds : '\n';
  // A call for each cell doubles the time.
  const hasQuotedNothing = text.includes('""');
  const read = (take: TakeRecord, count: number, options: object): void => {
    let records = 0;
    parse(text, {
      delimiter: separator,
      record_delimiter: ends,
      max_record_size: maxRowLength,
      relax_column_count: true,
      skip_empty_lines: true,
      ...(count < Infinity && { to: count }),
      ...(hasQuotedNothing && { cast: (cell: string, { quoting }) => (cell === '' && !quoting ? null : cell) }),
      ...options,
      on_record(cells: Cell[], { lines }) {
        if (++records > count) return undefined;
        take(hasQuotedNothing ? cells : cells.map(cell => cell || null), lines + linesAbove);
        // Else all records would be kept.
        return undefined;
      },
    });
  };
  const { options, line } = quoteOptions(text, linesAbove, (tried, take) => read(take, Infinity, tried));
  const note = `A quotation mark in line ${line} is out of place, and shown as it is.`;
  const each = (take: TakeRecord, count = Infinity): void => {
    const taking = count < Infinity ? take : checked(take);
    if (!text.includes('"')) {
      eachLine(text, separator, linesAbove, taking, count);
      return;
    }
    try {
      read(taking, count, options);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw rowTooLong();
    }
  };
  return {
    each,
    separator,
    comments: heading === undefined ? comments.texts : comments.texts.slice(0, -1),
    notes: line === undefined ? [] : [note],
  };
}

/** Not for the first records alone: a separator that is tried may split a text into any number of cells. */
function checked(take: TakeRecord): TakeRecord {
  return (cells, line) => {
    if (cells.length > tableLimits.columns) throw new GridError('fileTooLarge', { detail: 'too many columns' });
    take(cells, line);
  };
}

/** A text without quotation marks needs no parser, which takes four times as long. */
function eachLine(text: string, separator: string, above: number, take: TakeRecord, count: number): void {
  const end = /\r\n|\r|\n|$/g;
  for (let [start, line, records] = [0, above + 1, 0]; start < text.length && records < count; line++) {
    end.lastIndex = start;
    const { index = text.length, 0: mark = '' } = end.exec(text) ?? {};
    if (index - start > maxRowLength) throw rowTooLong();
    if (index > start) {
      records++;
      take(
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

function rowTooLong(): GridError {
  return new GridError('fileTooLarge', { detail: 'a row of more than 1 million characters' });
}

/** The options with which all of a text can be read: where a quotation mark is out of place, it is a character like others. */
function quoteOptions(
  text: string,
  above: number,
  read: (options: object, take: TakeRecord) => void,
): { options: object; line?: number } {
  let line: number | undefined;
  const escaped = text.includes('\\"') ? [{ escape: '\\' }] : [];
  for (const options of text.includes('"') ? [{}, ...escaped, { relax_quotes: true }, { quote: null }] : [])
    try {
      let odd: number | undefined;
      read(options, (cells, at) => {
        if ('quote' in options && cells.some(cell => ((cell ?? '').split('"').length - 1) % 2 === 1)) odd ??= at;
      });
      return { options, ...(line !== undefined && { line: odd ?? line }) };
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      line ??= above + Number(error['lines'] ?? 1);
    }
  return { options: {} };
}

/** What stands above the heading: Excel's `sep=;`, and lines with `#`, such as those of our own exports. */
function withoutComments(text: string) {
  const texts: string[] = [];
  let last = '';
  const line = /(.*)(?:\r\n|\r|\n)/y;
  let [at, lines] = [0, 0];
  while (lines < maxComments) {
    line.lastIndex = at;
    const first = text.slice(at, at + 20);
    const isComment = first.startsWith('#') && !isNoValue(first.split(/[\t;,|\r\n]/, 1)[0] ?? '');
    if (!isComment && !(at === 0 && /^"?sep=/i.test(first))) break;
    const match = line.exec(text);
    if (!match) break;
    if (isComment) last = match[1] ?? '';
    if (isComment) texts.push((match[1] ?? '').replace(/^# ?/, '').slice(0, 10_000));
    at = line.lastIndex;
    lines++;
  }
  return { comments: { texts, last, lines }, rest: text.slice(at) };
}

/** The last line with # where it names the columns of the rows below, as NumPy writes it; undefined for any other. */
function headingIn({ texts, last }: { texts: readonly string[]; last: string }, rest: string, separator: string) {
  const [line = ''] = rest.split(/[\r\n]/, 1);
  const text = /^#\s*$/.test(last.split(separator, 1)[0] ?? '') ? last : texts.at(-1);
  const names = text?.split(separator) ?? [];
  const isData = line.split(separator).some(cell => kindsOf(cell.replaceAll('"', '')) !== 0);
  const isHeading = names.length > 1 && names.length === line.split(separator).length && isData;
  return isHeading && names.every(name => name.trim() !== '' && kindsOf(name) === 0) ? text : undefined;
}
