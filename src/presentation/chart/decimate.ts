import { countBelow } from '../../core/statistics/quantile.ts';
import type { TimeWindow } from './chartModel.ts';
import { listVisibleLayers, type Plot } from './plot.ts';
import { createHourAxis, createFixedAxis, createLogAxis, createValueAxis, type ValueAxis } from './valueAxis.ts';

/** The maximum number of points per CSS pixel that are drawn one by one. If there are more, they are grouped by pixel column. */
const maxPointsPerPixel = 2;

/** Indices [from, to). */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** Finds the points in a window. */
export function findPointsInside(x: Float64Array, { start, end }: TimeWindow): IndexRange {
  const from = countBelow(x, start);
  let to = countBelow(x, end, from);
  while (to < x.length && x[to] === end) to++;
  return { from, to };
}

/** Finds the points in a window and one neighbor on each side, so that lines reach its edges. */
export function findPointsAround(x: Float64Array, window: TimeWindow): IndexRange {
  const { from, to } = findPointsInside(x, window);
  return { from: Math.max(0, from - 1), to: Math.min(x.length, to + 1) };
}

/** The points of a window grouped by pixel column: column `c` has the points [starts[c], starts[c + 1]). Empty pixel columns are omitted. */
export interface PixelColumns {
  /** The first point of each column, and the end of the last. */
  readonly starts: Uint32Array;
  /** The instant in the middle of each column. */
  readonly middles: Float64Array;
}

/**
 * Groups the points of a window by pixel column; undefined if there is room to draw them one by one. `width` is in CSS pixels.
 *
 * A pixel column with a value is drawn even if some of its values are missing, so gaps narrower than a pixel column are not visible. A gap that contains a whole
 * pixel column stays open: its null rows fill the column, and for missing rows the point that breaks the line (-1 in `rows`) becomes a column.
 */
export function groupByPixelColumn(
  x: Float64Array,
  window: TimeWindow,
  width: number,
  rows?: Int32Array,
): PixelColumns | undefined {
  const { from, to } = findPointsAround(x, window);
  const count = Math.max(1, Math.floor(width));
  if (to - from <= maxPointsPerPixel * count) return undefined;
  const perColumn = (window.end - window.start) / count;
  const starts = [from];
  const middles: number[] = [];
  // The first and the last column have the neighbors outside the window.
  for (let column = -1, low = from; column <= count && low < to; column++) {
    const limit = window.start + perColumn * (column + 1);
    const high = column === count ? to : countBelow(x, limit, low, to);
    if (high === low) {
      const isBreak = rows?.[low - 1] === -1 && low - (starts.at(-2) ?? low) > 1;
      if (!isBreak) continue;
      starts[starts.length - 1] = low - 1;
    }
    middles.push(limit - perColumn / 2);
    starts.push(high);
    low = high;
  }
  return { starts: Uint32Array.from(starts), middles: Float64Array.from(middles) };
}

/** The figures of a series in each pixel column. All three are NaN if no point of the column has a value. */
export interface ColumnFigures {
  readonly mean: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

export function computeColumnFigures(values: Float64Array, { starts, middles }: PixelColumns): ColumnFigures {
  const count = middles.length;
  const mean = new Float64Array(count);
  const min = new Float64Array(count);
  const max = new Float64Array(count);
  for (let column = 0; column < count; column++) {
    let known = 0;
    let sum = 0;
    let low = Infinity;
    let high = -Infinity;
    for (let point = starts[column] as number; point < (starts[column + 1] as number); point++) {
      const value = values[point] as number;
      if (Number.isNaN(value)) continue;
      known++;
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    mean[column] = known > 0 ? sum / known : NaN;
    min[column] = known > 0 ? low : NaN;
    max[column] = known > 0 ? high : NaN;
  }
  return { mean, min, max };
}

const nearZeroShare = 0.25;

/** Finds the minimum and maximum value. Returns [Infinity, -Infinity] if there are no values. */
export function findExtremes(values: Float64Array, from: number, to: number): readonly [min: number, max: number] {
  let min = Infinity;
  let max = -Infinity;
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}

/** Creates the value axes of a window, which fit the visible values. Values outside a fixed axis widen it. */
export function createValueAxes(plot: Plot, window: TimeWindow, maxTicks: number): ValueAxis[] {
  const { from, to } = findPointsAround(plot.timeline.x, window);
  const layers = listVisibleLayers(plot);
  return plot.axes.map(({ fixed, zero, isHourOfDay, isLog }, index) => {
    if (isHourOfDay) return createHourAxis(maxTicks);
    const edges = layers.filter(({ axis }) => axis === index).flatMap(layer => layer.edges);
    const extremes = edges.map(edge => findExtremes(edge, from, to));
    const limit = index === 0 ? plot.limit : undefined;
    const min = Math.min(...extremes.map(([low]) => low), fixed?.[0] ?? Infinity, limit ?? Infinity);
    const max = Math.max(...extremes.map(([, high]) => high), fixed?.[1] ?? -Infinity, limit ?? -Infinity);
    const isInside = fixed && min >= fixed[0] && max <= fixed[1];
    if (isLog) return createLogAxis(min, max, maxTicks);
    const isNearZero = zero === 'near' && min >= 0 && min < max * nearZeroShare;
    return isInside
      ? createFixedAxis(fixed[0], fixed[1], maxTicks)
      : createValueAxis(min, max, maxTicks, zero === true || isNearZero);
  });
}
