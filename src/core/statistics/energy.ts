import { hourMs } from '../../shared/durations.ts';
import { cellState, getCellState, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { unitOf, type Unit } from '../../shared/units.ts';
import { DecimalSum } from './decimalSum.ts';

export interface Energy {
  readonly mwh: number;
  /** How long the rows last together. */
  readonly hours: number;
}

/**
 * Returns how long the value of a row lasts, in milliseconds: the requested interval. Undefined if that is unknown, without a time
 * column, for bins of different lengths such as days, and if rows are closer together than the interval or share an instant, because
 * their energy would be counted twice.
 */
export function getRowDuration(time: TimeColumn | undefined, intervalMs: number | undefined): number | undefined {
  if (!time || intervalMs === undefined || time.bins) return undefined;
  return getMinRowDistance(time) < intervalMs ? undefined : intervalMs;
}

const minDistanceCache = new WeakMap<TimeColumn, number>();

/**
 * The minimum distance between any two rows with an instant; Infinity below two of them. Cached, because each change of the selection
 * needs it.
 */
function getMinRowDistance(time: TimeColumn): number {
  const cached = minDistanceCache.get(time);
  if (cached !== undefined) return cached;
  const times = time.gaps ? time.values.filter((_, row) => getCellState(time, row) === cellState.value) : time.values;
  let minDistance = getMinDifference(times);
  // Most columns are sorted already.
  if (minDistance < 0) minDistance = getMinDifference(times.toSorted());
  minDistanceCache.set(time, minDistance);
  return minDistance;
}

/** Returns the minimum difference of adjacent numbers, which is negative if they are not sorted. */
function getMinDifference(times: Float64Array): number {
  let minimum = Infinity;
  for (let row = 1; row < times.length; row++)
    minimum = Math.min(minimum, (times[row] ?? NaN) - (times[row - 1] ?? NaN));
  return minimum;
}

/** Returns the energy of values with this sum, which fill `rows` rows. Undefined if the unit has no energy or the interval is unknown. */
export function calculateEnergy(unit: Unit, sum: number, rows: number, rowMs: number | undefined): Energy | undefined {
  if (unit.mwhPerHour === undefined || rowMs === undefined || rows === 0) return undefined;
  return { mwh: multiplyByHours(sum * unit.mwhPerHour, rowMs), hours: (rows * rowMs) / hourMs };
}

/** Multiplies by the interval in hours. Multiplies or divides by a whole number if possible, which preserves the digits of a sum. */
export function multiplyByHours(sum: number, intervalMs: number): number {
  return intervalMs < hourMs ? sum / (hourMs / intervalMs) : sum * (intervalMs / hourMs);
}

/** Significant digits of a sum of products that a double represents reliably. */
const reliableDigits = 14;

/** Returns the energy of columns with `hours` over these rows. Its duration is that of the rows in which any column has a value. */
export function calculateEnergyByHours(columns: readonly NumberColumn[], rows: Iterable<number>): Energy | undefined {
  let mwh = 0;
  let hours = 0;
  for (const row of rows) {
    let longest = 0;
    for (const column of columns) {
      const value = column.values[row] ?? NaN;
      if (getCellState(column, row) !== cellState.value || !Number.isFinite(value)) continue;
      const valueHours = column.hours?.[row] ?? 0;
      mwh += value * valueHours * (column.field?.unit?.mwhPerHour ?? NaN);
      longest = Math.max(longest, valueHours);
    }
    hours += longest;
  }
  return hours > 0 && !Number.isNaN(mwh) ? { mwh: Number(mwh.toPrecision(reliableDigits)), hours } : undefined;
}

/**
 * Returns the mean of columns whose values count for different hours, weighted by those hours, over `rows` (by default all rows).
 * Undefined if a column has no hours or all values count for the same number of hours.
 */
export function calculateHourWeightedMean(
  columns: readonly NumberColumn[],
  rows?: ArrayLike<number>,
): number | undefined {
  if (!columns.every(({ field, hours }) => hours && !unitOf(field).overlaps)) return undefined;
  const sum = new DecimalSum();
  const weights = new DecimalSum();
  const distinctHours = new Set<number>();
  let min = Infinity;
  let max = -Infinity;
  const count = rows?.length ?? columns[0]?.values.length ?? 0;
  for (let index = 0; index < count; index++)
    for (const column of columns) {
      const row = rows ? (rows[index] ?? -1) : index;
      const value = column.values[row] ?? NaN;
      if (getCellState(column, row) !== cellState.value || !Number.isFinite(value)) continue;
      const hours = column.hours?.[row] ?? 0;
      if (distinctHours.size < 2) distinctHours.add(hours);
      sum.add(value * hours);
      weights.add(hours);
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  const totalWeight = weights.sum();
  // Rounding may move the mean of equal numbers past them.
  return distinctHours.size > 1 && totalWeight > 0 ? Math.min(max, Math.max(min, sum.sum() / totalWeight)) : undefined;
}

/**
 * Like `calculateEnergy`, for a column over these rows, which have `count` values with this sum. Uses the hours of each value if the
 * column has them.
 */
export function calculateColumnEnergy(
  column: NumberColumn,
  rows: Iterable<number>,
  { sum, count }: { readonly sum: number; readonly count: number },
  rowMs: number | undefined,
): Energy | undefined {
  if (!column.hours) return calculateEnergy(unitOf(column.field), sum, count, rowMs);
  return unitOf(column.field).mwhPerHour === undefined ? undefined : calculateEnergyByHours([column], rows);
}
