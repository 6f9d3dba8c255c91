import { compensatedSum, SumDigits } from './sumDigits.ts';
import { stepRows, type Steps } from '../time/steps.ts';

export interface Moments {
  /** Not finite where it is larger than any number. */
  readonly sum: number;
  readonly mean: number;
  /** Of the sample: divided by one less than the count; undefined below two numbers. */
  readonly deviation: number | undefined;
}

/** Mean and standard deviation of ascending finite numbers, at least one. In two passes, which avoids the difference of large squares. */
export function* momentSteps(ascending: Float64Array): Steps<Moments> {
  const count = ascending.length;
  const least = ascending[0] ?? 0;
  const greatest = ascending[count - 1] ?? 0;
  const scale = scaleFor(Math.max(Math.abs(least), Math.abs(greatest)));
  const digits = new SumDigits();
  const scaled = yield* sumSteps(ascending, value => {
    digits.note(value / scale);
    return value / scale;
  });
  const clean = digits.clean(scaled);
  const sum = clean * scale;
  const mean = clean / count;
  if (count < 2) return { sum: least, mean: least, deviation: undefined };
  const squares = yield* sumSteps(ascending, value => (value / scale - mean) ** 2);
  // Corrects the rounding error of the mean: deviations from the exact mean add up to 0.
  const rest = yield* sumSteps(ascending, value => value / scale - mean);
  const variance = Math.max(0, squares - (rest * rest) / count) / (count - 1);
  return {
    sum,
    mean: Math.min(greatest, Math.max(least, mean * scale)),
    deviation: least === greatest ? 0 : Math.sqrt(variance) * scale,
  };
}

function* sumSteps(values: Float64Array, addend: (value: number) => number): Steps<number> {
  const parts = new Float64Array(Math.ceil(values.length / stepRows));
  for (let part = 0; part < parts.length; part++) {
    parts[part] = compensatedSum(values.subarray(part * stepRows, (part + 1) * stepRows), addend);
    yield;
  }
  return compensatedSum(parts, value => value);
}

/** 1 for ordinary numbers; else a divisor that keeps sums and squares within the range of a double. */
function scaleFor(size: number): number {
  return size === 0 || (size > 1e-100 && size < 1e100) ? 1 : size;
}
