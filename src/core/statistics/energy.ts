import { hourMs } from '../../shared/durations.ts';
import { cellState, stateAt, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { unitOf, type Unit } from '../../shared/units.ts';
import { DecimalSum } from './sumDigits.ts';

export interface Energy {
  readonly mwh: number;
  /** How long the values it is made of last together. */
  readonly hours: number;
}

/**
 * How long the value of a row lasts, in milliseconds: the length of the requested interval. Undefined where that is unknown, without a time
 * column, where rows are days or other bins of different lengths, and where rows are closer together than the interval, or of one instant: each would
 * count for longer than it lasts.
 */
export function rowDuration(time: TimeColumn | undefined, stepMs: number | undefined): number | undefined {
  if (!time || stepMs === undefined || time.bins) return undefined;
  return leastDistance(time) < stepMs ? undefined : stepMs;
}

const leastDistances = new WeakMap<TimeColumn, number>();

/** Between any two rows with an instant; Infinity below two of them. Cached, since each change of a selection needs it. */
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

/** The least step from a number to the next; negative where they do not ascend. */
function distanceIn(times: Float64Array): number {
  let least = Infinity;
  for (let row = 1; row < times.length; row++) least = Math.min(least, (times[row] ?? NaN) - (times[row - 1] ?? NaN));
  return least;
}

/** The energy of values with this sum, which together fill `rows` rows. Undefined where the unit or the interval has none. */
export function energyOf(unit: Unit, sum: number, rows: number, rowMs: number | undefined): Energy | undefined {
  if (unit.mwhPerHour === undefined || rowMs === undefined || rows === 0) return undefined;
  return { mwh: inHours(sum * unit.mwhPerHour, rowMs), hours: (rows * rowMs) / hourMs };
}

/** Times the hours of a step. Multiplies or divides by a whole number where possible, which preserves the digits of a sum. */
export function inHours(sum: number, stepMs: number): number {
  return stepMs < hourMs ? sum / (hourMs / stepMs) : sum * (stepMs / hourMs);
}

/** Significant digits of a sum of products that doubles represent reliably. */
const reliableDigits = 14;

/** The energy over these rows of columns with `hours`. Its hours are those of the rows in which a column has a value. */
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
 * The mean of columns whose values count for hours of their own, each value weighed by its hours, over `rows` (all where left out): what their
 * energy is the product of.
 * Undefined where a column has none, and where all count alike.
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

/** As `energyOf`, for a column over these rows, which have `count` values with this sum: by the hours of each value where it has them. */
export function columnEnergy(
  column: NumberColumn,
  rows: Iterable<number>,
  { sum, count }: { readonly sum: number; readonly count: number },
  rowMs: number | undefined,
): Energy | undefined {
  if (!column.hours) return energyOf(unitOf(column.field), sum, count, rowMs);
  return unitOf(column.field).mwhPerHour === undefined ? undefined : energyByHours([column], rows);
}
