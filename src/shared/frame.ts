/**
 * The one shape in which data travels: columns of typed arrays. Everything downstream of the decoder (table, chart,
 * exports, public API) takes a frame and nothing else. Typed arrays cross postMessage as binary.
 */

import type { Unit } from './units.ts';

/** Why a cell holds no value: the service sent null, or the record did not have the field at all. */
export const cellState = { value: 0, null: 1, absent: 2 } as const;

interface ColumnBase {
  /** The service's own field name; nested fields joined with dots ("components.reserve_margin"). */
  readonly name: string;
  /** The way into a record as received: the keys, outermost first. */
  readonly path: readonly string[];
  /** One `cellState` a row; left out when every row has a value. Where the state is not `value`, the values mean nothing. */
  readonly gaps?: Uint8Array;
  /** What is known of the field; left out for a name that says nothing. */
  readonly field?: FieldInfo;
}

/** What is known of a field, by the catalogue or by its name. */
export interface FieldInfo {
  readonly label: string;
  /** Left out where it is not known, and for what is no number. */
  readonly unit?: Unit;
  readonly meaning: string;
  /** Of a share: the field whose part of a whole it is, by name. The whole is that field divided by the share. */
  readonly shareOf?: string;
  /** What the number is of the hours of its row; left out where it was received so. `label` and `meaning` are those of the hours' field. */
  readonly figure?: Figure;
  /** Worked out from other fields of the row: in no response and no file. */
  readonly isDerived?: true;
}

/** What is made of a field's hours. `energy`: the sum of their energies; `total`: of values that are energies; `share`: of the energies of all hours. */
export const figures = ['mean', 'share', 'total', 'energy', 'min', 'max'] as const;
export type Figure = (typeof figures)[number];

/** Instants, milliseconds since 1970-01-01T00:00Z. `received` holds the service's own texts where they are not plain `YYYY-MM-DDThh:mm:ssZ`. */
export interface TimeColumn extends ColumnBase {
  readonly kind: 'time';
  readonly values: Float64Array;
  readonly received?: Dictionary;
  /** The zone whose days the rows are, each from its instant to the next midnight there; left out for what was received so. */
  readonly days?: { readonly timeZone: string; readonly label: string };
}

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly values: Float64Array;
  /** For how many hours the value of each row counts; left out where that is the length of the row. */
  readonly hours?: Float64Array;
}

/** 0 or 1 a row. */
export interface BooleanColumn extends ColumnBase {
  readonly kind: 'boolean';
  readonly values: Uint8Array;
}

export interface TextColumn extends ColumnBase {
  readonly kind: 'text';
  readonly texts: Dictionary;
}

/** Cells that are arrays, or of several kinds in one column: each kept as its JSON text. */
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

/** The entry of row `row`; the empty text for a row outside the dictionary. */
export function textAt(dictionary: Dictionary, row: number): string {
  return dictionary.entries[dictionary.codes[row] ?? -1] ?? '';
}

/** The texts of a column, those of instants as received among them; undefined where it has none. */
export function dictionaryOf(column: Column): Dictionary | undefined {
  return column.kind === 'time' ? column.received : 'texts' in column ? column.texts : undefined;
}

/** The column with other texts in the places of its own; a column without texts as it is. */
export function withEntries(column: Column, entries: readonly string[]): Column {
  if ('texts' in column) return { ...column, texts: { ...column.texts, entries } };
  const received = column.kind === 'time' && column.received;
  return received ? { ...column, received: { ...received, entries } } : column;
}

/** The memory of a column, to be given away with it: nothing is copied then, and the sender has it no longer. */
export function columnBuffers(column: Column): ArrayBuffer[] {
  const values = 'values' in column ? column.values : undefined;
  const hours = column.kind === 'number' ? column.hours : undefined;
  const buffers = [column.gaps, values, hours, dictionaryOf(column)?.codes].map(array => array?.buffer);
  return buffers.filter(buffer => buffer instanceof ArrayBuffer);
}
