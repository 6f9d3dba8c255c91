import { dayMs, weekMs } from '../../shared/durations.ts';
import {
  cellState,
  type Column,
  type ColumnComparison,
  type FieldInfo,
  type Frame,
  type NumberColumn,
  getCellState,
  type TimeColumn,
} from '../../shared/frame.ts';
import { numbersAt, findTimeColumn } from '../frame/clip.ts';
import { comparedFields, formatComparedField, translateField } from '../bins/binSums.ts';
import { getRowDuration } from '../statistics/energy.ts';
import { subtractDecimals } from '../statistics/decimalSum.ts';
import { getDifferenceUnit, energyChange, isAmount, isHourCount, unitOf, type Unit } from '../../shared/units.ts';
import type { Span } from '../range/resolveRange.ts';
import { findBin } from '../bins/binEdges.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

export interface CompareOptions extends Pairing {
  /** The name of the other range in labels, such as "previous period". */
  readonly comparedWith: string;
  /** Translates a text of `comparedFields` or of the catalogue, and fills in {0}, {1}, …. */
  readonly translate: (text: string, ...parts: string[]) => string;
}

const comparedSuffix = 'compared';

/** Returns the columns with the compared instants, one for each compared period; empty for a frame without a comparison. */
export function listComparedTimes(frame: Frame): readonly TimeColumn[] {
  const time = findTimeColumn(frame);
  return frame.columns.filter(
    (column): column is TimeColumn =>
      column.kind === 'time' &&
      time !== undefined &&
      column.name.startsWith(formatSuffixedName(time.name, comparedSuffix)),
  );
}

/** Returns the compared instants of the first period; undefined without a comparison. */
export function findComparedTime(frame: Frame): TimeColumn | undefined {
  return listComparedTimes(frame)[0];
}

/** Whether the values of a column belong to a compared period, also in a reopened export. */
export function isComparedPeriodColumn({ name }: Pick<Column, 'name'>): boolean {
  return / · compared(?: \d+)*$/.test(name);
}

/** Returns the times of a column's values. */
export function getTimesOfColumn(frame: Frame, column: Pick<Column, 'name' | 'field'>): TimeColumn | undefined {
  return findComparedTimeOfColumn(frame, column) ?? findTimeColumn(frame);
}

/** Returns the instants of a compared period's column; undefined for a column of the base period. */
export function findComparedTimeOfColumn(
  frame: Frame,
  { name, field }: Pick<Column, 'name' | 'field'>,
): TimeColumn | undefined {
  if (!isComparedPeriodColumn({ name })) return undefined;
  const { comparison } = field ?? frame.columns.find(column => column.name === name)?.field ?? {};
  // In a file, only the name of the column identifies the period.
  const period = comparison ? (comparison.period ?? 1) : Number(/\d+$/.exec(name)?.[0] ?? 1);
  const times = listComparedTimes(frame);
  const getPeriod = ({ name: time, field: timeField }: TimeColumn): number =>
    timeField?.comparison?.period ?? Number(/ · compared (\d+)$/.exec(time)?.[1] ?? 1);
  return times.find(time => getPeriod(time) === period);
}

/**
 * Returns the length of time that each value of a column applies to, in milliseconds (see `getRowDuration`). Also undefined if an hour
 * of the compared period is in two rows, because clocks went back in that period only.
 */
export function getColumnDuration(frame: Frame, column: Column, intervalMs: number | undefined): number | undefined {
  const { name } = column;
  const usesComparedPeriod = / · (?:compared|difference|percent)(?: \d+)?$/.test(name);
  return getRowDuration(
    (usesComparedPeriod ? (findComparedTimeOfColumn(frame, column) ?? findComparedTime(frame)) : undefined) ??
      findTimeColumn(frame),
    intervalMs,
  );
}

/** Stands for the paired row of a row that has none. */
const noPairedRow = -1;

/**
 * Returns the rows of the base, each with the values of the other frame's row that `options` pairs with it. Columns are matched by their
 * JSON path. If several rows of the other frame have the same instant, the last one counts. The columns are:
 * - The base's time and the paired instant, which is absent if the row is not paired.
 * - Each other column of the base. A numeric column that both frames have is followed by the compared value and by the difference
 * (base − compared). These are null or absent if one of the two values is, and absent if the row is not paired.
 * - After the difference of an amount, such as an energy, or of power that is constant over its row, the difference in percent of the absolute compared
 * value. It is null if the compared value is 0.
 */
export function compareFrames(base: Frame, other: Frame, options: CompareOptions): Frame {
  const time = findTimeColumn(base);
  const pairedInstants = getPairedInstants(base, options);
  const rows = findRowsAtInstants(pairedInstants, other);
  const usedNames = new Set(base.columns.map(({ name }) => name));
  const otherColumns = new Map(other.columns.map(column => [JSON.stringify(column.path), column]));
  const timeColumns = time ? [time, createComparedTime(time, pairedInstants, options, usedNames)] : [];
  const furtherColumns = base.columns.flatMap((column): Column[] => {
    if (column === time) return [];
    const otherColumn = otherColumns.get(JSON.stringify(column.path));
    if (column.kind !== 'number' || otherColumn?.kind !== 'number') return [column];
    return [
      column,
      ...createComparedColumns(column, otherColumn, rows, usedNames, createFieldFactory(column, options)),
    ];
  });
  return { rowCount: base.rowCount, columns: [...timeColumns, ...furtherColumns] };
}

/**
 * Adds a further period to a comparison: its instants and numbers, each after the existing columns for the same column of the base.
 * Differences refer to the first period only. `received`: the rows of the base. `period`: the number of the period, from 2.
 */
export function addFurtherPeriod(
  compared: Frame,
  received: Frame,
  other: Frame,
  options: CompareOptions,
  period: number,
): Frame {
  const time = findTimeColumn(received);
  const pairedInstants = getPairedInstants(received, options);
  const rows = findRowsAtInstants(pairedInstants, other);
  const usedNames = new Set(compared.columns.map(({ name }) => name));
  const otherColumns = new Map(other.columns.map(column => [JSON.stringify(column.path), column]));
  const added = received.columns.flatMap((column): [string, Column][] => {
    if (column === time) return [[column.name, createComparedTime(time, pairedInstants, options, usedNames, period)]];
    const otherColumn = otherColumns.get(JSON.stringify(column.path));
    if (column.kind !== 'number' || otherColumn?.kind !== 'number') return [];
    const [first] = createComparedColumns(
      column,
      otherColumn,
      rows,
      usedNames,
      createFieldFactory(column, options, period),
    );
    return first ? [[column.name, first]] : [];
  });
  const columns = added.reduce<Column[]>(
    (result, [baseName, column]) => {
      const insertAfter = result.findLastIndex(
        ({ name, field }) =>
          name === baseName ||
          field?.comparison?.baseName === baseName ||
          name.startsWith(formatSuffixedName(baseName, comparedSuffix)),
      );
      return result.toSpliced(insertAfter + 1, 0, column);
    },
    [...compared.columns],
  );
  return { rowCount: compared.rowCount, columns };
}

/** Returns the paired instant of each row of the base; NaN for a row that is not paired. */
function getPairedInstants(base: Frame, options: CompareOptions): Float64Array {
  const time = findTimeColumn(base);
  const getPairedInstant = createPairing(options);
  return Float64Array.from({ length: base.rowCount }, (_, row) => {
    const ms = time && getCellState(time, row) === cellState.value ? time.values[row] : undefined;
    return (ms === undefined ? undefined : getPairedInstant(ms)) ?? NaN;
  });
}

/** Returns the row of a frame at each of these instants: the last row if there are several, or -1 if there is no row. */
export function findRowsAtInstants(instants: Float64Array, other: Frame): Int32Array {
  const time = findTimeColumn(other);
  const rowsByInstant = new Map<number, number>();
  time?.values.forEach((ms, row) => {
    if (getCellState(time, row) === cellState.value) rowsByInstant.set(ms, row);
  });
  return Int32Array.from(instants, ms => rowsByInstant.get(ms) ?? noPairedRow);
}

function createComparedTime(
  time: Column,
  pairedInstants: Float64Array,
  { comparedWith, translate }: CompareOptions,
  usedNames: Set<string>,
  period?: number,
): Column {
  const label = translate(comparedFields.label, time.field ? translate(time.field.label) : time.name, comparedWith);
  const comparison = period !== undefined && {
    role: 'compared' as const,
    baseName: time.name,
    rangeName: comparedWith,
    period,
  };
  const meaning = translate(comparedFields.timeMeaning, comparedWith);
  const field: FieldInfo = { label, meaning, ...(comparison && { comparison }) };
  const bins = time.kind === 'time' && time.bins && { bins: time.bins };
  const gaps = Uint8Array.from(pairedInstants, ms => (Number.isNaN(ms) ? cellState.absent : cellState.value));
  return {
    kind: 'time',
    ...createNamedColumn(time.name, comparedSuffix, field, gaps, usedNames),
    values: pairedInstants,
    ...bins,
  };
}

type CreateField = (role: ColumnComparison['role']) => Omit<FieldInfo, 'unit'>;

function createFieldFactory(
  { name, field }: NumberColumn,
  { comparedWith, translate }: CompareOptions,
  period?: number,
): CreateField {
  const translated = field && translateField(field, (text, ...parts) => (text === '' ? '' : translate(text, ...parts)));
  const { label, meaning } = { label: name, meaning: '', ...translated };
  return role => ({
    ...formatComparedField({ role, rangeName: comparedWith }, label, meaning, translate),
    comparison: { role, baseName: name, rangeName: comparedWith, ...(period !== undefined && { period }) },
  });
}

/** Lists the names of the compared number columns, each with the name of the compared period's column. */
export function listComparedPairs({ columns }: Frame): [string, string][] {
  return columns.flatMap(({ kind, name, field }): [string, string][] =>
    kind === 'number' && field?.comparison?.role === 'compared' ? [[field.comparison.baseName, name]] : [],
  );
}

/**
 * Creates the columns for a number of another frame: its values, the difference and, for an amount or power, the change in percent. `rows`: the
 * row of the other frame for each row of the base, or -1; `usedNames`: the names in use, to which the new names are added.
 */
export function createComparedColumns(
  base: NumberColumn,
  other: NumberColumn,
  rows: Int32Array,
  usedNames: Set<string>,
  createField: CreateField,
): NumberColumn[] {
  const compared = new Float64Array(rows.length).fill(NaN);
  const comparedGaps = new Uint8Array(rows.length).fill(cellState.absent);
  const combinedGaps = new Uint8Array(rows.length).fill(cellState.absent);
  for (let row = 0; row < rows.length; row++) {
    const pairedRow = rows[row] ?? noPairedRow;
    if (pairedRow === noPairedRow) continue;
    compared[row] = other.values[pairedRow] ?? NaN;
    const state = (comparedGaps[row] = getCellState(other, pairedRow));
    combinedGaps[row] = Math.max(state, getCellState(base, row));
  }
  const { unit } = base.field ?? {};
  const comparedHours = other.hours && Float64Array.from(rows, pairedRow => other.hours?.[pairedRow] ?? NaN);
  const sameHours = comparedHours?.every((hours, row) => Number.isNaN(hours) || hours === base.hours?.[row]);
  const createColumn = (
    role: ColumnComparison['role'],
    unit: Unit | undefined,
    gaps: Uint8Array,
    getValue: (row: number) => number,
    hours?: Float64Array,
  ): NumberColumn => {
    const values = new Float64Array(rows.length).fill(NaN);
    const states = gaps.slice();
    for (let row = 0; row < rows.length; row++) {
      if (states[row] !== cellState.value) continue;
      const value = (values[row] = getValue(row));
      if (!Number.isFinite(value)) states[row] = cellState.null;
    }
    const field = { ...createField(role), ...(unit && { unit }) };
    return {
      kind: 'number',
      ...createNamedColumn(base.name, role, field, states, usedNames),
      values,
      ...(hours && { hours }),
    };
  };
  const { parts, extremeAt } = other;
  const getCompared = (row: number): number => compared[row] ?? NaN;
  const getDifference = (row: number): number => subtractDecimals(base.values[row] ?? NaN, getCompared(row));
  const comparedColumn = {
    ...createColumn(comparedSuffix, unit, comparedGaps, getCompared, comparedHours),
    ...(parts && { parts: { ...parts, part: numbersAt(parts.part, rows), whole: numbersAt(parts.whole, rows) } }),
    ...(extremeAt && { extremeAt: numbersAt(extremeAt, rows) }),
  };
  // A difference between hour counts has no meaning.
  if (unit && isHourCount(unit)) return [comparedColumn];
  const difference = createColumn(
    'difference',
    unit && getDifferenceUnit(sameHours === false ? removeEnergy(unit) : unit),
    combinedGaps,
    getDifference,
    sameHours === false ? undefined : comparedHours,
  );
  // The other power column may cover different hours.
  if (!isProportionalToEnergy({ ...base, ...(other.hours && { hours: other.hours }) }))
    return [comparedColumn, difference];
  const percent = createColumn('percent', energyChange, combinedGaps, row =>
    getCompared(row) === 0 ? NaN : (getDifference(row) / Math.abs(getCompared(row))) * 100,
  );
  const part = difference.values.map(value => (Number.isFinite(value) ? value : NaN));
  const whole = part.map((value, row) => (Number.isNaN(value) ? NaN : getCompared(row)));
  return [comparedColumn, difference, { ...percent, parts: { part, whole, ofSize: true } }];
}

/** Whether each value is an amount of its whole row, or proportional to its energy. A mean over hours has its energy in a separate column. */
function isProportionalToEnergy({ field, hours }: NumberColumn): boolean {
  const unit = unitOf(field);
  const { figure } = field ?? {};
  return isAmount(unit) ? figure !== 'min' && figure !== 'max' : unit.mwhPerHour !== undefined && !hours;
}

/** Removes the energy from the unit of a difference of means over different numbers of hours. */
function removeEnergy(unit: Unit): Unit {
  const { mwhPerHour, ...otherProperties } = unit;
  return mwhPerHour === undefined ? unit : { ...otherProperties, unlikeHours: true };
}

function formatSuffixedName(name: string, suffix: string): string {
  return `${name} · ${suffix}`;
}

/**
 * Returns name, path and gaps of a new column. Its name is unique and identifies the period; its path is its name, because no record of
 * the service has it.
 */
function createNamedColumn(
  name: string,
  suffix: string,
  field: FieldInfo,
  gaps: Uint8Array,
  usedNames: Set<string>,
): { name: string; path: [string]; field: FieldInfo; gaps?: Uint8Array } {
  const { period } = field.comparison ?? {};
  const preferredName = formatSuffixedName(name, period === undefined ? suffix : `${suffix} ${period}`);
  let uniqueName = preferredName;
  for (let count = 2; usedNames.has(uniqueName); count++) uniqueName = `${preferredName} ${count}`;
  usedNames.add(uniqueName);
  return {
    name: uniqueName,
    path: [uniqueName],
    field,
    ...(gaps.some(state => state !== cellState.value) && { gaps }),
  };
}

/** How to pair the instants of two ranges: see `createPairing`. */
type Alignment = 'position' | 'hourOfWeek' | { readonly shiftMs: number };

/** Two ranges and how to pair them. Spans are [start, end) in UTC milliseconds; `intervalMs` is the interval of both. */
interface Pairing {
  readonly align: Alignment;
  readonly base: Span;
  readonly other: Span;
  readonly intervalMs: number;
  /** The IANA time zone of weekdays and hours. */
  readonly timeZone: string;
  /** The starts of the intervals of both ranges if these are days of the time zone. */
  readonly edges?: { readonly base: Float64Array; readonly other: Float64Array };
}

/**
 * Returns a function from an instant of the base to the paired instant of the other range; undefined if there is none. If the ranges
 * have different lengths, the end of the longer one is not paired.
 * - By position: the n-th interval of one range with the n-th of the other, counted from the starts of the ranges, so that missing rows
 * do not shift the pairs. Clock changes have no effect.
 * - By a shift: `shiftMs` earlier.
 * - By hour of week: the same weekday and local time in the time zone, shifted by the number of weeks that brings the first days of
 * the ranges nearest to each other. An hour that the clock skipped on the other day (23-hour day) is not paired. If only the other day has an
 * hour twice (25-hour day), its first one is paired; if both days have it twice, the second is paired with the second; if only the base
 * has it twice, both are paired with the single hour. Intervals of whole days are UTC days with UTC weekdays, unless `edges`
 * has other days.
 */
function createPairing(pairing: Pairing): (ms: number) => number | undefined {
  const { other } = pairing;
  const pair = createUnboundedPairing(pairing);
  return ms => {
    const pairedInstant = pair(ms);
    if (pairedInstant === undefined) return undefined;
    return pairedInstant >= other.start && pairedInstant < other.end ? pairedInstant : undefined;
  };
}

function createUnboundedPairing(pairing: Pairing): (ms: number) => number | undefined {
  const { align, base, other, edges } = pairing;
  if (align === 'hourOfWeek') return pairByHourOfWeek(pairing);
  if (align === 'position' && edges)
    return ms => {
      const binIndex = findBin(edges.base, ms);
      return binIndex < 0 ? undefined : edges.other[binIndex];
    };
  const shift = align === 'position' ? base.start - other.start : align.shiftMs;
  return ms => ms - shift;
}

function pairByHourOfWeek({ base, other, intervalMs, timeZone, edges }: Pairing): (ms: number) => number | undefined {
  const zone = intervalMs % dayMs === 0 && !edges ? 'UTC' : timeZone;
  const offsets = new ZoneOffsets(zone);
  const getDayStart = (ms: number): number | undefined => edges?.other[findBin(edges.other, ms)];
  const floorToDay = (ms: number): number => Math.floor((ms + offsets.at(ms)) / dayMs) * dayMs;
  const shiftMs = Math.round((floorToDay(base.start) - floorToDay(other.start)) / weekMs) * weekMs;
  return ms => {
    const localTime = ms + offsets.at(ms) - shiftMs;
    if (edges) return getDayStart(offsets.firstInstantFrom(localTime));
    const [first, second] = offsets.findInstants(localTime);
    const isRepeat = offsets.findInstants(ms + offsets.at(ms)).indexOf(ms) === 1;
    const pairedInstant = isRepeat ? (second ?? first) : first;
    // Rounds to whole intervals, because local hours begin in the middle of an interval after clocks change by half an hour.
    return pairedInstant === undefined ? undefined : ms + Math.round((pairedInstant - ms) / intervalMs) * intervalMs;
  };
}
