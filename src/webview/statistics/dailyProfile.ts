import { isCountedNumber } from '../../core/bins/binSums.ts';
import { createCycleBinLookup, sortIntoBins } from '../../core/bins/resampleFrame.ts';
import { calculateHourWeightedMean } from '../../core/statistics/energy.ts';
import { Moments } from '../../core/statistics/moments.ts';
import { quantile } from '../../core/statistics/quantile.ts';
import { dayMs } from '../../shared/durations.ts';
import { cellState, getCellState, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import { createIndexes } from '../../core/sort/radixSort.ts';

/** Stands for the hour of the day of a row without an instant. */
const noHour = 255;

/** The statistics of all rows that begin in the same hour of the day. */
export interface HourOfDay {
  readonly hour: number;
  readonly count: number;
  /** Undefined if no row of this hour has a value. */
  readonly mean: number | undefined;
  readonly p5: number | undefined;
  readonly p95: number | undefined;
}

const hoursPerDay = 24;

/**
 * Computes the mean, p5 and p95 of each hour of the day. `hours` contains the hour of the day of each row (see `computeHoursOfDay`). If a
 * clock change repeats an hour, both hours count for it. If a clock change skips an hour, it has one value less.
 */
export function computeDailyProfile(column: NumberColumn, hours: Uint8Array, rows?: Uint32Array): readonly HourOfDay[] {
  const { values } = column;
  const rowOrder = new Int32Array(rows ?? createIndexes(values.length));
  const hourOfRow = new Int32Array(rowOrder.length).fill(-1);
  for (let index = 0; index < rowOrder.length; index++) {
    const row = rowOrder[index] ?? 0;
    if (isCountedNumber(column, row, values[row] ?? NaN) && hours[row] !== noHour) hourOfRow[index] = hours[row] ?? -1;
  }
  const bins = sortIntoBins(rowOrder, hourOfRow, hoursPerDay);
  const profile: HourOfDay[] = [];
  for (let hour = 0; hour < hoursPerDay; hour++) {
    const hourRows = bins.rows.subarray(bins.bounds[hour], bins.bounds[hour + 1]);
    const ascending = Float64Array.from(hourRows, row => values[row] ?? NaN).sort();
    profile.push(summarizeHour(hour, ascending, calculateHourWeightedMean([column], hourRows)));
  }
  return profile;
}

/** Computes the statistics of an hour. `weightedMean` is set if the values are means over different numbers of hours. */
function summarizeHour(hour: number, ascending: Float64Array, weightedMean: number | undefined): HourOfDay {
  const count = ascending.length;
  if (count === 0) return { hour, count, mean: undefined, p5: undefined, p95: undefined };
  const mean = weightedMean ?? new Moments(ascending).mean;
  return { hour, count, mean, p5: quantile(ascending, 0.05), p95: quantile(ascending, 0.95) };
}

/** The maximum absolute instant. It is two days below that of a Date, so that local times are valid too. */
const maxInstant = 8.64e15 - 2 * dayMs;

/** Computes the local hour of the day of each row, from 0 to 23. A row without an instant has `noHour`. */
export function computeHoursOfDay(time: TimeColumn, timeZone: string): Uint8Array {
  const hours = new Uint8Array(time.values.length).fill(noHour);
  const getHour = createCycleBinLookup('hourOfDay', { timeZone });
  for (let row = 0; row < hours.length; row++) {
    const instant = time.values[row] ?? NaN;
    if (Math.abs(instant) < maxInstant && getCellState(time, row) === cellState.value) hours[row] = getHour(instant);
  }
  return hours;
}
