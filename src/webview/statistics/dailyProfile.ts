import { isCountedNumber } from '../../core/bins/binSums.ts';
import { createCycleBinLookup, sortIntoBins } from '../../core/bins/resampleFrame.ts';
import { calculateHourWeightedMean } from '../../core/statistics/energy.ts';
import { Moments } from '../../core/statistics/moments.ts';
import { quantile } from '../../core/statistics/quantile.ts';
import { dayMs } from '../../shared/durations.ts';
import { cellState, getCellState, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { createIndexes } from '../../core/sort/radixSort.ts';

/** The hour of a row that has no instant. */
const noHour = 255;

/** The values whose intervals begin within one hour of the day. */
export interface HourOfDay {
  readonly hour: number;
  readonly count: number;
  /** Undefined where no row of this hour has a value. */
  readonly mean: number | undefined;
  readonly p5: number | undefined;
  readonly p95: number | undefined;
}

const hoursOfDay = 24;

/**
 * Mean and p5 to p95 of each hour of the day; `hours` is that of each row (see zoneHours). Where a clock change repeats an hour
 * both count for it, and where it leaves one out that hour counts one less.
 */
export function dailyProfile(column: NumberColumn, hours: Uint8Array, rows?: Uint32Array): readonly HourOfDay[] {
  const { values } = column;
  const order = new Int32Array(rows ?? createIndexes(values.length));
  const hourOfRow = new Int32Array(order.length).fill(-1);
  for (let index = 0; index < order.length; index++) {
    const row = order[index] ?? 0;
    if (isCountedNumber(column, row, values[row] ?? NaN) && hours[row] !== noHour) hourOfRow[index] = hours[row] ?? -1;
  }
  const grouped = sortIntoBins(order, hourOfRow, hoursOfDay);
  const profile: HourOfDay[] = [];
  for (let hour = 0; hour < hoursOfDay; hour++) {
    const ofHour = grouped.rows.subarray(grouped.bounds[hour], grouped.bounds[hour + 1]);
    const ascending = Float64Array.from(ofHour, row => values[row] ?? NaN).sort();
    profile.push(profileHour(hour, ascending, calculateHourWeightedMean([column], ofHour)));
  }
  return profile;
}

/** `weighed`: the mean of values that count for different hours. */
function profileHour(hour: number, ascending: Float64Array, weighed: number | undefined): HourOfDay {
  const count = ascending.length;
  if (count === 0) return { hour, count, mean: undefined, p5: undefined, p95: undefined };
  const mean = weighed ?? new Moments(ascending).mean;
  return { hour, count, mean, p5: quantile(ascending, 0.05), p95: quantile(ascending, 0.95) };
}

/** The range of a Date, less the days that an offset needs. */
const lastInstant = 8.64e15 - 2 * dayMs;

/** The hour of day, 0 to 23, of each row in the zone; `noHour` where a row has no instant. */
export function zoneHours(time: TimeColumn, timeZone: string): Uint8Array {
  const hours = new Uint8Array(time.values.length).fill(noHour);
  const hourAt = createCycleBinLookup('hourOfDay', { timeZone });
  for (let row = 0; row < hours.length; row++) {
    const instant = time.values[row] ?? NaN;
    if (Math.abs(instant) < lastInstant && getCellState(time, row) === cellState.value) hours[row] = hourAt(instant);
  }
  return hours;
}
