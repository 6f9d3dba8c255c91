/** The first index in [from, to) whose value is not below `limit`; `to` where all are. The values ascend. */
export function lowerBound(values: Float64Array, limit: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the value nearest to `wanted`; -1 in an empty list. The values ascend. */
export function nearest(values: Float64Array, wanted: number): number {
  const after = lowerBound(values, wanted);
  if (after === 0) return values.length === 0 ? -1 : 0;
  const before = after - 1;
  if (after === values.length) return before;
  return wanted - (values[before] ?? 0) <= (values[after] ?? 0) - wanted ? before : after;
}
