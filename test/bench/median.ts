/** Returns the median of several runs, which a single slow run does not change. */
export function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;
}

/** Returns the median ratio of the times to the baseline of the same run. */
export function medianRatio(times: readonly number[], baseline: readonly number[]): number {
  return median(times.map((time, index) => time / (baseline[index] ?? NaN)));
}
