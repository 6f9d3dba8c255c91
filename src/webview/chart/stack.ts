/** One layer of a stack: pairs of a lower and an upper edge, a number at each point, NaN where the stack is open. */
export interface StackLayer {
  /** What is above zero; without height where the value is below. */
  readonly above: readonly [lower: Float64Array, upper: Float64Array];
  /** What is below zero; undefined for a part that never is. */
  readonly below: readonly [lower: Float64Array, upper: Float64Array] | undefined;
}

/**
 * Lays parts on each other: what is above zero upward from zero, what is below zero downward from it, so that an export
 * (a negative import) takes nothing off the generation above it. A point where any part is missing is open in all layers:
 * a total without one of its parts would read as a fall in generation.
 */
export function stackOf(parts: readonly Float64Array[]): StackLayer[] {
  const points = parts[0]?.length ?? 0;
  const tops = new Float64Array(points);
  const bottoms = new Float64Array(points);
  for (const part of parts) part.forEach((value, point) => Number.isNaN(value) && open(point));
  return parts.map(part => {
    const above = layOn(tops, part, value => Math.max(value, 0));
    const below = part.some(value => value < 0) ? layOn(bottoms, part, value => Math.min(value, 0)) : undefined;
    return { above, below: below && [below[1], below[0]] };
  });

  function open(point: number): void {
    tops[point] = NaN;
    bottoms[point] = NaN;
  }
}

/** Moves `ends` on by the share of each value, and returns where they were and where they are. */
function layOn(
  ends: Float64Array,
  values: Float64Array,
  share: (value: number) => number,
): readonly [before: Float64Array, after: Float64Array] {
  const before = ends.slice();
  for (let point = 0; point < ends.length; point++) ends[point] = (ends[point] as number) + share(values[point] ?? NaN);
  return [before, ends.slice()];
}
