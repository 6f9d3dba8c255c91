/** A layer of a stack: pairs of a lower and an upper edge, one value per point, NaN where the part is missing. */
interface StackLayer {
  /** The part above zero. It has no height if the value is negative. */
  readonly above: readonly [lower: Float64Array, upper: Float64Array];
  /** The part below zero; undefined if no value is negative. */
  readonly below: readonly [lower: Float64Array, upper: Float64Array] | undefined;
}

/**
 * Stacks parts: positive values upward from zero and negative values downward, so that an export (a negative import) does not reduce the
 * generation above it. A missing part leaves a gap only in its own layer; the parts above it are then drawn too low, which would look like a drop in
 * generation. Such points are marked as incomplete.
 */
export function stackParts(parts: readonly Float64Array[]): StackLayer[] {
  const points = parts[0]?.length ?? 0;
  const tops = new Float64Array(points);
  const bottoms = new Float64Array(points);
  return parts.map(part => {
    const above = addToStack(tops, part, value => Math.max(value, 0));
    const below = part.some(value => value < 0) ? addToStack(bottoms, part, value => Math.min(value, 0)) : undefined;
    return { above, below: below && [below[1], below[0]] };
  });
}

/** Finds the points where some, but not all, of the parts are missing. Returns them in ascending order. */
export function findIncompletePoints(parts: readonly Float64Array[]): Uint32Array {
  const counts = new Uint8Array(parts[0]?.length ?? 0);
  for (const part of parts)
    for (let point = 0; point < counts.length; point++)
      if (!Number.isNaN(part[point])) counts[point] = (counts[point] as number) + 1;
  const points: number[] = [];
  counts.forEach((count, point) => count > 0 && count < parts.length && points.push(point));
  return Uint32Array.from(points);
}

/** Moves `stackEnds` by the positive or the negative part of each value, which `clip` returns. Returns the inner and outer edge of the new part; both are NaN for a missing value. */
function addToStack(
  stackEnds: Float64Array,
  values: Float64Array,
  clip: (value: number) => number,
): readonly [inner: Float64Array, outer: Float64Array] {
  const inner = stackEnds.slice();
  const outer = new Float64Array(stackEnds.length);
  for (let point = 0; point < stackEnds.length; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) inner[point] = outer[point] = NaN;
    else outer[point] = stackEnds[point] = (stackEnds[point] as number) + clip(value);
  }
  return [inner, outer];
}
