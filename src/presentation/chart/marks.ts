import type { TimeRange } from './chartModel.ts';
import { cellShapes } from './cellShapes.ts';
import { columnFigures, pixelColumns, pointsIn, type PixelColumns } from './decimate.ts';
import type { Palette } from './palette.ts';
import { dashOf, visibleLayers, type Layer, type LayerStyle, type Plot } from './plot.ts';
import {
  boxTrace,
  boxesTrace,
  stroked,
  crossHatch,
  hatchTile,
  lineTrace,
  type Box,
  type Fill,
  type MarkLook,
  type Shape,
  type Trace,
  filled,
  textShape,
} from './scene.ts';
import { traceArea, traceBars, traceLine, traceLonely, type Points } from './traces.ts';
import type { ValueAxis } from './valueAxis.ts';

/** Neighbouring bands are distinguishable, and lines over them visible. */
export const bandOpacity = 0.25;
/** The opacity of the range from minimum to maximum, behind the mean. */
const rangeOpacity = 0.3;
/** The maximum number of lines with shaded ranges; more would cover each other. */
const mostRanges = 3;
const barShare = 0.8;
const paleOpacity = 0.35;
/** CSS pixels. */
const dotSize = 3;
/** More than the number of pixel rows in a plot. */
const pixelRow = 1 << 16;
/** The opacity of a scatter's pixel by the minimum number of points on it. */
const dotOpacities = [
  { from: 1, opacity: 0.45 },
  { from: 2, opacity: 0.7 },
  { from: 5, opacity: 1 },
];

/** The geometry of a plot: its box in the picture, its window and its value axes. */
export interface PlotFrame {
  readonly box: Box;
  readonly window: TimeRange;
  readonly axes: readonly ValueAxis[];
}

export function colourOf({ colour }: LayerStyle, palette: Palette): string {
  if (colour === 'foreground') return palette.foreground;
  if (typeof colour !== 'number') return palette.muted;
  return palette.series[colour % palette.series.length] ?? palette.foreground;
}

/** The fill of an area in the plot and the legend: hatched, or in its colour, with a pattern if the colour alone is ambiguous. */
export function areaFill(style: LayerStyle, palette: Palette): Fill {
  const { background, muted, patterns } = palette;
  if (typeof style.colour !== 'number')
    return { colour: background, opacity: 1, hatch: { index: crossHatch, colour: muted } };
  const index = patterns[style.colour % patterns.length] ?? 0;
  return { colour: colourOf(style, palette), opacity: 1, hatch: { index, colour: background } };
}

export function scaleX({ box, window }: PlotFrame): (instant: number) => number {
  const scale = box.width / (window.end - window.start);
  return instant => box.x + (instant - window.start) * scale;
}

export function scaleY({ box, axes }: PlotFrame, axis: number): (value: number) => number {
  const { min, max, isLog = false } = axes[axis] ?? { min: 0, max: 1 };
  const place = isLog ? Math.log10 : (value: number) => value;
  const [from, scale] = [place(min), box.height / (place(max) - place(min))];
  return value => box.y + box.height - (place(value) - from) * scale;
}

/** Draws the shades of the bands under the grid. High contrast has none; the limits and names of the bands suffice. */
export function bandShapes(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const { box } = place;
  const toY = scaleY(place, 0);
  if (palette.highContrast) return [];
  return plot.bands.map(({ from, to }, index) => {
    const area = boxTrace({ ...box, y: toY(to), height: toY(from) - toY(to) });
    return filled(area, palette.bands[index] ?? palette.foreground, bandOpacity);
  });
}

/** Draws the upper limits of the bands over the grid. */
function bandLimits(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const { x, width } = place.box;
  const toY = scaleY(place, 0);
  return plot.bands.map(({ to }, index) => {
    const limit = lineTrace(x, toY(to), x + width, toY(to));
    return stroked(limit, palette.bands[index] ?? palette.foreground, palette.highContrast ? 2 : 1.5, [6, 4]);
  });
}

/** Draws the limit line with its label, over everything else. */
export function limitShapes({ limit }: Plot, place: PlotFrame, text: string | undefined, palette: Palette): Shape[] {
  if (limit === undefined) return [];
  const { box } = place;
  const y = scaleY(place, 0)(limit);
  const line = stroked(lineTrace(box.x, y, box.x + box.width, y), palette.foreground, 1.5, [6, 4]);
  const look = { colour: palette.foreground, size: 11, anchor: 'end', halo: palette.background } as const;
  // The label is above the line, or below it near the upper edge.
  const above = y - box.y < 16 ? 9 : -9;
  return [{ kind: 'clip', box, shapes: [line] }, textShape(text ?? '', box.x + box.width - 6, y + above, look)];
}

/** Draws the names of the bands over the lines. */
export function bandNames(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const toY = scaleY(place, 0);
  const look = { colour: palette.foreground, size: 11, anchor: 'start', halo: palette.background } as const;
  return plot.bands.map(({ name, from, to }) =>
    textShape(name, place.box.x + 6, toY(to) + Math.min(11, (toY(from) - toY(to)) / 2), look),
  );
}

/** Draws the layers of a plot in a window, clipped to its box. */
export function layerShapes(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const { x, rows, step } = plot.timeline;
  const layers = visibleLayers(plot);
  const toX = scaleX(place);
  // The dots of a scatter have no order from left to right, so they are not grouped.
  const isScatter = layers.some(({ kind }) => kind === 'dots');
  const columns = isScatter ? undefined : pixelColumns(x, place.window, place.box.width, rows);
  const { from, to } = pointsIn(x, place.window);
  const points = columns
    ? { x: columns.middles, from: 0, to: columns.middles.length, hold: undefined }
    : { x, from, to, hold: plot.stepped ? step : undefined };
  const crowd = { columns, cells: plot.cells, hasRanges: layers.length <= mostRanges };
  const drawn = (layer: Layer): Shape[] =>
    shapesOf(layer, { ...points, toX, toY: scaleY(place, layer.axis) }, crowd, palette);
  const areas = layers.filter(({ kind }) => kind === 'area');
  // The widest lines are drawn last, over the others, whatever their order in the legend.
  const others = layers.filter(({ kind }) => kind !== 'area').sort((a, b) => a.style.width - b.style.width);
  const shapes = [
    ...areas.flatMap(drawn),
    ...incompleteShapes(plot, { box: place.box, toX }, palette),
    ...others.flatMap(drawn),
    ...fewShapes(plot, { box: place.box, toX }, palette),
  ];
  const { box } = place;
  const y = scaleY(place, 0)(0);
  const zero = stroked(lineTrace(box.x, y, box.x + box.width, y), palette.muted);
  const hasZero = plot.axes[0]?.zero === true && !plot.axes[0].fixed;
  return [{ kind: 'clip', box, shapes: [...bandLimits(plot, place, palette), ...shapes, ...(hasZero ? [zero] : [])] }];
}

/** The drawing options that all layers of a plot share. */
interface Crowd {
  /** Set if the points are grouped by pixel column. */
  readonly columns: PixelColumns | undefined;
  readonly cells: Plot['cells'];
  /** Whether the ranges of lines are shaded. */
  readonly hasRanges: boolean;
}

function shapesOf(layer: Layer, points: Points, { columns, cells, hasRanges }: Crowd, palette: Palette): Shape[] {
  const colour = colourOf(layer.style, palette);
  const { width } = layer.style;
  switch (layer.kind) {
    case 'line': {
      const shaded = (lower: Float64Array, upper: Float64Array): Shape =>
        filled(sink => traceArea(sink, points, lower, upper), colour, rangeOpacity);
      const lonely = (values: Float64Array): Shape => filled(sink => traceLonely(sink, points, values), colour);
      if (columns) {
        const { mean, least, greatest } = columnFigures(layer.values, columns);
        const [, other] = layer.edges;
        const band = layer.isLimit
          ? other && shaded(mean, columnFigures(other, columns).mean)
          : hasRanges && shaded(least, greatest);
        return [...(band ? [band] : []), stroked(sink => traceLine(sink, points, mean), colour), lonely(mean)];
      }
      const { values, edges } = layer;
      const trace: Trace = sink => traceLine(sink, points, values);
      const line = [stroked(trace, colour, width, dashOf(layer.style)), lonely(values)];
      // An outline separates the main line from the areas under it.
      if (layer.style.colour === 'foreground') return [stroked(trace, palette.background, width + 2.5), ...line];
      return [...(edges[1] ? [shaded(values, edges[1])] : []), ...line];
    }
    case 'area': {
      const edges = columns ? layer.edges.map(edge => columnFigures(edge, columns).mean) : layer.edges;
      const [lower, upper, lowerBelow, upperBelow] = edges;
      const look = areaFill(layer.style, palette);
      const bar = points.hold !== undefined && slotOf(points) >= leastColumn ? layer.bar : undefined;
      const thickest = Math.max(thicknessOf(points, lower, upper), thicknessOf(points, lowerBelow, upperBelow));
      return [
        {
          kind: 'path',
          trace: sink => {
            const trace = (from: Float64Array, to: Float64Array): void =>
              bar ? traceBars(sink, points, from, to, barShare, bar) : traceArea(sink, points, from, to);
            if (lower && upper) trace(lower, upper);
            if (lowerBelow && upperBelow) trace(lowerBelow, upperBelow);
          },
          // A pattern is invisible in less than one tile.
          fill: thickest < hatchTile ? withoutPattern(look) : look,
          // Outlines between areas would cover narrow bars, and areas whose points are closer than pixels.
          ...(!columns && (bar || !layer.bar) && { stroke: { colour: palette.background, width: 0.75, dash: [] } }),
        },
      ];
    }
    case 'dots':
      return dotShapes(layer.values, points, colour);
    case 'cells':
      return cells ? cellShapes(cells, points, columns, layer.style, palette, fewLook(palette)) : [];
    case 'bars': {
      const { least, greatest } = columns
        ? columnFigures(layer.values, columns)
        : { least: layer.values, greatest: layer.values };
      const share = columns ? 1 : barShare;
      const trace: Trace = sink =>
        traceBars(
          sink,
          points,
          least.map(value => Math.min(0, value)),
          greatest.map(value => Math.max(0, value)),
          share,
          layer.bar,
        );
      if (!layer.style.isPale) return [filled(trace, colour)];
      const hasOutline = !columns && slotOf(points) / (layer.bar?.of ?? 1) >= leastColumn;
      return [hasOutline ? paleBox(trace, colour) : filled(trace, colour, paleOpacity)];
    }
  }
}

/** Returns the width of an interval in CSS pixels. */
function slotOf({ toX, hold = 0 }: Points): number {
  return toX(hold) - toX(0);
}

/** Draws a pale box for a compared period, outlined so that it is visible in high contrast, too. */
export function paleBox(trace: Trace, colour: string): Shape {
  return { kind: 'path', trace, fill: { colour, opacity: paleOpacity }, stroke: { colour, width: 1, dash: [] } };
}

/** Draws a dot for each point, more opaque where several fall on one pixel. */
function dotShapes(values: Float64Array, { x, from, to, toX, toY }: Points, colour: string): Shape[] {
  const counts = new Map<number, number>();
  for (let point = from; point < to; point++) {
    const pixel = Math.round(toX(x[point] as number)) * pixelRow + Math.round(toY(values[point] as number));
    counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  }
  const dots = Map.groupBy(counts, ([, count]) => dotOpacities.findLast(({ from: least }) => count >= least)?.opacity);
  return [...dots].map(([opacity = 1, pixels]) => {
    const trace: Trace = sink => {
      for (const [pixel] of pixels)
        sink.rect(Math.floor(pixel / pixelRow) - dotSize / 2, (pixel % pixelRow) - dotSize / 2, dotSize, dotSize);
    };
    return filled(trace, colour, opacity);
  });
}

function withoutPattern({ colour, opacity, hatch }: Fill): Fill {
  return hatch?.index === crossHatch ? { colour: hatch.colour, opacity: rangeOpacity } : { colour, opacity };
}

/** Returns the maximum height of an area in CSS pixels. */
function thicknessOf({ from, to, toY }: Points, lower?: Float64Array, upper?: Float64Array): number {
  let thickest = 0;
  for (let point = from; lower && upper && point < to; point++) {
    const thickness = toY(lower[point] as number) - toY(upper[point] as number);
    if (thickness > thickest) thickest = thickness;
  }
  return thickest;
}

const fade = 0.6;
const stripes = 1;
const upright = 4;
/** CSS pixels. One hour of many years must still be visible. */
const leastWidth = 2;
/** CSS pixels. Marks of narrower intervals would cover the plot, so they are drawn as a row at the top instead. */
const leastColumn = 4;
const rowOfMarks = 6;

/** The box of the plot, and the horizontal position of an instant in it. */
interface MarkPlace {
  readonly box: Box;
  readonly toX: (instant: number) => number;
}

/** The style of an incomplete interval in the plot and the legend: faded, striped and outlined. */
export function incompleteLook(palette: Palette): MarkLook {
  const hatch = { index: stripes, colour: palette.foreground };
  return {
    fill: { colour: palette.background, opacity: fade, hatch },
    stroke: { colour: palette.foreground, width: 1, dash: [] },
  };
}

/**
 * Marks the incomplete points. Areas are straight between points, so one that is too low at a point is too low up to the neighbouring points, and
 * the mark covers all of it. Adjacent marks are merged; marks of narrow intervals are a row at the top.
 */
export function incompleteShapes(plot: Plot, { box, toX }: MarkPlace, palette: Palette): Shape[] {
  const { step = 0 } = plot.timeline;
  const isRow = toX(step) - toX(0) < leastColumn;
  const place = { box: isRow ? { ...box, height: rowOfMarks } : box, toX };
  return markShapes(plot, plot.incomplete, place, incompleteLook(palette));
}

/** The style of the marks for too few hours, in the plot and the legend. */
export function fewLook({ background, foreground }: Palette): MarkLook {
  const hatch = { index: upright, colour: foreground };
  return { fill: { colour: background, opacity: 1, hatch }, stroke: { colour: foreground, width: 1, dash: [] } };
}

/** Draws a row of marks at the bottom, under the points with too few hours. */
function fewShapes(plot: Plot, { box, toX }: MarkPlace, palette: Palette): Shape[] {
  const row = { ...box, y: box.y + box.height - rowOfMarks, height: rowOfMarks };
  return markShapes(plot, plot.few.points, { box: row, toX }, fewLook(palette));
}

/** Draws marks as high as the box at points of the plot. */
function markShapes(
  { timeline, stepped }: Plot,
  points: Uint32Array,
  { box, toX }: MarkPlace,
  look: MarkLook,
): Shape[] {
  const { x, step = 0 } = timeline;
  const columns: { left: number; right: number }[] = [];
  for (const point of points) {
    const at = x[point] ?? 0;
    const next = Math.min(at + step, x[point + 1] ?? (stepped ? Infinity : at));
    const previous = stepped ? at : Math.max(at - step, x[point - 1] ?? at);
    const [left, right] = [toX(previous), toX(next)];
    const last = columns.at(-1);
    if (last && left <= last.right + 1) last.right = Math.max(right, last.right);
    else columns.push({ left, right });
  }
  const inBox = columns
    .map(({ left, right }) => {
      const more = Math.max(0, leastWidth - (right - left)) / 2;
      return { ...box, x: left - more, width: right - left + 2 * more };
    })
    .filter(({ x: left, width }) => left + width >= box.x && left <= box.x + box.width);
  if (inBox.length === 0) return [];
  return [{ kind: 'path', trace: boxesTrace(inBox), ...look }];
}
