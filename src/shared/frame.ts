/**
 * The data structure for all tables: columns of typed arrays, which postMessage transfers as binary data. The decoder creates frames. The
 * table, the chart, exports and the public API read them.
 */

import type { StressBand } from './stressBands.ts';
import type { ZonedBins, ZonedCycle, RowLength } from './resampling.ts';
import type { Unit } from './units.ts';

/** The state of a cell: it has a value, the service sent null, or the field is absent from the record. */
export const cellState = { value: 0, null: 1, absent: 2 } as const;

interface ColumnBase {
  /** The field name of the service. Nested names are joined with dots, such as "components.reserve_margin". */
  readonly name: string;
  /** The path in a received record: the keys from the outermost to the innermost. */
  readonly path: readonly string[];
  /** The `cellState` of each row. Undefined if every row has a value. If the state of a row is not `value`, its value is arbitrary. */
  readonly gaps?: Uint8Array;
  /** Undefined for an unknown field. */
  readonly field?: FieldInfo;
}

/** The description of a field, from the catalogue or inferred from its name. */
export interface FieldInfo {
  readonly label: string;
  /** Undefined if the unit is unknown or the field is not a number. */
  readonly unit?: Unit;
  readonly meaning: string;
  /** Where the meaning or the numbers of a formula come from. Undefined for the catalogue's fields, which the service documents. */
  readonly source?: string;
  /** For a share, the name of the field that is the part. The whole is computed as that field divided by the share. */
  readonly shareOf?: string;
  /** How the number was computed from hours. Undefined for a received number. `label` and `meaning` are those of the hourly field. */
  readonly figure?: Figure;
  /** Whether the field is computed from other fields and is not in any response. */
  readonly isDerived?: true;
  /** The name of the joined source that the column comes from. */
  readonly joinedFrom?: string;
  /** Set for a column that a comparison adds. */
  readonly comparison?: ColumnComparison;
}

/** Relates a column of a comparison to its base column. `hasBaseLabel` is set while its label and meaning are those of the base column. */
export interface ColumnComparison {
  readonly role: 'compared' | 'difference' | 'percent';
  readonly baseName: string;
  /** The name of the compared range, such as "previous period". */
  readonly rangeName: string;
  readonly hasBaseLabel?: true;
  /** The number of the compared period, counted from the latest. Omitted for the first period. */
  readonly period?: number;
}

/**
 * An aggregate of the hours of a field:
 *
 * - `energy`: the sum of the energies of power values.
 * - `total`: the sum of amounts: energy, money or mass.
 * - `share`: the share computed from the energies of all hours.
 * - `quotient`: like `share`, but for a known whole; also for rates.
 * - `change`: the largest change from one hour to the next.
 * - a stress band: the number of hours in the band.
 */
export type Figure = 'mean' | 'share' | 'quotient' | 'total' | 'energy' | 'min' | 'max' | 'change' | StressBand;

/** Instants in milliseconds since 1970-01-01T00:00Z. `received` has the texts of the service, unless all are `YYYY-MM-DDThh:mm:ssZ`. */
export interface TimeColumn extends ColumnBase {
  readonly kind: 'time';
  readonly values: Float64Array;
  readonly received?: Dictionary;
  /** The bins of rows that were aggregated from shorter rows, such as days of a zone from hours. */
  readonly bins?: ZonedBins;
  /** The row lengths and the instants from which they apply, if lengths differ, such as hours followed by quarter-hours. */
  readonly lengths?: readonly RowLength[];
}

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly values: Float64Array;
  /** The number of hours that the value of each row covers. Undefined if each value covers the length of its row. */
  readonly hours?: Float64Array;
  /** For a minimum or a maximum, the start of its hour in UTC milliseconds. If several hours of a row have it, this is the first one. */
  readonly extremeAt?: Float64Array;
  /** The unit of each row if rows have different units. Row r has the unit `entries[codes[r]]`. */
  readonly units?: { readonly codes: Uint32Array; readonly entries: readonly Unit[] };
  /** For a derived share or rate: the parts and the wholes. */
  readonly parts?: ShareParts;
}

/**
 * The part and the whole of each row of a share. An unknown whole is NaN. Rows without a part are skipped when shares are aggregated.
 * If `ofSize` is set, the share is relative to the absolute value of the whole, such as a change in percent. If `areAmounts` is set, parts
 * and wholes are amounts of their rows, such as energies, rather than means over them. If `isRate` is set, the quotient is not in percent.
 */
export interface ShareParts {
  readonly part: Float64Array;
  readonly whole: Float64Array;
  readonly ofSize?: true;
  readonly areAmounts?: true;
  readonly isRate?: true;
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

/** A column of arrays, or of cells of several kinds. Each cell is stored as JSON text. */
export interface NestedColumn extends ColumnBase {
  readonly kind: 'nested';
  readonly texts: Dictionary;
}

/** The texts of a column. Row r has the text `entries[codes[r]]`. */
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

/** Returns the text of a row. Returns an empty text for a row outside the dictionary. */
export function getText(dictionary: Dictionary, row: number): string {
  return dictionary.entries[dictionary.codes[row] ?? -1] ?? '';
}

/** Returns the texts of a column, including received texts of instants. Returns undefined if the column has none. */
export function dictionaryOf(column: Column): Dictionary | undefined {
  return column.kind === 'time' ? column.received : 'texts' in column ? column.texts : undefined;
}

/** Copies the column with its texts replaced. A column without texts is returned unchanged. */
export function replaceTexts(column: Column, entries: readonly string[]): Column {
  if ('texts' in column) return { ...column, texts: { ...column.texts, entries } };
  const received = column.kind === 'time' && column.received;
  return received ? { ...column, received: { ...received, entries } } : column;
}

/** Returns the buffers of a column, so that postMessage can transfer them instead of copying. */
export function listBuffers(column: Column): ArrayBuffer[] {
  const values = 'values' in column ? column.values : undefined;
  const { hours, extremeAt, parts, units } = column.kind === 'number' ? column : {};
  const numberArrays = [values, hours, extremeAt, parts?.part, parts?.whole, units?.codes];
  const arrays = [column.gaps, ...numberArrays, dictionaryOf(column)?.codes];
  const buffers = arrays.map(array => array?.buffer);
  return buffers.filter(buffer => buffer instanceof ArrayBuffer);
}
