/** A layer of a stack. Each edge has one value per point, which is NaN where the part is missing. */
interface StackLayer {
  /** The area above zero, which has no height where the value is negative. */
  readonly above: readonly [lower: Float64Array, upper: Float64Array];
  /** The area below zero. Undefined if no value is negative. */
  readonly below: readonly [lower: Float64Array, upper: Float64Array] | undefined;
}

/**
 * Stacks parts: positive values upward from zero, and negative values downward. Exports are negative imports, so they do not reduce the stack of
 * generation above zero.
 *
 * A missing value leaves a gap only in the layer of its part. The layers above it are then drawn too low, which looks like a drop in generation.
 * `findIncompletePoints` finds such points, so that the chart can mark them.
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

/**
 * Adds a part to the stack: moves each of `stackEnds` by the clipped value. `clip` returns the positive or the negative part of a value. Returns the
 * inner and the outer edge of the new layer, which are both NaN for a missing value.
 */
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
