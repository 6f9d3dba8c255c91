/** The value that is reached or exceeded during `share` (0 to 1) of the time. */
interface CurvePoint {
  readonly share: number;
  readonly value: number;
}

/** More points than a drawing has pixels across. */
const mostPoints = 512;

/**
 * The load-duration curve of ascending numbers: the greatest at share 0, the least at 1, each of the n numbers at the middle of
 * its own n-th between. Above 512 numbers every n-th stands for its neighbours; greatest and least always stay.
 */
export function durationCurveOf(ascending: Float64Array): CurvePoint[] {
  const count = ascending.length;
  const points = Math.min(count, mostPoints);
  const descending = (rank: number) => ascending[count - 1 - rank] ?? NaN;
  const middle = Array.from({ length: points }, (_, index) => {
    const rank = points === count ? index : Math.round((index * (count - 1)) / (points - 1));
    return { share: (rank + 0.5) / count, value: descending(rank) };
  });
  return [{ share: 0, value: descending(0) }, ...middle, { share: 1, value: descending(count - 1) }];
}
