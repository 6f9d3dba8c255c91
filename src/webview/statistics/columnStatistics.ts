import {
  type Collected,
  type Mark,
  type Moments,
  computeMoments,
  collectValues,
} from '../../core/statistics/moments.ts';
import { shareOfRows, type CountedParts } from '../../core/bins/binSums.ts';
import { columnEnergy, hourMean, type Energy } from '../../core/statistics/energy.ts';
import { countBelow, countUpTo, quantile } from '../../core/statistics/sorted.ts';
import type { NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { histogramOf, type Histogram } from './niceSteps.ts';

/** Statistics of one column over some rows. */
export interface ColumnStatistics {
  /** Rows with a value; the others are `nulls` and `absent`. */
  readonly count: number;
  readonly nulls: number;
  readonly absent: number;
  /** Undefined where no row has a value. */
  readonly summary: Summary | undefined;
  /** By the hours that each value counts for; left out where the column does not have these. */
  readonly energy?: Energy;
  /** Of a share, that of the energies of the rows; left out where these are not known. */
  readonly share?: number;
}

export interface Summary extends Moments {
  readonly min: Extreme;
  readonly max: Extreme;
  readonly p5: number;
  readonly median: number;
  readonly p95: number;
  readonly histogram: Histogram;
  readonly duration: readonly CurvePoint[];
}

export interface Extreme {
  readonly value: number;
  /** The earliest instant (UTC ms) of a row with this value; undefined where no such row has one. */
  readonly instant: number | undefined;
  /** How many rows have this value. */
  readonly times: number;
}

/** The statistics of a column over `rows` (all where left out). `parts`: what a share is made of. */
export function describeColumn(
  column: NumberColumn,
  time?: TimeColumn,
  rows?: Uint32Array,
  parts?: CountedParts,
): ColumnStatistics {
  const total = rows?.length ?? column.values.length;
  const found = collectValues(column, time, rows);
  const { count, absent } = found;
  const counts = { count, nulls: total - count - absent, absent };
  if (count === 0) return { ...counts, summary: undefined };
  const ascending = found.values.subarray(0, count).sort();
  const energy = column.hours && columnEnergy(column, rows ?? column.values.keys(), { sum: NaN, count }, undefined);
  const share = parts && shareOfRows(parts, rows);
  const summary = summariseValues(ascending, found);
  // Of the same hours as the energy.
  const mean = hourMean([column], rows);
  return {
    ...counts,
    summary: { ...summary, ...(mean !== undefined && { mean }) },
    ...(energy && { energy }),
    ...(share !== undefined && { share }),
  };
}

function summariseValues(ascending: Float64Array, { low, high, whole }: Collected): Summary {
  const moments = computeMoments(ascending);
  return {
    ...moments,
    min: extremeOf(low, countUpTo(ascending, low.value)),
    max: extremeOf(high, ascending.length - countBelow(ascending, high.value)),
    p5: quantile(ascending, 0.05),
    median: quantile(ascending, 0.5),
    p95: quantile(ascending, 0.95),
    histogram: histogramOf(ascending, whole),
    duration: durationCurveOf(ascending),
  };
}

function extremeOf({ value, instant }: Mark, times: number): Extreme {
  return { value, instant: Number.isFinite(instant) ? instant : undefined, times };
}

/** The value that is reached or exceeded during `share` (0 to 1) of the time. */
interface CurvePoint {
  readonly share: number;
  readonly value: number;
}

/** More points than a drawing has pixels across. */
const mostPoints = 512;

/**
 * The load-duration curve of ascending numbers: the greatest at share 0, the least at 1, each of the n numbers at the middle of
 * its own n-th between. Above 512 numbers every n-th stands for its neighbours; greatest and least always stay.
 */
export function durationCurveOf(ascending: Float64Array): CurvePoint[] {
  const count = ascending.length;
  const points = Math.min(count, mostPoints);
  const descending = (rank: number) => ascending[count - 1 - rank] ?? NaN;
  const middle = Array.from({ length: points }, (_, index) => {
    const rank = points === count ? index : Math.round((index * (count - 1)) / (points - 1));
    return { share: (rank + 0.5) / count, value: descending(rank) };
  });
  return [{ share: 0, value: descending(0) }, ...middle, { share: 1, value: descending(count - 1) }];
}
