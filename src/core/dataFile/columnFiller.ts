import { cellState, type Column, type FieldInfo } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import type { TextCount } from '../frame/textCount.ts';

/** A column whose cells are set one by one; those that are not set are null. */
export interface ColumnFiller<Value> {
  readonly set: (row: number, value: Value) => void;
  /** Undefined where it has more different texts than a table has room for. */
  readonly end: (
    name: string,
    more?: { readonly path?: readonly string[]; readonly field?: FieldInfo | undefined },
  ) => Column | undefined;
  /** Of numbers and times: some rows at once, without a gap. */
  readonly setAll?: (row: number, values: ArrayLike<number>) => void;
}

function base(
  name: string,
  gaps: Uint8Array,
  { path = [name], field }: { path?: readonly string[]; field?: FieldInfo | undefined } = {},
) {
  return { name, path, ...(gaps.includes(cellState.null) && { gaps }), ...(field && { field }) };
}

/** Instants are UTC milliseconds. */
export function numberFiller(kind: 'number' | 'time', rows: number): ColumnFiller<number> {
  const values = new Float64Array(rows).fill(NaN);
  const gaps = new Uint8Array(rows).fill(cellState.null);
  return {
    set: (row, value) => {
      values[row] = value;
      gaps[row] = cellState.value;
    },
    setAll: (row, all) => {
      values.set(all, row);
      gaps.fill(cellState.value, row, row + all.length);
    },
    end: (name, more) => ({ ...base(name, gaps, more), kind, values }),
  };
}

export function booleanFiller(rows: number): ColumnFiller<boolean> {
  const values = new Uint8Array(rows);
  const gaps = new Uint8Array(rows).fill(cellState.null);
  return {
    set: (row, value) => {
      values[row] = value ? 1 : 0;
      gaps[row] = cellState.value;
    },
    end: (name, more) => ({ ...base(name, gaps, more), kind: 'boolean', values }),
  };
}

/** `nested`: JSON texts. `texts`: those of all columns of the table. Throws TableLimitError where one is too long. */
export function textFiller(kind: 'text' | 'nested', rows: number, texts: TextCount): ColumnFiller<string> {
  const codes = new Uint32Array(rows);
  const gaps = new Uint8Array(rows).fill(cellState.null);
  const known = new Map<string, number>();
  let isFull = false;
  return {
    set: (row, text) => {
      if (isFull) return;
      let code = known.get(text);
      if (code === undefined) {
        code = known.size;
        known.set(text, code);
        isFull = !texts.hasRoomFor(text);
        if (isFull) {
          // Nobody will see them.
          texts.remove(known.keys());
          known.clear();
        }
      }
      codes[row] = code;
      gaps[row] = cellState.value;
    },
    end: (name, more) =>
      isFull ? undefined : { ...base(name, gaps, more), kind, texts: { codes, entries: [...known.keys()] } },
  };
}

/** The names of columns beyond the first that fit a table of so many rows, whose number is within the limits. */
export function shownColumns(rows: number, columns: number): number {
  return Math.min(columns, tableLimits.columns, Math.floor(tableLimits.joinedCells / Math.max(1, rows)));
}
