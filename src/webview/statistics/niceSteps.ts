/** A round distance: `digit` × 10^`exponent`. */
export interface NiceStep {
  readonly digit: number;
  readonly exponent: number;
  readonly width: number;
}

const digits = [1, 2, 2.5, 5, 10];

/** The least of 1, 2, 2.5 or 5 times a power of ten that is not below `width`. */
export function niceStep(width: number): NiceStep {
  const exponent = Math.floor(Math.log10(width));
  const digit = digits.find(each => times(each, exponent) >= width * (1 - 1e-12)) ?? 10;
  return { digit, exponent, width: times(digit, exponent) };
}

/** The multiples of the step from the last one not above `least` to the first one not below `greatest`; at most 1,000. */
export function multiplesOf(step: NiceStep, least: number, greatest: number): number[] {
  const first = Math.floor(least / step.width);
  const last = Math.ceil(greatest / step.width);
  if (!(last - first < 1000)) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => times((first + index) * step.digit, step.exponent));
}

/** Round marks for an axis that shows [least, greatest], about `wanted` of them, all within or at most one step outside. */
export function ticks(least: number, greatest: number, wanted: number): number[] {
  if (!(greatest > least)) return [least];
  const marks = multiplesOf(niceStep((greatest - least) / wanted), least, greatest);
  return marks.length > 1 ? marks : [least, greatest];
}

/** Divides by powers of ten, which are exact, rather than multiply by their inverses: 0.3 and not 0.30000000000000004. */
function times(factor: number, exponent: number): number {
  const result = exponent < 0 && exponent > -300 ? factor / 10 ** -exponent : factor * 10 ** exponent;
  return result === 0 ? 0 : result;
}
