/** A value that is reached or exceeded during `share` (0 to 1) of the time. */
interface CurvePoint {
  readonly share: number;
  readonly value: number;
}

/** More points than the drawing is wide in pixels. */
const maxPoints = 512;

/**
 * Computes the load-duration curve of ascending numbers: the maximum at share 0, the minimum at share 1, and between them each of
 * the n numbers at the middle of its n-th of the time. Above 512 numbers the curve is sampled; maximum and minimum always stay.
 */
export function computeDurationCurve(ascending: Float64Array): CurvePoint[] {
  const count = ascending.length;
  const points = Math.min(count, maxPoints);
  const getDescending = (rank: number) => ascending[count - 1 - rank] ?? NaN;
  const middlePoints = Array.from({ length: points }, (_, index) => {
    const rank = points === count ? index : Math.round((index * (count - 1)) / (points - 1));
    return { share: (rank + 0.5) / count, value: getDescending(rank) };
  });
  return [{ share: 0, value: getDescending(0) }, ...middlePoints, { share: 1, value: getDescending(count - 1) }];
}
