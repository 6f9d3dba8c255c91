/** The middle of several runs; one of another program's moments does not move it. */
export function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;
}
