/** Digits that a double surely holds. */
const sureDigits = 15;

/**
 * a − b without the noise of binary fractions (23581.8 − 23420.1 is 161.7): rounded to the last of the 15 digits that the
 * larger of the two surely has. Not finite where the difference is larger than any number.
 */
export function difference(a: number, b: number): number {
  const exact = a - b;
  const size = Math.max(Math.abs(a), Math.abs(b));
  // A difference of 0 has no sign, also where one of the two is -0.
  if (exact === 0 || !Number.isFinite(exact)) return exact + 0;
  const decimals = sureDigits - 1 - Math.floor(Math.log10(size));
  // Powers of ten beyond these are no exact numbers, and there is nothing to round in integers.
  if (decimals < 1 || decimals > 22) return exact;
  const scale = 10 ** decimals;
  return Math.round(exact * scale) / scale + 0;
}

/** (a − b) in percent of the size of b. Not finite for b = 0. */
export function percent(a: number, b: number): number {
  return b === 0 ? NaN : (difference(a, b) / Math.abs(b)) * 100;
}
