import { cellState, type Column, type FieldInfo } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import type { TextCounter } from '../frame/textCounter.ts';

/** Builds a column cell by cell. Cells that are not set are null. */
export interface ColumnBuilder<Value> {
  readonly set: (row: number, value: Value) => void;
  /** Returns the column; undefined if its distinct texts exceed the table limits. */
  readonly build: (
    name: string,
    more?: { readonly path?: readonly string[]; readonly field?: FieldInfo | undefined },
  ) => Column | undefined;
  /** Sets consecutive rows at once, none of them null. Only for numbers and times. */
  readonly setRange?: (row: number, values: ArrayLike<number>) => void;
}

function createColumnBase(
  name: string,
  gaps: Uint8Array,
  { path = [name], field }: { path?: readonly string[]; field?: FieldInfo | undefined } = {},
) {
  return { name, path, ...(gaps.includes(cellState.null) && { gaps }), ...(field && { field }) };
}

/** Creates a builder of numbers, or of instants in UTC milliseconds. */
export function createNumberBuilder(kind: 'number' | 'time', rows: number): ColumnBuilder<number> {
  const values = new Float64Array(rows).fill(NaN);
  const gaps = new Uint8Array(rows).fill(cellState.null);
  return {
    set: (row, value) => {
      values[row] = value;
      gaps[row] = cellState.value;
    },
    setRange: (row, rangeValues) => {
      values.set(rangeValues, row);
      gaps.fill(cellState.value, row, row + rangeValues.length);
    },
    build: (name, more) => ({ ...createColumnBase(name, gaps, more), kind, values }),
  };
}

export function createBooleanBuilder(rows: number): ColumnBuilder<boolean> {
  const values = new Uint8Array(rows);
  const gaps = new Uint8Array(rows).fill(cellState.null);
  return {
    set: (row, value) => {
      values[row] = value ? 1 : 0;
      gaps[row] = cellState.value;
    },
    build: (name, more) => ({ ...createColumnBase(name, gaps, more), kind: 'boolean', values }),
  };
}

/**
 * Creates a builder of texts, or of JSON if nested. `texts` counts the texts of all columns of the table. Throws TableLimitError if a text is too long.
 */
export function createTextBuilder(kind: 'text' | 'nested', rows: number, texts: TextCounter): ColumnBuilder<string> {
  const codes = new Uint32Array(rows);
  const gaps = new Uint8Array(rows).fill(cellState.null);
  const codesByText = new Map<string, number>();
  let isFull = false;
  return {
    set: (row, text) => {
      if (isFull) return;
      let code = codesByText.get(text);
      if (code === undefined) {
        code = codesByText.size;
        codesByText.set(text, code);
        isFull = !texts.hasRoomFor(text);
        if (isFull) {
          // The column is dropped, so its texts don't count.
          texts.remove(codesByText.keys());
          codesByText.clear();
        }
      }
      codes[row] = code;
      gaps[row] = cellState.value;
    },
    build: (name, more) =>
      isFull
        ? undefined
        : { ...createColumnBase(name, gaps, more), kind, texts: { codes, entries: [...codesByText.keys()] } },
  };
}

/** Returns how many of the columns fit the limits of a table with this number of rows. */
export function countFittingColumns(rows: number, columns: number): number {
  return Math.min(columns, tableLimits.columns, Math.floor(tableLimits.joinedCells / Math.max(1, rows)));
}
