/** A point of the curve: the values are at or above `value` during `share` (0 to 1) of the time. */
interface CurvePoint {
  readonly share: number;
  readonly value: number;
}

/** The maximum number of points between the ends. The drawing has fewer pixels in width. */
const maxPoints = 512;

/**
 * Computes the load-duration curve of numbers in ascending order. The curve starts with the maximum at share 0 and ends with the minimum at
 * share 1. Between them, each of n numbers stands for 1/n of the time, and its point is in the middle of that share. If there are more than
 * `maxPoints` numbers, the curve has only a sample of them.
 */
export function computeDurationCurve(ascending: Float64Array): CurvePoint[] {
  const count = ascending.length;
  const pointCount = Math.min(count, maxPoints);
  const getDescending = (rank: number) => ascending[count - 1 - rank] ?? NaN;
  const middlePoints = Array.from({ length: pointCount }, (_, index) => {
    const rank = pointCount === count ? index : Math.round((index * (count - 1)) / (pointCount - 1));
    return { share: (rank + 0.5) / count, value: getDescending(rank) };
  });
  return [{ share: 0, value: getDescending(0) }, ...middlePoints, { share: 1, value: getDescending(count - 1) }];
}
