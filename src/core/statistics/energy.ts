import { hourMs } from '../../shared/durations.ts';
import { cellState, stateAt, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { unitOf, type Unit } from '../../shared/units.ts';
import { DecimalSum } from './sumDigits.ts';

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
export function rowDuration(time: TimeColumn | undefined, stepMs: number | undefined): number | undefined {
  if (!time || stepMs === undefined || time.bins) return undefined;
  return leastDistance(time) < stepMs ? undefined : stepMs;
}

const leastDistances = new WeakMap<TimeColumn, number>();

/**
 * The minimum distance between any two rows with an instant; Infinity below two of them. Cached, because each change of the selection
 * needs it.
 */
function leastDistance(time: TimeColumn): number {
  const known = leastDistances.get(time);
  if (known !== undefined) return known;
  const times = time.gaps ? time.values.filter((_, row) => stateAt(time, row) === cellState.value) : time.values;
  let least = distanceIn(times);
  // Most columns are sorted already.
  if (least < 0) least = distanceIn(times.toSorted());
  leastDistances.set(time, least);
  return least;
}

/** Returns the minimum difference of adjacent numbers, which is negative if they are not sorted. */
function distanceIn(times: Float64Array): number {
  let least = Infinity;
  for (let row = 1; row < times.length; row++) least = Math.min(least, (times[row] ?? NaN) - (times[row - 1] ?? NaN));
  return least;
}

/** Returns the energy of values with this sum, which fill `rows` rows. Undefined if the unit has no energy or the interval is unknown. */
export function energyOf(unit: Unit, sum: number, rows: number, rowMs: number | undefined): Energy | undefined {
  if (unit.mwhPerHour === undefined || rowMs === undefined || rows === 0) return undefined;
  return { mwh: inHours(sum * unit.mwhPerHour, rowMs), hours: (rows * rowMs) / hourMs };
}

/** Multiplies by the interval in hours. Multiplies or divides by a whole number if possible, which preserves the digits of a sum. */
export function inHours(sum: number, stepMs: number): number {
  return stepMs < hourMs ? sum / (hourMs / stepMs) : sum * (stepMs / hourMs);
}

/** Significant digits of a sum of products that a double represents reliably. */
const reliableDigits = 14;

/** Returns the energy of columns with `hours` over these rows. Its duration is that of the rows in which any column has a value. */
export function energyByHours(columns: readonly NumberColumn[], rows: Iterable<number>): Energy | undefined {
  let [mwh, hours] = [0, 0];
  for (const row of rows) {
    let longest = 0;
    for (const column of columns) {
      const value = column.values[row] ?? NaN;
      if (stateAt(column, row) !== cellState.value || !Number.isFinite(value)) continue;
      const own = column.hours?.[row] ?? 0;
      mwh += value * own * (column.field?.unit?.mwhPerHour ?? NaN);
      longest = Math.max(longest, own);
    }
    hours += longest;
  }
  return hours > 0 && !Number.isNaN(mwh) ? { mwh: Number(mwh.toPrecision(reliableDigits)), hours } : undefined;
}

/**
 * Returns the mean of columns whose values count for different hours, weighted by those hours, over `rows` (by default all rows).
 * Undefined if a column has no hours or all values count for the same number of hours.
 */
export function hourMean(columns: readonly NumberColumn[], rows?: ArrayLike<number>): number | undefined {
  if (!columns.every(({ field, hours }) => hours && !unitOf(field).overlaps)) return undefined;
  const [sum, weights] = [new DecimalSum(), new DecimalSum()];
  const alike = new Set<number>();
  let [least, greatest] = [Infinity, -Infinity];
  const count = rows?.length ?? columns[0]?.values.length ?? 0;
  for (let at = 0; at < count; at++)
    for (const column of columns) {
      const row = rows ? (rows[at] ?? -1) : at;
      const value = column.values[row] ?? NaN;
      if (stateAt(column, row) !== cellState.value || !Number.isFinite(value)) continue;
      const hours = column.hours?.[row] ?? 0;
      if (alike.size < 2) alike.add(hours);
      sum.add(value * hours);
      weights.add(hours);
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
  const all = weights.sum();
  // Rounding may move the mean of equal numbers past them.
  return alike.size > 1 && all > 0 ? Math.min(greatest, Math.max(least, sum.sum() / all)) : undefined;
}

/**
 * Like `calculateEnergy`, for a column over these rows, which have `count` values with this sum. Uses the hours of each value if the
 * column has them.
 */
export function columnEnergy(
  column: NumberColumn,
  rows: Iterable<number>,
  { sum, count }: { readonly sum: number; readonly count: number },
  rowMs: number | undefined,
): Energy | undefined {
  if (!column.hours) return energyOf(unitOf(column.field), sum, count, rowMs);
  return unitOf(column.field).mwhPerHour === undefined ? undefined : energyByHours([column], rows);
}
