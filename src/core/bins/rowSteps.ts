import { hourMs } from '../../shared/durations.ts';
import { cellState, stateAt, type TimeColumn } from '../../shared/frame.ts';
import { mostSteps, type StepSpan } from '../../shared/resampling.ts';
import type { Span } from '../range/resolveRange.ts';
import { countBelow } from '../statistics/sorted.ts';
import { binAt, rowEdges } from './binEdges.ts';

/** Consecutive intervals. A row belongs to the interval in which it begins. */
export interface RowSteps {
  readonly count: number;
  /** The length of an interval in milliseconds; see `StepSpan` for intervals of different lengths. */
  readonly stepMs: number;
  /** Returns the start of an interval in UTC milliseconds. */
  readonly startOf: (step: number) => number;
  /** Returns the interval of an instant. The result is below 0 or at least `count` for an instant outside. */
  readonly stepAt: (ms: number) => number;
  /** Returns the length of an interval in hours; undefined if all intervals have the same length. */
  readonly hoursOf?: (step: number) => number;
}

/**
 * Returns the intervals of a span that begin within `range`, which may extend beyond the span. Throws a RangeError if there are too
 * many.
 */
export function rowSteps({ start, end, stepMs, ...rows }: StepSpan, range: Span = { start, end }): RowSteps {
  const whole = rowEdges(range, rows);
  if (whole) {
    const edges = whole.subarray(countBelow(whole, range.start));
    const startOf = (step: number): number => edges[step] ?? NaN;
    const hoursOf = (step: number): number => (startOf(step + 1) - startOf(step)) / hourMs;
    return { count: Math.max(0, edges.length - 1), stepMs, startOf, stepAt: ms => binAt(edges, ms), hoursOf };
  }
  const first = start + Math.floor((range.start - start) / stepMs) * stepMs;
  const count = Math.ceil((range.end - first) / stepMs);
  if (!(count <= mostSteps)) throw new RangeError('There are too many steps.');
  return {
    count,
    stepMs,
    startOf: step => first + step * stepMs,
    stepAt: ms => Math.floor((ms - first) / stepMs),
  };
}

/** Returns the row of each interval, the last one if there are several; -1 if there is none. */
export function rowsOfSteps(time: TimeColumn, { count, stepAt }: RowSteps): Int32Array {
  const rows = new Int32Array(count).fill(-1);
  for (let row = 0; row < time.values.length; row++) {
    if (stateAt(time, row) !== cellState.value) continue;
    const step = stepAt(time.values[row] ?? NaN);
    if (step >= 0 && step < count) rows[step] = row;
  }
  return rows;
}

/** Returns the start of the row of each interval, or of the interval itself if it has no row. */
export function rowBegins(time: TimeColumn, rows: Int32Array, { startOf }: RowSteps): Float64Array {
  // Uses `map` of a typed array, because `from` with a function takes ten times as long.
  return new Float64Array(rows.length).map((_, step) => {
    const row = rows[step] ?? -1;
    return row < 0 ? startOf(step) : (time.values[row] ?? NaN);
  });
}
