import { hourMs } from '../../shared/durations.ts';
import { cellState, getCellState, type TimeColumn } from '../../shared/frame.ts';
import { maxIntervals, type ElapsedRange } from '../../shared/resampling.ts';
import type { Span } from '../range/resolveRange.ts';
import { countBelow } from '../statistics/quantile.ts';
import { findBin, getRowEdges } from './binEdges.ts';

/** Consecutive intervals. A row belongs to the interval in which it begins. */
export interface RowIntervals {
  readonly count: number;
  /** The length of an interval in milliseconds; see `ElapsedRange` for intervals of different lengths. */
  readonly intervalMs: number;
  /** Returns the start of an interval in UTC milliseconds. */
  readonly getStart: (interval: number) => number;
  /** Returns the interval of an instant. For an instant outside, the result is below 0 or at least `count`. */
  readonly findInterval: (ms: number) => number;
  /** Returns the length of an interval in hours; undefined if all intervals have the same length. */
  readonly getHours?: (interval: number) => number;
}

/**
 * Returns the intervals of a span that begin within `range`, which may extend beyond the span. Throws a RangeError if there are too
 * many.
 */
export function getRowIntervals(
  { start, end, intervalMs, ...rows }: ElapsedRange,
  range: Span = { start, end },
): RowIntervals {
  const allEdges = getRowEdges(range, rows);
  if (allEdges) {
    const edges = allEdges.subarray(countBelow(allEdges, range.start));
    const getStart = (interval: number): number => edges[interval] ?? NaN;
    const getHours = (interval: number): number => (getStart(interval + 1) - getStart(interval)) / hourMs;
    return {
      count: Math.max(0, edges.length - 1),
      intervalMs,
      getStart,
      findInterval: ms => findBin(edges, ms),
      getHours,
    };
  }
  const first = start + Math.floor((range.start - start) / intervalMs) * intervalMs;
  const count = Math.ceil((range.end - first) / intervalMs);
  if (!(count <= maxIntervals)) throw new RangeError('There are too many intervals.');
  return {
    count,
    intervalMs,
    getStart: interval => first + interval * intervalMs,
    findInterval: ms => Math.floor((ms - first) / intervalMs),
  };
}

/** Returns the row of each interval: the last row if there are several, or -1 if there is no row. */
export function findRowsOfIntervals(time: TimeColumn, { count, findInterval }: RowIntervals): Int32Array {
  const rows = new Int32Array(count).fill(-1);
  for (let row = 0; row < time.values.length; row++) {
    if (getCellState(time, row) !== cellState.value) continue;
    const interval = findInterval(time.values[row] ?? NaN);
    if (interval >= 0 && interval < count) rows[interval] = row;
  }
  return rows;
}

/** Returns the start of the row of each interval, or of the interval itself if it has no row. */
export function getRowStarts(time: TimeColumn, rows: Int32Array, { getStart }: RowIntervals): Float64Array {
  // Uses `map` of a typed array, because `from` with a function takes ten times as long.
  return new Float64Array(rows.length).map((_, interval) => {
    const row = rows[interval] ?? -1;
    return row < 0 ? getStart(interval) : (time.values[row] ?? NaN);
  });
}
