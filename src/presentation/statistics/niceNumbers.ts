import { countBelow } from '../../core/statistics/quantile.ts';

/** A round distance between ticks or bin edges: `digit` × 10^`exponent`. */
interface NiceWidth {
  readonly digit: number;
  readonly exponent: number;
  readonly width: number;
}

const digits = [1, 2, 2.5, 5, 10];

/** Rounds `width` up to 1, 2, 2.5 or 5 times a power of ten. */
export function computeNiceWidth(width: number): NiceWidth {
  const exponent = Math.floor(Math.log10(width));
  const digit = digits.find(candidate => multiply(candidate, exponent) >= width * (1 - 1e-12)) ?? 10;
  return { digit, exponent, width: multiply(digit, exponent) };
}

/** Lists the multiples of the distance that cover [min, max]. Returns an empty list if there would be more than 1,000. */
export function listMultiples(width: NiceWidth, min: number, max: number): number[] {
  const first = Math.floor(min / width.width);
  const last = Math.ceil(max / width.width);
  if (!(last - first < 1000)) return [];
  return Array.from({ length: last - first + 1 }, (_, index) =>
    multiply((first + index) * width.digit, width.exponent),
  );
}

/** Divides by powers of ten, which are exact, instead of multiplying by their inverses: the result is 0.3, not 0.30000000000000004. */
function multiply(factor: number, exponent: number): number {
  const result = exponent < 0 && exponent > -300 ? factor / 10 ** -exponent : factor * 10 ** exponent;
  return result === 0 ? 0 : result;
}

/** Bin b counts the numbers from `edges[b]` to below `edges[b + 1]`; the last bin includes its upper edge. */
export interface Histogram {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

const targetBinCount = 20;

/**
 * Creates about 20 bins of equal width with round edges. Bins of whole numbers are at least 1 wide; equal numbers share a single bin.
 * `ascending` has at least one number.
 */
export function computeHistogram(ascending: Float64Array, whole: boolean): Histogram {
  const edges = computeEdges(ascending[0] ?? 0, ascending[ascending.length - 1] ?? 0, whole);
  const countsBelow = edges.map((edge, index) =>
    index < edges.length - 1 ? countBelow(ascending, edge) : ascending.length,
  );
  return { edges, counts: countsBelow.slice(1).map((count, bin) => count - (countsBelow[bin] ?? 0)) };
}

function computeEdges(min: number, max: number, whole: boolean): readonly number[] {
  if (min === max) return [min, min];
  const niceWidth = computeNiceWidth((max - min) / targetBinCount);
  const width = whole && niceWidth.width < 1 ? computeNiceWidth(1) : niceWidth;
  const edges = listMultiples(width, min, max);
  const last = edges.at(-1) ?? max;
  // Six whole numbers (0 to 5) need six bins. Without another edge, 4 and 5 would share the last bin.
  if (whole && last === max) edges.push(last + width.width);
  // Numbers that differ only in their last digits, or that use the whole range of a double, have no round edges between them.
  const areAscending =
    edges.length > 1 && edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? edge));
  const first = edges[0] ?? NaN;
  const end = edges.at(-1) ?? NaN;
  return areAscending && first <= min && end >= max && Number.isFinite(end - first) ? edges : [min, max];
}
