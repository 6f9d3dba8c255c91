/** One layer of a stack: pairs of a lower and an upper edge, a number at each point, NaN where the part is missing. */
interface StackLayer {
  /** What is above zero; without height where the value is below. */
  readonly above: readonly [lower: Float64Array, upper: Float64Array];
  /** What is below zero; undefined for a part that never is. */
  readonly below: readonly [lower: Float64Array, upper: Float64Array] | undefined;
}

/**
 * Lays parts on each other: what is above zero upward from zero, what is below zero downward from it, so that an export
 * (a negative import) takes nothing off the generation above it. Where a part is missing, it alone is open: nobody knows
 * how thick it is, and the others are known. Those above it lie lower than they should by that unknown part, which would
 * read as a fall in generation: `incompleteOf` says where, for a mark that says so.
 */
export function stackOf(parts: readonly Float64Array[]): StackLayer[] {
  const points = parts[0]?.length ?? 0;
  const tops = new Float64Array(points);
  const bottoms = new Float64Array(points);
  return parts.map(part => {
    const above = layOn(tops, part, value => Math.max(value, 0));
    const below = part.some(value => value < 0) ? layOn(bottoms, part, value => Math.min(value, 0)) : undefined;
    return { above, below: below && [below[1], below[0]] };
  });
}

/** The points where some of the parts are missing, but not all. Ascending. */
export function incompleteOf(parts: readonly Float64Array[]): Uint32Array {
  const known = new Uint8Array(parts[0]?.length ?? 0);
  for (const part of parts)
    for (let point = 0; point < known.length; point++)
      if (!Number.isNaN(part[point])) known[point] = (known[point] as number) + 1;
  const points: number[] = [];
  known.forEach((count, point) => count > 0 && count < parts.length && points.push(point));
  return Uint32Array.from(points);
}

/** Moves `ends` on by the share of each value, and returns where they were and where they are; NaN in both where there is none. */
function layOn(
  ends: Float64Array,
  values: Float64Array,
  share: (value: number) => number,
): readonly [before: Float64Array, after: Float64Array] {
  const before = ends.slice();
  const after = new Float64Array(ends.length);
  for (let point = 0; point < ends.length; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) before[point] = after[point] = NaN;
    else after[point] = ends[point] = (ends[point] as number) + share(value);
  }
  return [before, after];
}
