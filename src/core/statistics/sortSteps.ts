import { stepRows, type Steps } from '../time/steps.ts';

/** The numbers in ascending order; `values` is used up. Sorts pieces of 32,768 and merges them, a step each. */
export function* sortSteps(values: Float64Array): Steps<Float64Array> {
  const { length } = values;
  for (let start = 0; start < length; start += stepRows) {
    values.subarray(start, start + stepRows).sort();
    yield;
  }
  if (length <= stepRows) return values;
  let from = values;
  let to: Float64Array = new Float64Array(length);
  for (let width = stepRows; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(length, start + width);
      const end = Math.min(length, middle + width);
      merge(from.subarray(start, middle), from.subarray(middle, end), to.subarray(start, end));
      yield;
    }
    [from, to] = [to, from];
  }
  return from;
}

function merge(left: Float64Array, right: Float64Array, into: Float64Array): void {
  let l = 0;
  let r = 0;
  for (let next = 0; next < into.length; next++) {
    const a = left[l] ?? Infinity;
    const b = right[r] ?? Infinity;
    if (r === right.length || (l < left.length && a <= b)) {
      into[next] = a;
      l++;
    } else {
      into[next] = b;
      r++;
    }
  }
}
