import { niceStep, multiplesOf } from './niceSteps.ts';
import { countBelow } from '../../core/statistics/quantile.ts';

/** Bin b counts the numbers from `edges[b]` to below `edges[b + 1]`; the last bin has its upper edge too. */
export interface Histogram {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

const wantedBins = 20;

/** Some 20 bins of equal width with round edges; at least 1 wide for whole numbers, a single one for a single number. Takes ascending numbers, at least one. */
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
  if (whole && last === greatest) edges.push(last + width.width);
  // Numbers that differ only in their last digits, or span the whole range of a double, have no round edges between them.
  const sound = edges.length > 1 && edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? edge));
  return sound && (edges[0] ?? NaN) <= least && (edges.at(-1) ?? NaN) >= greatest ? edges : [least, greatest];
}
