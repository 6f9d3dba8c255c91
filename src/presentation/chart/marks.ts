import type { TimeWindow } from './chartModel.ts';
import { createCellShapes } from './cellShapes.ts';
import { computeColumnFigures, groupByPixelColumn, findPointsAround, type PixelColumns } from './decimate.ts';
import type { Palette } from './palette.ts';
import { getDash, listVisibleLayers, type Layer, type LayerStyle, type Plot } from './plot.ts';
import {
  boxTrace,
  boxesTrace,
  createStrokedPath,
  crossHatch,
  hatchTile,
  lineTrace,
  type Box,
  type Fill,
  type MarkStyle,
  type Shape,
  type Trace,
  createFilledPath,
  createText,
} from './scene.ts';
import { traceArea, traceBars, traceLine, traceIsolated, type Points } from './traces.ts';
import type { ValueAxis } from './valueAxis.ts';

/** The opacity of bands: neighbors are distinguishable, and lines over them visible. */
export const bandOpacity = 0.25;
/** The opacity of the range from minimum to maximum, behind the mean. */
const rangeOpacity = 0.3;
/** The maximum number of lines with shaded ranges; more would cover each other. */
const maxShadedRanges = 3;
const barWidthShare = 0.8;
const paleOpacity = 0.35;
/** The width and height of a dot of a scatter, in CSS pixels. */
const dotSize = 3;
/** More than the number of pixel rows in a plot, so that row and column fit into one number. */
const pixelRowStride = 1 << 16;
/** The opacity of a scatter's pixel by the minimum number of points on it. */
const dotOpacities = [
  { from: 1, opacity: 0.45 },
  { from: 2, opacity: 0.7 },
  { from: 5, opacity: 1 },
];

/** The geometry of a plot: its box in the picture, its window and its value axes. */
export interface PlotFrame {
  readonly box: Box;
  readonly window: TimeWindow;
  readonly axes: readonly ValueAxis[];
}

export function getLayerColor({ color }: LayerStyle, palette: Palette): string {
  if (color === 'foreground') return palette.foreground;
  if (typeof color !== 'number') return palette.muted;
  return palette.series[color % palette.series.length] ?? palette.foreground;
}

/** The fill of an area in the plot and the legend: hatched, or in its color, with a pattern if the color alone is ambiguous. */
export function createAreaFill(style: LayerStyle, palette: Palette): Fill {
  const { background, muted, patterns } = palette;
  if (typeof style.color !== 'number')
    return { color: background, opacity: 1, hatch: { index: crossHatch, color: muted } };
  const index = patterns[style.color % patterns.length] ?? 0;
  return { color: getLayerColor(style, palette), opacity: 1, hatch: { index, color: background } };
}

export function scaleX({ box, window }: PlotFrame): (instant: number) => number {
  const scale = box.width / (window.end - window.start);
  return instant => box.x + (instant - window.start) * scale;
}

export function scaleY({ box, axes }: PlotFrame, axis: number): (value: number) => number {
  const { min, max, isLog = false } = axes[axis] ?? { min: 0, max: 1 };
  const transform = isLog ? Math.log10 : (value: number) => value;
  const from = transform(min);
  const scale = box.height / (transform(max) - transform(min));
  return value => box.y + box.height - (transform(value) - from) * scale;
}

/** Draws the shades of the bands under the grid. High contrast does not have shades, because the limits and names of the bands suffice. */
export function createBandShapes(plot: Plot, frame: PlotFrame, palette: Palette): Shape[] {
  const { box } = frame;
  const toY = scaleY(frame, 0);
  if (palette.highContrast) return [];
  return plot.bands.map(({ from, to }, index) => {
    const area = boxTrace({ ...box, y: toY(to), height: toY(from) - toY(to) });
    return createFilledPath(area, palette.bands[index] ?? palette.foreground, bandOpacity);
  });
}

/** Draws the upper limits of the bands over the grid. */
function createBandLimits(plot: Plot, frame: PlotFrame, palette: Palette): Shape[] {
  const { x, width } = frame.box;
  const toY = scaleY(frame, 0);
  return plot.bands.map(({ to }, index) => {
    const limit = lineTrace(x, toY(to), x + width, toY(to));
    return createStrokedPath(limit, palette.bands[index] ?? palette.foreground, palette.highContrast ? 2 : 1.5, [6, 4]);
  });
}

/** Draws the limit line with its label, over everything else. */
export function createLimitShapes(
  { limit }: Plot,
  frame: PlotFrame,
  text: string | undefined,
  palette: Palette,
): Shape[] {
  if (limit === undefined) return [];
  const { box } = frame;
  const y = scaleY(frame, 0)(limit);
  const line = createStrokedPath(lineTrace(box.x, y, box.x + box.width, y), palette.foreground, 1.5, [6, 4]);
  const style = { color: palette.foreground, size: 11, anchor: 'end', halo: palette.background } as const;
  // The label is above the line, or below it near the upper edge.
  const above = y - box.y < 16 ? 9 : -9;
  return [{ kind: 'clip', box, shapes: [line] }, createText(text ?? '', box.x + box.width - 6, y + above, style)];
}

/** Draws the names of the bands over the lines. */
export function createBandNames(plot: Plot, frame: PlotFrame, palette: Palette): Shape[] {
  const toY = scaleY(frame, 0);
  const style = { color: palette.foreground, size: 11, anchor: 'start', halo: palette.background } as const;
  return plot.bands.map(({ name, from, to }) =>
    createText(name, frame.box.x + 6, toY(to) + Math.min(11, (toY(from) - toY(to)) / 2), style),
  );
}

/** Draws the layers of a plot in a window, clipped to its box. */
export function createLayerShapes(plot: Plot, frame: PlotFrame, palette: Palette): Shape[] {
  const { x, rows, intervalMs } = plot.timeline;
  const layers = listVisibleLayers(plot);
  const toX = scaleX(frame);
  // The dots of a scatter have no order from left to right, so they are not grouped.
  const isScatter = layers.some(({ kind }) => kind === 'dots');
  const columns = isScatter ? undefined : groupByPixelColumn(x, frame.window, frame.box.width, rows);
  const { from, to } = findPointsAround(x, frame.window);
  const points = columns
    ? { x: columns.middles, from: 0, to: columns.middles.length, hold: undefined }
    : { x, from, to, hold: plot.isStepped ? intervalMs : undefined };
  const drawOptions = { columns, cells: plot.cells, hasRanges: layers.length <= maxShadedRanges };
  const drawLayer = (layer: Layer): Shape[] =>
    createShapesOfLayer(layer, { ...points, toX, toY: scaleY(frame, layer.axis) }, drawOptions, palette);
  const areas = layers.filter(({ kind }) => kind === 'area');
  // The widest lines are drawn last, over all other lines, regardless of their order in the legend.
  const otherLayers = layers.filter(({ kind }) => kind !== 'area').sort((a, b) => a.style.width - b.style.width);
  const shapes = [
    ...areas.flatMap(drawLayer),
    ...createIncompleteShapes(plot, { box: frame.box, toX }, palette),
    ...otherLayers.flatMap(drawLayer),
    ...createFewHoursShapes(plot, { box: frame.box, toX }, palette),
  ];
  const { box } = frame;
  const y = scaleY(frame, 0)(0);
  const zero = createStrokedPath(lineTrace(box.x, y, box.x + box.width, y), palette.muted);
  const hasZero = plot.axes[0]?.zero === true && !plot.axes[0].fixed;
  return [
    { kind: 'clip', box, shapes: [...createBandLimits(plot, frame, palette), ...shapes, ...(hasZero ? [zero] : [])] },
  ];
}

/** The drawing options that all layers of a plot share. */
interface LayerDrawOptions {
  /** Set if the points are grouped by pixel column. */
  readonly columns: PixelColumns | undefined;
  readonly cells: Plot['cells'];
  /** Whether the ranges of lines are shaded. */
  readonly hasRanges: boolean;
}

function createShapesOfLayer(
  layer: Layer,
  points: Points,
  { columns, cells, hasRanges }: LayerDrawOptions,
  palette: Palette,
): Shape[] {
  const color = getLayerColor(layer.style, palette);
  const { width } = layer.style;
  switch (layer.kind) {
    case 'line': {
      const createShade = (lower: Float64Array, upper: Float64Array): Shape =>
        createFilledPath(sink => traceArea(sink, points, lower, upper), color, rangeOpacity);
      const createIsolatedDots = (values: Float64Array): Shape =>
        createFilledPath(sink => traceIsolated(sink, points, values), color);
      if (columns) {
        const { mean, min, max } = computeColumnFigures(layer.values, columns);
        const [, upperEdge] = layer.edges;
        const band = layer.isLimit
          ? upperEdge && createShade(mean, computeColumnFigures(upperEdge, columns).mean)
          : hasRanges && createShade(min, max);
        return [
          ...(band ? [band] : []),
          createStrokedPath(sink => traceLine(sink, points, mean), color),
          createIsolatedDots(mean),
        ];
      }
      const { values, edges } = layer;
      const trace: Trace = sink => traceLine(sink, points, values);
      const line = [createStrokedPath(trace, color, width, getDash(layer.style)), createIsolatedDots(values)];
      // An outline separates the main line from the areas under it.
      if (layer.style.color === 'foreground')
        return [createStrokedPath(trace, palette.background, width + 2.5), ...line];
      return [...(edges[1] ? [createShade(values, edges[1])] : []), ...line];
    }
    case 'area': {
      const edges = columns ? layer.edges.map(edge => computeColumnFigures(edge, columns).mean) : layer.edges;
      const [lower, upper, lowerBelow, upperBelow] = edges;
      const fill = createAreaFill(layer.style, palette);
      const bar = points.hold !== undefined && getSlotWidth(points) >= minIntervalWidth ? layer.bar : undefined;
      const thickest = Math.max(
        computeMaxThickness(points, lower, upper),
        computeMaxThickness(points, lowerBelow, upperBelow),
      );
      return [
        {
          kind: 'path',
          trace: sink => {
            const trace = (from: Float64Array, to: Float64Array): void =>
              bar ? traceBars(sink, points, from, to, barWidthShare, bar) : traceArea(sink, points, from, to);
            if (lower && upper) trace(lower, upper);
            if (lowerBelow && upperBelow) trace(lowerBelow, upperBelow);
          },
          // A pattern is invisible in less than one tile.
          fill: thickest < hatchTile ? removePattern(fill) : fill,
          // Outlines between areas would cover narrow bars, and areas with several points in a pixel.
          ...(!columns && (bar || !layer.bar) && { stroke: { color: palette.background, width: 0.75, dash: [] } }),
        },
      ];
    }
    case 'dots':
      return createDotShapes(layer.values, points, color);
    case 'cells':
      return cells ? createCellShapes(cells, points, columns, layer.style, palette, createFewHoursStyle(palette)) : [];
    case 'bars': {
      const { min, max } = columns
        ? computeColumnFigures(layer.values, columns)
        : { min: layer.values, max: layer.values };
      const share = columns ? 1 : barWidthShare;
      const trace: Trace = sink =>
        traceBars(
          sink,
          points,
          min.map(value => Math.min(0, value)),
          max.map(value => Math.max(0, value)),
          share,
          layer.bar,
        );
      if (!layer.style.isPale) return [createFilledPath(trace, color)];
      const hasOutline = !columns && getSlotWidth(points) / (layer.bar?.count ?? 1) >= minIntervalWidth;
      return [hasOutline ? createPaleBox(trace, color) : createFilledPath(trace, color, paleOpacity)];
    }
  }
}

/** Returns the width of an interval in CSS pixels. */
function getSlotWidth({ toX, hold = 0 }: Points): number {
  return toX(hold) - toX(0);
}

/** Draws a pale box for a compared period, outlined so that it is also visible in high contrast. */
export function createPaleBox(trace: Trace, color: string): Shape {
  return { kind: 'path', trace, fill: { color, opacity: paleOpacity }, stroke: { color, width: 1, dash: [] } };
}

/** Draws a dot for each point, more opaque where several fall on one pixel. */
function createDotShapes(values: Float64Array, { x, from, to, toX, toY }: Points, color: string): Shape[] {
  const counts = new Map<number, number>();
  for (let point = from; point < to; point++) {
    const pixel = Math.round(toX(x[point] as number)) * pixelRowStride + Math.round(toY(values[point] as number));
    counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  }
  const dots = Map.groupBy(
    counts,
    ([, count]) => dotOpacities.findLast(({ from: minCount }) => count >= minCount)?.opacity,
  );
  return [...dots].map(([opacity = 1, pixels]) => {
    const trace: Trace = sink => {
      for (const [pixel] of pixels)
        sink.rect(
          Math.floor(pixel / pixelRowStride) - dotSize / 2,
          (pixel % pixelRowStride) - dotSize / 2,
          dotSize,
          dotSize,
        );
    };
    return createFilledPath(trace, color, opacity);
  });
}

function removePattern({ color, opacity, hatch }: Fill): Fill {
  return hatch?.index === crossHatch ? { color: hatch.color, opacity: rangeOpacity } : { color, opacity };
}

/** Returns the maximum height of an area in CSS pixels. */
function computeMaxThickness({ from, to, toY }: Points, lower?: Float64Array, upper?: Float64Array): number {
  let thickest = 0;
  for (let point = from; lower && upper && point < to; point++) {
    const thickness = toY(lower[point] as number) - toY(upper[point] as number);
    if (thickness > thickest) thickest = thickness;
  }
  return thickest;
}

const fadeOpacity = 0.6;
const stripesHatch = 1;
const verticalHatch = 4;
/** The minimum width of a mark in CSS pixels, so that one hour of many years is still visible. */
const minMarkWidth = 2;
/** The minimum width of an interval, in CSS pixels, for bars and tall marks. Marks of narrower intervals are a row at the top, since they would cover the plot. */
const minIntervalWidth = 4;
const markRowHeight = 6;

/** The box of the plot, and the horizontal position of an instant in it. */
interface MarkArea {
  readonly box: Box;
  readonly toX: (instant: number) => number;
}

/** The style of an incomplete interval in the plot and the legend: faded, striped and outlined. */
export function createIncompleteStyle(palette: Palette): MarkStyle {
  const hatch = { index: stripesHatch, color: palette.foreground };
  return {
    fill: { color: palette.background, opacity: fadeOpacity, hatch },
    stroke: { color: palette.foreground, width: 1, dash: [] },
  };
}

/**
 * Marks the incomplete points. Areas are straight between points, so one that is too low at a point is too low up to the neighboring points, and
 * the mark covers all of it. Adjacent marks are merged; marks of narrow intervals are a row at the top.
 */
export function createIncompleteShapes(plot: Plot, { box, toX }: MarkArea, palette: Palette): Shape[] {
  const { intervalMs = 0 } = plot.timeline;
  const isRow = toX(intervalMs) - toX(0) < minIntervalWidth;
  const markArea = { box: isRow ? { ...box, height: markRowHeight } : box, toX };
  return createMarkShapes(plot, plot.incomplete, markArea, createIncompleteStyle(palette));
}

/** The style of the marks for too few hours, in the plot and the legend. */
export function createFewHoursStyle({ background, foreground }: Palette): MarkStyle {
  const hatch = { index: verticalHatch, color: foreground };
  return { fill: { color: background, opacity: 1, hatch }, stroke: { color: foreground, width: 1, dash: [] } };
}

/** Draws a row of marks at the bottom, under the points with too few hours. */
function createFewHoursShapes(plot: Plot, { box, toX }: MarkArea, palette: Palette): Shape[] {
  const row = { ...box, y: box.y + box.height - markRowHeight, height: markRowHeight };
  return createMarkShapes(plot, plot.fewHours.points, { box: row, toX }, createFewHoursStyle(palette));
}

/** Draws marks as high as the box at points of the plot. */
function createMarkShapes(
  { timeline, isStepped }: Plot,
  points: Uint32Array,
  { box, toX }: MarkArea,
  style: MarkStyle,
): Shape[] {
  const { x, intervalMs = 0 } = timeline;
  const ranges: { left: number; right: number }[] = [];
  for (const point of points) {
    const instant = x[point] ?? 0;
    const next = Math.min(instant + intervalMs, x[point + 1] ?? (isStepped ? Infinity : instant));
    const previous = isStepped ? instant : Math.max(instant - intervalMs, x[point - 1] ?? instant);
    const left = toX(previous);
    const right = toX(next);
    const last = ranges.at(-1);
    if (last && left <= last.right + 1) last.right = Math.max(right, last.right);
    else ranges.push({ left, right });
  }
  const visibleBoxes = ranges
    .map(({ left, right }) => {
      const padding = Math.max(0, minMarkWidth - (right - left)) / 2;
      return { ...box, x: left - padding, width: right - left + 2 * padding };
    })
    .filter(({ x: left, width }) => left + width >= box.x && left <= box.x + box.width);
  if (visibleBoxes.length === 0) return [];
  return [{ kind: 'path', trace: boxesTrace(visibleBoxes), ...style }];
}
