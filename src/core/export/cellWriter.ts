import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import type { TimeFormatter } from './timeFormatters.ts';

/** How a format writes cells. */
export interface CellStyle {
  /** Writes a text or a time. */
  readonly text: (text: string) => string;
  /** Writes the digits of a number, with a decimal point; also for nested cells that are a number. */
  readonly number: (digits: string) => string;
  /** Writes the JSON of any other nested cell. */
  readonly nested: (json: string) => string;
  readonly null: string;
  /** Undefined omits the cell entirely. */
  readonly absent: string | undefined;
  readonly time: TimeFormatter;
}

/** Writes the cell of a column in a row. */
type CellWriter = (row: number) => string | undefined;

/** Returns a function that writes the cells of a column in a style. A row outside the column is absent or empty. */
export function createCellWriter(column: Column, style: CellStyle): CellWriter {
  const write = createValueWriter(column, style);
  const { gaps } = column;
  if (!gaps) return write;
  return row => {
    const state = gaps[row];
    if (state === cellState.value) return write(row);
    return state === cellState.null ? style.null : style.absent;
  };
}

function createValueWriter(column: Column, style: CellStyle): CellWriter {
  switch (column.kind) {
    case 'number': {
      const { values } = column;
      return row => style.number(formatNumber(values[row] ?? NaN));
    }
    case 'boolean':
      return row => (column.values[row] === 1 ? 'true' : 'false');
    case 'time':
      return row => {
        const text = style.time(column, row);
        return text === undefined ? style.null : style.text(text);
      };
    case 'text':
      return createEntryWriter(column.texts, style.text);
    case 'nested':
      return createEntryWriter(column.texts, json => {
        if (json === 'true' || json === 'false') return json;
        return isJsonNumber(json) ? style.number(json) : style.nested(json);
      });
  }
}

/** Returns a function that writes dictionary texts, and caches the text of each entry. */
export function createEntryWriter(
  { codes, entries }: Dictionary,
  format: (entry: string) => string,
): (row: number) => string {
  const cache = new Array<string | undefined>(entries.length);
  return row => {
    const code = codes[row] ?? 0;
    return (cache[code] ??= format(entries[code] ?? ''));
  };
}

/**
 * Formats a number as the shortest text that parses to the same double, with the sign of -0; `NaN`, `Infinity` and `-Infinity` for
 * these.
 */
export function formatNumber(value: number): string {
  return value === 0 && Object.is(value, -0) ? '-0' : String(value);
}

/** Whether the JSON text of a cell is a number, for example one that no double can represent. */
export function isJsonNumber(text: string): boolean {
  return /^-?\d[\d.]*(?:[eE][+-]?\d+)?$/.test(text);
}

/** How to write a table as text: the head, the rows with `between` between them, and the foot. */
export interface TextLayout {
  readonly head: string;
  /** Writes some rows, with `between` between them. */
  readonly rows: (rowIndexes: readonly number[]) => string;
  readonly between: string;
  readonly foot: string;
  /** The whole text if there are no rows. */
  readonly empty: string;
}

/** Indexes of rows in order; undefined for the first `rowCount` rows. */
export interface ExportRowOrder {
  readonly rows?: ArrayLike<number> | undefined;
  readonly rowCount: number;
}

/** A part of a text, and the number of rows that are complete at its end. */
export interface TextChunk {
  readonly text: string;
  readonly rowsDone: number;
}

/** Maximum number of rows that are written at once. */
const maxBlockRows = 64;

/** Yields the text in parts of about `length` characters. */
export function* writeTextChunks(
  layout: TextLayout,
  { rows, rowCount }: ExportRowOrder,
  length = 32_768,
): Generator<TextChunk> {
  if (rowCount === 0) {
    yield { text: layout.empty, rowsDone: 0 };
    return;
  }
  let text = layout.head;
  // The number of rows of a part is estimated from the length of the previous rows: one row may have thousands of columns.
  let blockLength = 1;
  for (let from = 0; from < rowCount;) {
    const rowIndexes: number[] = [];
    for (let position = from; position < from + blockLength && position < rowCount; position++)
      rowIndexes.push(rows ? (rows[position] ?? -1) : position);
    const rowsDone = from + rowIndexes.length;
    const blockText = layout.rows(rowIndexes);
    text += blockText + (rowsDone < rowCount ? layout.between : layout.foot);
    const estimatedRows = Math.ceil((length * rowIndexes.length) / Math.max(1, blockText.length));
    blockLength = Math.min(maxBlockRows, 2 * blockLength, estimatedRows);
    from = rowsDone;
    if (text.length < length && rowsDone < rowCount) continue;
    yield { text, rowsDone };
    text = '';
  }
}

/** Returns the whole text. Throws a RangeError above the maximum string length (about 500 million characters). */
export function writeWholeText(layout: TextLayout, order: ExportRowOrder): string {
  let wholeText = '';
  for (const { text } of writeTextChunks(layout, order)) wholeText += text;
  return wholeText;
}

/** Writes rows one at a time. */
export function writeRowByRow(write: (row: number) => string, between: string): TextLayout['rows'] {
  return rows => {
    let text = '';
    for (const [index, row] of rows.entries()) text += index > 0 ? between + write(row) : write(row);
    return text;
  };
}
