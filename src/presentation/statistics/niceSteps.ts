import { countBelow } from '../../core/statistics/quantile.ts';

/** A round distance between ticks or bin edges: `digit` × 10^`exponent`. */
interface NiceStep {
  readonly digit: number;
  readonly exponent: number;
  readonly width: number;
}

const digits = [1, 2, 2.5, 5, 10];

/** Rounds `width` up to 1, 2, 2.5 or 5 times a power of ten. */
export function niceStep(width: number): NiceStep {
  const exponent = Math.floor(Math.log10(width));
  const digit = digits.find(each => times(each, exponent) >= width * (1 - 1e-12)) ?? 10;
  return { digit, exponent, width: times(digit, exponent) };
}

/** Lists the multiples of the distance that cover [min, max]; none if there would be more than 1,000. */
export function multiplesOf(step: NiceStep, least: number, greatest: number): number[] {
  const first = Math.floor(least / step.width);
  const last = Math.ceil(greatest / step.width);
  if (!(last - first < 1000)) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => times((first + index) * step.digit, step.exponent));
}

/** Divides by powers of ten, which are exact, instead of multiplying by their inverses: the result is 0.3, not 0.30000000000000004. */
function times(factor: number, exponent: number): number {
  const result = exponent < 0 && exponent > -300 ? factor / 10 ** -exponent : factor * 10 ** exponent;
  return result === 0 ? 0 : result;
}

/** Bin b counts the numbers from `edges[b]` to below `edges[b + 1]`; the last bin includes its upper edge. */
export interface Histogram {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

const wantedBins = 20;

/**
 * Creates about 20 bins of equal width with round edges. Bins of whole numbers are at least 1 wide; equal numbers share a single bin.
 * `ascending` has at least one number.
 */
export function histogramOf(ascending: Float64Array, whole: boolean): Histogram {
  const edges = edgesOf(ascending[0] ?? 0, ascending[ascending.length - 1] ?? 0, whole);
  const below = edges.map((edge, index) => (index < edges.length - 1 ? countBelow(ascending, edge) : ascending.length));
  return { edges, counts: below.slice(1).map((count, bin) => count - (below[bin] ?? 0)) };
}

function edgesOf(least: number, greatest: number, whole: boolean): readonly number[] {
  if (least === greatest) return [least, least];
  const step = niceStep((greatest - least) / wantedBins);
  const width = whole && step.width < 1 ? niceStep(1) : step;
  const edges = multiplesOf(width, least, greatest);
  const last = edges.at(-1) ?? greatest;
  // 0, 1 … 5 are six numbers: the greatest has a bin of its own.
  // The whole numbers from 0 to 5 are six: without another edge, 4 and 5 would share the last bin.
  if (whole && last === greatest) edges.push(last + width.width);
  // Numbers that differ only in their last digits, or span the whole range of a double, have no round edges between them.
  const sound = edges.length > 1 && edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? edge));
  const [first = NaN, end = NaN] = [edges[0], edges.at(-1)];
  return sound && first <= least && end >= greatest && Number.isFinite(end - first) ? edges : [least, greatest];
}
