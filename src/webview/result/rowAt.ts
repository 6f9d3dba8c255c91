import type { TimeColumn } from '../../shared/frame.ts';

/** The shown row of the first instant at or after `instant`, in whatever order the rows are; undefined where none is. */
export function rowAt(
  time: TimeColumn | undefined,
  order: Uint32Array | undefined,
  instant: number,
): number | undefined {
  if (!time) return undefined;
  const count = order?.length ?? time.values.length;
  let best: number | undefined;
  let bestTime = Infinity;
  for (let row = 0; row < count; row++) {
    const ms = time.values[order?.[row] ?? row] ?? NaN;
    if (ms >= instant && ms < bestTime) {
      best = row;
      bestTime = ms;
    }
  }
  return best;
}
