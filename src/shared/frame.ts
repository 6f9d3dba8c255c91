/**
 * The only data structure for tables: columns of typed arrays, which cross postMessage as binary. The decoder creates a frame; table,
 * chart, exports and public API read it.
 */

import type { StressBand } from './stressBands.ts';
import type { ZonedBins, ZonedCycle, RowLength } from './resampling.ts';
import type { Unit } from './units.ts';

/** Whether a cell has a value. If not: the service sent null, or the record lacks the field. */
export const cellState = { value: 0, null: 1, absent: 2 } as const;

interface ColumnBase {
  /** The service's own field name; nested fields joined with dots ("components.reserve_margin"). */
  readonly name: string;
  /** The path in a received record: the keys, outermost first. */
  readonly path: readonly string[];
  /** One `cellState` for each row; undefined if every row has a value. The value of a row whose state is not `value` is arbitrary. */
  readonly gaps?: Uint8Array;
  /** Undefined for an unknown field. */
  readonly field?: FieldInfo;
}

/** A description of a field, from the catalogue or its name. */
export interface FieldInfo {
  readonly label: string;
  /** Undefined if it is unknown, and for fields that are not numbers. */
  readonly unit?: Unit;
  readonly meaning: string;
  /** For a share: the name of the field that is the part. The whole is that field divided by the share. */
  readonly shareOf?: string;
  /** How the number was computed from hours; undefined for a received number. `label` and `meaning` come from the hours' field. */
  readonly figure?: Figure;
  /** Whether the field is computed here from other fields and is in no response. */
  readonly isDerived?: true;
  /** Set for a column that a comparison adds. */
  readonly comparison?: ColumnComparison;
}

/** Relates a column of a comparison to its base column. `hasBaseLabel`: label and meaning are still those of the base column. */
export interface ColumnComparison {
  readonly role: 'compared' | 'difference' | 'percent';
  readonly baseName: string;
  /** The name of the compared range: "previous period". */
  readonly rangeName: string;
  readonly hasBaseLabel?: true;
  /** The number of the compared period, from 2, the latest first; omitted for the first. */
  readonly period?: number;
}

/**
 * An aggregate of a field's hours. `energy`: the sum of the energies of power values; `total`: the sum of energy values; `share`: the share of the
 * energies of all hours; `quotient`: the same for a known whole; `change`: the largest change from one hour to the next; a band of the stress
 * index: the number of hours in it.
 */
export type Figure = 'mean' | 'share' | 'quotient' | 'total' | 'energy' | 'min' | 'max' | 'change' | StressBand;

/** Instants in milliseconds since 1970-01-01T00:00Z. `received` has the texts of the service, unless all are `YYYY-MM-DDThh:mm:ssZ`. */
export interface TimeColumn extends ColumnBase {
  readonly kind: 'time';
  readonly values: Float64Array;
  readonly received?: Dictionary;
  /** The bins of rows that are aggregated from shorter ones, such as days of a zone from hours. */
  readonly bins?: ZonedBins;
  /** The row lengths and when each begins, if lengths differ, such as hours and later quarter-hours. */
  readonly lengths?: readonly RowLength[];
}

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly values: Float64Array;
  /** The number of hours that the value of each row counts for; undefined if that is the length of the row. */
  readonly hours?: Float64Array;
  /** For a minimum or a maximum: the start of its hour in each row, of the first if there are several, UTC milliseconds. */
  readonly extremeAt?: Float64Array;
  /** The unit of each row if rows have different units: row r has `entries[codes[r]]`. */
  readonly units?: { readonly codes: Uint32Array; readonly entries: readonly Unit[] };
  /** For a derived share: the parts and the wholes. */
  readonly parts?: ShareParts;
}

/**
 * The part and the whole of each row of a share; NaN for an unknown whole. A row without a part is omitted when shares are aggregated.
 * `ofSize`: the share is relative to the absolute value of the whole, like a change in percent.
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
  /** The cycle and zone of rows that are bins of a cycle, such as hours of the day. Codes are positions in the cycle. */
  readonly cycle?: ZonedCycle;
}

/** A column of arrays, or of cells of several kinds: each as its JSON text. */
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

/** Returns the `cellState` of a cell. */
export function getCellState(column: Column, row: number): number {
  return column.gaps?.[row] ?? cellState.value;
}

/** Returns the text of a row; empty for a row outside the dictionary. */
export function getText(dictionary: Dictionary, row: number): string {
  return dictionary.entries[dictionary.codes[row] ?? -1] ?? '';
}

/** Returns the texts of a column, including received texts of instants; undefined if it has none. */
export function dictionaryOf(column: Column): Dictionary | undefined {
  return column.kind === 'time' ? column.received : 'texts' in column ? column.texts : undefined;
}

/** Copies the column with its texts replaced. A column without texts is returned unchanged. */
export function replaceTexts(column: Column, entries: readonly string[]): Column {
  if ('texts' in column) return { ...column, texts: { ...column.texts, entries } };
  const received = column.kind === 'time' && column.received;
  return received ? { ...column, received: { ...received, entries } } : column;
}

/** Returns the buffers of a column, to be transferred with it instead of copied. */
export function listBuffers(column: Column): ArrayBuffer[] {
  const values = 'values' in column ? column.values : undefined;
  const { hours, extremeAt, parts, units } = column.kind === 'number' ? column : {};
  const numberArrays = [values, hours, extremeAt, parts?.part, parts?.whole, units?.codes];
  const arrays = [column.gaps, ...numberArrays, dictionaryOf(column)?.codes];
  const buffers = arrays.map(array => array?.buffer);
  return buffers.filter(buffer => buffer instanceof ArrayBuffer);
}
