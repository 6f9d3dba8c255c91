import type { TimeColumn } from '../../shared/frame.ts';

/** A shown row and its time, UTC milliseconds. */
export interface TimedRow {
  readonly row: number;
  readonly ms: number;
}

/**
 * The shown row of the first instant at or after `instant`, else of the last before it, in whatever order the rows are;
 * undefined where no row has a time.
 */
export function rowAt(
  time: TimeColumn | undefined,
  order: Uint32Array | undefined,
  instant: number,
): TimedRow | undefined {
  let next: TimedRow | undefined;
  let last: TimedRow | undefined;
  const count = time ? (order?.length ?? time.values.length) : 0;
  for (let row = 0; row < count; row++) {
    const ms = time?.values[order?.[row] ?? row] ?? NaN;
    if (ms >= instant && ms < (next?.ms ?? Infinity)) next = { row, ms };
    if (ms < instant && ms > (last?.ms ?? -Infinity)) last = { row, ms };
  }
  return next ?? last;
}
