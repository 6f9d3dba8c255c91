import type { TimeRange } from './chartModel.ts';
import { lowerBound } from './timeline.ts';
import { visibleLayers, type Plot } from './plot.ts';
import { fixedAxis, valueAxis, type ValueAxis } from './valueAxis.ts';

/** From here on the points in the window are thinned out: a path of many more costs most of the time to the first frame. */
const drawnWhole = 20_000;

/** Indices [from, to). */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The points in a window. */
export function pointsInside(x: Float64Array, { start, end }: TimeRange): IndexRange {
  const from = lowerBound(x, start);
  let to = lowerBound(x, end, from);
  while (to < x.length && x[to] === end) to++;
  return { from, to };
}

/** The points in a window with one neighbour on each side, so that lines run to its edges. */
export function pointsIn(x: Float64Array, window: TimeRange): IndexRange {
  const { from, to } = pointsInside(x, window);
  return { from: Math.max(0, from - 1), to: Math.min(x.length, to + 1) };
}

/**
 * The points of a window to draw: all of them up to `whole`, else for each of the pixel columns its first and last point,
 * the smallest and largest value of every edge, and one point without a value where there is any. Ascending.
 */
export function drawnPoints(
  x: Float64Array,
  edges: readonly Float64Array[],
  window: TimeRange,
  columns: number,
  whole = drawnWhole,
): Uint32Array {
  const { from, to } = pointsIn(x, window);
  if (to - from <= whole) return allOf(from, to);
  const width = Math.max(1, Math.floor(columns));
  const perColumn = 2 + 3 * edges.length;
  const kept = new Uint32Array(Math.min(to - from, (width + 2) * perColumn));
  const chosen = new Uint32Array(perColumn);
  let count = 0;
  let low = from;
  for (let column = 0; column <= width + 1 && low < to; column++) {
    // Columns 0 and width + 1 hold the neighbours outside the window.
    const limit = window.start + ((window.end - window.start) * column) / width;
    const high = column > width ? to : lowerBound(x, limit, low, to);
    if (high === low) continue;
    const taken = chooseIn(edges, low, high, chosen);
    let last = -1;
    for (let index = 0; index < taken; index++) {
      const point = chosen[index] ?? 0;
      if (point !== last) kept[count++] = point;
      last = point;
    }
    low = high;
  }
  return kept.subarray(0, count);
}

function allOf(from: number, to: number): Uint32Array {
  const points = new Uint32Array(to - from);
  for (let index = 0; index < points.length; index++) points[index] = from + index;
  return points;
}

/** Writes the points worth drawing of [low, high) into `chosen`, ascending, and returns how many. */
function chooseIn(edges: readonly Float64Array[], low: number, high: number, chosen: Uint32Array): number {
  let taken = 0;
  chosen[taken++] = low;
  if (high - low > 1) chosen[taken++] = high - 1;
  if (high - low <= 2) return taken;
  for (const edge of edges) {
    let least = Infinity;
    let greatest = -Infinity;
    let leastAt = low;
    let greatestAt = low;
    let gapAt = low;
    for (let point = high - 1; point >= low; point--) {
      const value = edge[point] as number;
      if (value < least) {
        least = value;
        leastAt = point;
      }
      if (value > greatest) {
        greatest = value;
        greatestAt = point;
      }
      if (Number.isNaN(value)) gapAt = point;
    }
    chosen[taken++] = leastAt;
    chosen[taken++] = greatestAt;
    chosen[taken++] = gapAt;
  }
  chosen.subarray(0, taken).sort();
  return taken;
}

const nearShare = 0.25;

/** The smallest and largest value; [Infinity, -Infinity] where there is none. */
function extremesOf(values: Float64Array, from: number, to: number): readonly [least: number, greatest: number] {
  let least = Infinity;
  let greatest = -Infinity;
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}

/** The value axes of a window: they follow what is seen in it. Values outside a fixed axis widen it. */
export function axesIn(plot: Plot, window: TimeRange, mostTicks: number): ValueAxis[] {
  const { from, to } = pointsIn(plot.timeline.x, window);
  const layers = visibleLayers(plot);
  return plot.axes.map(({ fixed, zero }, index) => {
    const edges = layers.filter(({ axis }) => axis === index).flatMap(layer => layer.edges);
    const ends = edges.map(edge => extremesOf(edge, from, to));
    const least = Math.min(...ends.map(([low]) => low), fixed?.[0] ?? Infinity);
    const greatest = Math.max(...ends.map(([, high]) => high), fixed?.[1] ?? -Infinity);
    const inside = fixed && least >= fixed[0] && greatest <= fixed[1];
    // Values that come near zero are read against it.
    const nearZero = least >= 0 && least < greatest * nearShare;
    return inside ? fixedAxis(fixed[0], fixed[1], mostTicks) : valueAxis(least, greatest, mostTicks, zero || nearZero);
  });
}
