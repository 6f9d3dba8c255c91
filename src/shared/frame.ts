/**
 * The only data structure for tables: columns of typed arrays, which cross postMessage as binary. The decoder creates a frame; table,
 * chart, exports and public API read it.
 */

import type { StressBand } from './stressBands.ts';
import type { BinsOfZone, CycleOfZone, RowLength } from './resampling.ts';
import type { Unit } from './units.ts';

/** Whether a cell has a value. If not: the service sent null, or the record lacks the field. */
export const cellState = { value: 0, null: 1, absent: 2 } as const;

interface ColumnBase {
  /** The service's own field name; nested fields joined with dots ("components.reserve_margin"). */
  readonly name: string;
  /** The path in a received record: the keys, outermost first. */
  readonly path: readonly string[];
  /** One `cellState` for each row; undefined when every row has a value. Where the state is not `value`, ignore the values. */
  readonly gaps?: Uint8Array;
  /** Undefined for an unknown field. */
  readonly field?: FieldInfo;
}

/** A description of a field, from the catalogue or its name. */
export interface FieldInfo {
  readonly label: string;
  /** Undefined where it is unknown, and for fields that are not numbers. */
  readonly unit?: Unit;
  readonly meaning: string;
  /** Of a share: the name of the field that is part of a whole. The whole is that field divided by the share. */
  readonly shareOf?: string;
  /** How the number was computed from hours; undefined for a received number. `label` and `meaning` are those of the hours' field. */
  readonly figure?: Figure;
  /** Computed here from other fields, and in no response. */
  readonly isDerived?: true;
  /** Of a column that a comparison adds. */
  readonly compares?: Compares;
}

/** What a column of a comparison is, and of which column. `plain`: label and meaning are those of that column, until they are put in words. */
export interface Compares {
  readonly as: 'compared' | 'difference' | 'percent';
  readonly of: string;
  /** What the other range is called: "previous period". */
  readonly with: string;
  readonly plain?: true;
  /** Which of several periods, from 2, the latest first; left out for the first. */
  readonly period?: number;
}

/**
 * An aggregate of a field's hours. `energy`: the sum of their energies; `total`: of values that are energies; `share`: of the energies of
 * all hours; `quotient`: the same where also the whole is known; `change`: the largest from one hour to another; a band of the stress index:
 * how many hours are in it.
 */
export type Figure = 'mean' | 'share' | 'quotient' | 'total' | 'energy' | 'min' | 'max' | 'change' | StressBand;

/** Instants, milliseconds since 1970-01-01T00:00Z. `received`: the service's own texts, unless all are `YYYY-MM-DDThh:mm:ssZ`. */
export interface TimeColumn extends ColumnBase {
  readonly kind: 'time';
  readonly values: Float64Array;
  readonly received?: Dictionary;
  /** For rows that are made from shorter ones, such as days of a zone from hours: what they stand for. */
  readonly bins?: BinsOfZone;
  /** For rows of several lengths, such as hours and then quarters of them: from when on they have which. */
  readonly lengths?: readonly RowLength[];
}

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly values: Float64Array;
  /** For how many hours the value of each row counts; undefined where that is the length of the row. */
  readonly hours?: Float64Array;
  /** Of the least or the greatest of each row: when its hour begins, the first of several, UTC milliseconds. */
  readonly extremeAt?: Float64Array;
  /** The unit of each row, where rows are about columns of several units: row r has `entries[codes[r]]`. */
  readonly units?: { readonly codes: Uint32Array; readonly entries: readonly Unit[] };
  /** Of a derived share: what is a part of what. */
  readonly parts?: ShareParts;
}

/**
 * Of each row of a share, the part and the whole, NaN for a whole that is not known. A row without a part counts for no share of several.
 * `ofSize`: the share is one of the whole's absolute value, as a change is.
 */
export interface ShareParts {
  readonly part: Float64Array;
  readonly whole: Float64Array;
  readonly ofSize?: true;
}

/** 0 or 1 for each row. */
export interface BooleanColumn extends ColumnBase {
  readonly kind: 'boolean';
  readonly values: Uint8Array;
}

export interface TextColumn extends ColumnBase {
  readonly kind: 'text';
  readonly texts: Dictionary;
  /** For the bins of a cycle, such as hours of the day: by whose clocks. Codes are places in the cycle. */
  readonly cycle?: CycleOfZone;
}

/** Cells that are arrays, or of several kinds in one column: each as its JSON text. */
export interface NestedColumn extends ColumnBase {
  readonly kind: 'nested';
  readonly texts: Dictionary;
}

/** Row r reads `entries[codes[r]]`. */
export interface Dictionary {
  readonly codes: Uint32Array;
  readonly entries: readonly string[];
}

export type Column = TimeColumn | NumberColumn | BooleanColumn | TextColumn | NestedColumn;
export type ColumnKind = Column['kind'];

export interface Frame {
  readonly rowCount: number;
  readonly columns: readonly Column[];
}

/** The state of one cell, one of `cellState`. */
export function stateAt(column: Column, row: number): number {
  return column.gaps?.[row] ?? cellState.value;
}

/** The entry of a row; empty for a row outside the dictionary. */
export function textAt(dictionary: Dictionary, row: number): string {
  return dictionary.entries[dictionary.codes[row] ?? -1] ?? '';
}

/** The texts of a column, including received texts of instants; undefined where it has none. */
export function dictionaryOf(column: Column): Dictionary | undefined {
  return column.kind === 'time' ? column.received : 'texts' in column ? column.texts : undefined;
}

/** The column with its texts replaced; a column without texts as it is. */
export function withEntries(column: Column, entries: readonly string[]): Column {
  if ('texts' in column) return { ...column, texts: { ...column.texts, entries } };
  const received = column.kind === 'time' && column.received;
  return received ? { ...column, received: { ...received, entries } } : column;
}

/** The memory of a column, to be given away with it: nothing is copied then, and the sender has it no longer. */
export function columnBuffers(column: Column): ArrayBuffer[] {
  const values = 'values' in column ? column.values : undefined;
  const { hours, extremeAt, parts, units } = column.kind === 'number' ? column : {};
  const numbers = [values, hours, extremeAt, parts?.part, parts?.whole, units?.codes];
  const arrays = [column.gaps, ...numbers, dictionaryOf(column)?.codes];
  const buffers = arrays.map(array => array?.buffer);
  return buffers.filter(buffer => buffer instanceof ArrayBuffer);
}
