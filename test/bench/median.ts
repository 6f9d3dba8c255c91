/** The middle of several runs; one of another program's moments does not move it. */
export function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;
}

/** The median of what the runs took against those of the same turn. */
export function against(times: readonly number[], floor: readonly number[]): number {
  return median(times.map((time, turn) => time / (floor[turn] ?? NaN)));
}
