/**
 * The `share` quantile (0 to 1) of ascending numbers by linear interpolation between the two nearest order statistics:
 * definition 7 of Hyndman & Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), the
 * default of R, NumPy and Excel's PERCENTILE.INC. NaN where there is no number.
 */
export function quantile(ascending: Float64Array, share: number): number {
  const place = (ascending.length - 1) * share;
  const below = Math.floor(place);
  const low = ascending[below] ?? NaN;
  const high = ascending[below + 1] ?? low;
  const weight = place - below;
  if (weight === 0 || low === high) return low;
  // Not low + (high - low) * weight: the difference of the largest numbers is not finite.
  const between = Math.min(high, Math.max(low, low * (1 - weight) + high * weight));
  // What rounding leaves of a zero between the two: the weight is as unsure as the place.
  const lost = Math.max(high, -low) * ascending.length * 2 ** -51;
  return Math.abs(between) <= lost && low < 0 && high > 0 ? 0 : between;
}

/** How many of the ascending numbers are below `limit`. */
export function countBelow(ascending: Float64Array, limit: number): number {
  return countWhile(ascending, value => value < limit);
}

/** How many of the ascending numbers are `limit` or below. */
export function countUpTo(ascending: Float64Array, limit: number): number {
  return countWhile(ascending, value => value <= limit);
}

function countWhile(ascending: Float64Array, holds: (value: number) => boolean): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(ascending[middle] ?? NaN)) from = middle + 1;
    else to = middle;
  }
  return from;
}
