import { hourMs } from '../../shared/durations.ts';
import { cellState, stateAt, type TimeColumn } from '../../shared/frame.ts';
import { mostSteps, type StepSpan } from '../../shared/resampling.ts';
import type { Span } from '../range/resolveRange.ts';
import { countBelow } from '../statistics/sorted.ts';
import { binAt, rowEdges } from './binEdges.ts';

/** The steps of rows that follow each other in time: a row belongs to the step in which it begins. */
export interface RowSteps {
  readonly count: number;
  /** The length of a step in milliseconds; as in `StepSpan` where lengths differ. */
  readonly stepMs: number;
  /** When a step begins, UTC milliseconds. */
  readonly startOf: (step: number) => number;
  /** The step of an instant; one that is not from 0 to below `count` for an instant outside. */
  readonly stepAt: (ms: number) => number;
  /** How many hours a step has; undefined where all have the same length. */
  readonly hoursOf?: (step: number) => number;
}

/** The steps of a span that begin within `range`, also before and after the span. Throws a RangeError where they are too many. */
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

/** The row of each step, the last of several; -1 for none. */
export function rowsOfSteps(time: TimeColumn, { count, stepAt }: RowSteps): Int32Array {
  const rows = new Int32Array(count).fill(-1);
  for (let row = 0; row < time.values.length; row++) {
    if (stateAt(time, row) !== cellState.value) continue;
    const step = stepAt(time.values[row] ?? NaN);
    if (step >= 0 && step < count) rows[step] = row;
  }
  return rows;
}

/** When the row of each step begins, or the step where it has none. */
export function rowBegins(time: TimeColumn, rows: Int32Array, { startOf }: RowSteps): Float64Array {
  // From a typed array, since `from` with a function takes ten times as long, here and elsewhere.
  return new Float64Array(rows.length).map((_, step) => {
    const row = rows[step] ?? -1;
    return row < 0 ? startOf(step) : (time.values[row] ?? NaN);
  });
}
