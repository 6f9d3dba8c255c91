import { hourMs } from '../../shared/durations.ts';
import { cellState, getCellState, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { unitOf, type Unit } from '../../shared/units.ts';
import { DecimalSum } from './decimalSum.ts';

export interface Energy {
  readonly mwh: number;
  /** The total duration of the rows. */
  readonly hours: number;
}

/**
 * Returns the duration of each row in milliseconds, which is the requested interval. Returns undefined if the interval is unknown, if
 * there is no time column, and for bins such as days, whose lengths differ. Also returns undefined if rows are closer together than the
 * interval, because energy would be counted twice.
 */
export function getRowDuration(time: TimeColumn | undefined, intervalMs: number | undefined): number | undefined {
  if (!time || intervalMs === undefined || time.bins) return undefined;
  return getMinRowDistance(time) < intervalMs ? undefined : intervalMs;
}

/** Whether several rows have the same instant, so that their amounts would be counted twice. */
export function hasRepeatedInstants(time: TimeColumn): boolean {
  return getMinRowDistance(time) === 0;
}

const minDistanceCache = new WeakMap<TimeColumn, number>();

/**
 * Returns the minimum distance between any two rows with an instant, or Infinity if there are fewer than two. The result is cached,
 * because it is needed after each change of the selection.
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

/** Returns the energy of `rows` values with this sum. Returns undefined if the unit has no energy or the duration of a row is unknown. */
export function calculateEnergy(unit: Unit, sum: number, rows: number, rowMs: number | undefined): Energy | undefined {
  if (unit.mwhPerHour === undefined || rowMs === undefined || rows === 0) return undefined;
  return { mwh: multiplyByHours(sum * unit.mwhPerHour, rowMs), hours: (rows * rowMs) / hourMs };
}

/** Multiplies a sum by the interval in hours. Divides if the interval is shorter than an hour, because whole factors preserve more digits. */
export function multiplyByHours(sum: number, intervalMs: number): number {
  return intervalMs < hourMs ? sum / (hourMs / intervalMs) : sum * (intervalMs / hourMs);
}

/** The number of significant digits of a sum of products that a double represents reliably. */
const reliableDigits = 14;

/** Returns the energy of columns with `hours` over these rows. The hours of a row are those of the column that covers most of them. */
export function calculateEnergyByHours(columns: readonly NumberColumn[], rows: Iterable<number>): Energy | undefined {
  let mwh = 0;
  let hours = 0;
  for (const row of rows) {
    let maxHours = 0;
    for (const column of columns) {
      const value = column.values[row] ?? NaN;
      if (getCellState(column, row) !== cellState.value || !Number.isFinite(value)) continue;
      const valueHours = column.hours?.[row] ?? 0;
      mwh += value * valueHours * (column.field?.unit?.mwhPerHour ?? NaN);
      maxHours = Math.max(maxHours, valueHours);
    }
    hours += maxHours;
  }
  return hours > 0 && !Number.isNaN(mwh) ? { mwh: Number(mwh.toPrecision(reliableDigits)), hours } : undefined;
}

/**
 * Returns the mean of columns over `rows`, by default all rows. Each value is weighted by the number of hours that it covers. Returns
 * undefined if a column has no hours, or if all values cover the same number of hours.
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
  // The result is limited to the range of the values, because rounding could move it out of the range.
  return distinctHours.size > 1 && totalWeight > 0 ? Math.min(max, Math.max(min, sum.sum() / totalWeight)) : undefined;
}

/**
 * Returns the energy of a column over these rows, which have `count` values with this sum. Uses the hours of each value if the column
 * has them, and otherwise the duration of a row.
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
