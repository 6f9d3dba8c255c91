/** Points (position, value) in the order of their positions. */
export type Curve = readonly (readonly [position: number, value: number])[];

/** The curve's value by straight lines between its points, level before the first and after the last. */
export function along(curve: Curve, position: number): number {
  let before: readonly [number, number] | undefined;
  for (const point of curve) {
    if (position < point[0]) {
      if (!before) return point[1];
      return before[1] + ((point[1] - before[1]) * (position - before[0])) / (point[0] - before[0]);
    }
    before = point;
  }
  return before?.[1] ?? 0;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
