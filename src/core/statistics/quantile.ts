/**
 * Returns the `share` quantile (0 to 1) of sorted numbers by linear interpolation between the two nearest order statistics: definition 7
 * of Hyndman & Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), the default of R, NumPy and Excel's
 * PERCENTILE.INC. NaN if there are no numbers.
 */
export function quantile(ascending: Float64Array, share: number): number {
  const position = (ascending.length - 1) * share;
  const lowerIndex = Math.floor(position);
  const low = ascending[lowerIndex] ?? NaN;
  const high = ascending[lowerIndex + 1] ?? low;
  const weight = position - lowerIndex;
  if (weight === 0 || low === high) return low;
  // Not low + (high - low) * weight: the difference of the largest numbers is not finite.
  const interpolated = Math.min(high, Math.max(low, low * (1 - weight) + high * weight));
  // Between a negative and a positive number, rounding may leave less than the error of the position instead of 0.
  const tolerance = Math.max(high, -low) * ascending.length * 2 ** -51;
  return Math.abs(interpolated) <= tolerance && low < 0 && high > 0 ? 0 : interpolated;
}

/** Counts the sorted numbers below `limit`, which is also the index of the first one that is not below it. Searches [from, to). */
export function countBelow(ascending: ArrayLike<number>, limit: number, from = 0, to = ascending.length): number {
  return countWhile(ascending, value => value < limit, from, to);
}

/** Counts the sorted numbers that do not exceed `limit`. */
export function countAtMost(ascending: ArrayLike<number>, limit: number): number {
  return countWhile(ascending, value => value <= limit, 0, ascending.length);
}

function countWhile(
  ascending: ArrayLike<number>,
  condition: (value: number) => boolean,
  from: number,
  to: number,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (condition(ascending[middle] ?? NaN)) low = middle + 1;
    else high = middle;
  }
  return low;
}
