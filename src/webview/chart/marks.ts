import type { TimeRange } from './chartModel.ts';
import { drawnPoints } from './decimate.ts';
import type { Palette } from './palette.ts';
import { dashOf, visibleLayers, type Layer, type LayerStyle, type Plot } from './plot.ts';
import { boxTrace, crossHatch, lineTrace, type Box, type Fill, type Shape, type Sink, type Stroke } from './scene.ts';
import type { ValueAxis } from './valueAxis.ts';

const areaOpacity = 0.85;
/** Shades of neighbouring bands are told apart, and lines over them seen. */
export const bandOpacity = 0.25;
const barShare = 0.8;
const lonelyRadius = 1.5;

/** Where the plot's window and axes lie on the picture. */
export interface PlotFrame {
  readonly box: Box;
  readonly window: TimeRange;
  readonly axes: readonly ValueAxis[];
}

export function colourOf({ colour }: LayerStyle, palette: Palette): string {
  if (colour === 'foreground') return palette.foreground;
  if (colour === 'hatched') return palette.muted;
  return palette.series[colour % palette.series.length] ?? palette.foreground;
}

/** How an area is filled, in the plot and in a legend: hatched on the background, or in its colour, with a pattern where that does not tell it. */
export function areaFill(style: LayerStyle, palette: Palette): Fill {
  const { background, muted, patterns } = palette;
  if (typeof style.colour !== 'number')
    return { colour: background, opacity: 1, hatch: { index: crossHatch, colour: muted } };
  const index = patterns[style.colour % patterns.length] ?? 0;
  return { colour: colourOf(style, palette), opacity: areaOpacity, hatch: { index, colour: background } };
}

export function scaleX({ box, window }: PlotFrame): (instant: number) => number {
  const scale = box.width / (window.end - window.start);
  return instant => box.x + (instant - window.start) * scale;
}

export function scaleY({ box, axes }: PlotFrame, axis: number): (value: number) => number {
  const { min, max } = axes[axis] ?? { min: 0, max: 1 };
  const scale = box.height / (max - min);
  return value => box.y + box.height - (value - min) * scale;
}

/** What lies under grid and lines: the shades of the bands, which their limits and names tell apart as well. */
export function bandShapes(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const { box } = place;
  const toY = scaleY(place, 0);
  if (palette.highContrast) return [];
  return plot.bands.map(({ from, to }, index): Shape => {
    const colour = palette.bands[index] ?? palette.foreground;
    const area = boxTrace({ ...box, y: toY(to), height: toY(from) - toY(to) });
    return { kind: 'path', trace: area, fill: { colour, opacity: bandOpacity } };
  });
}

/** The upper limits of the bands, over the grid. */
function bandLimits(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const { x, width } = place.box;
  const toY = scaleY(place, 0);
  return plot.bands.map(({ to }, index): Shape => {
    const colour = palette.bands[index] ?? palette.foreground;
    const stroke = { colour, width: palette.highContrast ? 2 : 1.5, dash: [6, 4] };
    return { kind: 'path', trace: lineTrace(x, toY(to), x + width, toY(to)), stroke };
  });
}

/** The names of the bands, over the lines. */
export function bandNames(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const toY = scaleY(place, 0);
  const look = { colour: palette.foreground, size: 11, anchor: 'start', halo: palette.background } as const;
  return plot.bands.map(({ name, from, to }): Shape => {
    const y = toY(to) + Math.min(11, (toY(from) - toY(to)) / 2);
    return { kind: 'text', text: name, at: { x: place.box.x + 6, y }, look };
  });
}

/** The layers of a plot in a window, clipped to it. */
export function layerShapes(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const { x, step } = plot.timeline;
  const layers = visibleLayers(plot);
  const toX = scaleX(place);
  const columns = place.box.width * 2;
  const areas = layers.filter(({ kind }) => kind === 'area');
  // One choice of points for all areas, or their edges would not meet.
  const areaEdges = areas.flatMap(({ edges }) => edges);
  const shared = areas.length > 0 ? drawnPoints(x, areaEdges, place.window, columns) : undefined;
  const drawn = (layer: Layer): Shape[] => {
    const at = (layer.kind === 'area' && shared) || drawnPoints(x, layer.edges, place.window, columns);
    const hold = plot.stepped ? step : undefined;
    return shapesOf(layer, { at, x, toX, toY: scaleY(place, layer.axis), hold }, palette, place.box.width);
  };
  const others = layers.filter(({ kind }) => kind !== 'area');
  const shapes = [
    ...areas.flatMap(drawn),
    ...incompleteShapes(plot, { box: place.box, toX }, palette),
    ...others.flatMap(drawn),
  ];
  const zero = plot.axes[0]?.zero && !plot.axes[0].fixed ? [zeroLine(place, palette)] : [];
  return [{ kind: 'clip', box: place.box, shapes: [...bandLimits(plot, place, palette), ...shapes, ...zero] }];
}

/** `room`: CSS pixels across. */
function shapesOf(layer: Layer, points: Points, palette: Palette, room: number): Shape[] {
  const colour = colourOf(layer.style, palette);
  const { width } = layer.style;
  const { values } = layer;
  switch (layer.kind) {
    case 'line': {
      // Where points stand closer than pixels, dashes and width say nothing, and cost most of the time.
      const isDense = points.at.length > 1.5 * room;
      const look = isDense ? { width: 1, dash: [] } : { width, dash: dashOf(layer.style) };
      const trace: Shape = {
        kind: 'path',
        trace: sink => traceLine(sink, points, values),
        stroke: { colour, ...look },
      };
      const casing = { ...trace, stroke: { colour: palette.background, width: width + 2.5, dash: [] } };
      const lonely: Shape = {
        kind: 'path',
        trace: sink => traceLonely(sink, points, values, lonelyRadius),
        fill: { colour, opacity: 1 },
      };
      // The line over the areas stands clear of them.
      return layer.style.colour === 'foreground' && !isDense ? [casing, trace, lonely] : [trace, lonely];
    }
    case 'area': {
      // Between points closer than pixels the lines that part the areas would cover them.
      const isDense = points.at.length > 1.5 * room;
      const [lower, upper, lowerBelow, upperBelow] = layer.edges;
      return [
        {
          kind: 'path',
          trace: sink => {
            if (lower && upper) traceArea(sink, points, lower, upper);
            if (lowerBelow && upperBelow) traceArea(sink, points, lowerBelow, upperBelow);
          },
          fill: areaFill(layer.style, palette),
          ...(!isDense && { stroke: { colour: palette.background, width: 0.75, dash: [] } }),
        },
      ];
    }
    case 'bars':
      return [
        {
          kind: 'path',
          trace: sink => traceBars(sink, points, values, barShare, 1),
          fill: { colour, opacity: 1 },
        },
      ];
  }
}

function zeroLine(place: PlotFrame, palette: Palette): Shape {
  const y = scaleY(place, 0)(0);
  const { x, width } = place.box;
  return { kind: 'path', trace: lineTrace(x, y, x + width, y), stroke: { colour: palette.muted, width: 1, dash: [] } };
}

/** Points to draw, and where they lie on the picture. */
export interface Points {
  /** Which points, ascending. */
  readonly at: Uint32Array;
  readonly x: Float64Array;
  readonly toX: (instant: number) => number;
  readonly toY: (value: number) => number;
  /** Values hold until the next point; the last one for this long, in milliseconds. Undefined: straight lines. */
  readonly hold: number | undefined;
}

/** A line through the values, open where one is missing. */
export function traceLine(sink: Sink, points: Points, values: Float64Array): void {
  const { at, x, toX, toY, hold } = points;
  let isOpen = false;
  let lastX = 0;
  let lastY = 0;
  for (const point of at) {
    const value = values[point] as number;
    const instant = x[point] as number;
    const px = toX(instant);
    if (isOpen && hold !== undefined) sink.lineTo(px, lastY);
    if (Number.isNaN(value)) {
      isOpen = false;
      continue;
    }
    const py = toY(value);
    if (isOpen) sink.lineTo(px, py);
    else sink.moveTo(px, py);
    isOpen = true;
    lastX = instant;
    lastY = py;
  }
  if (isOpen && hold !== undefined) sink.lineTo(toX(lastX + hold), lastY);
}

/** Small squares where a value has none beside it: a line of one point would not be seen. */
export function traceLonely(sink: Sink, points: Points, values: Float64Array, radius: number): void {
  const { at, x, toX, toY, hold } = points;
  if (hold !== undefined) return;
  let here = false;
  let next = at.length > 0 && !Number.isNaN(values[at[0] as number]);
  for (let index = 0; index < at.length; index++) {
    const before = here;
    here = next;
    next = index + 1 < at.length && !Number.isNaN(values[at[index + 1] as number]);
    if (!here || before || next) continue;
    const point = at[index] ?? 0;
    const px = toX(x[point] ?? 0);
    const py = toY(values[point] ?? 0);
    sink.moveTo(px - radius, py - radius);
    sink.lineTo(px + radius, py - radius);
    sink.lineTo(px + radius, py + radius);
    sink.lineTo(px - radius, py + radius);
    sink.closePath();
  }
}

/** The area between two edges, in one piece for each run of points without a gap. */
export function traceArea(sink: Sink, points: Points, lower: Float64Array, upper: Float64Array): void {
  const { at } = points;
  let from = 0;
  for (let index = 0; index <= at.length; index++) {
    const isGap = index === at.length || Number.isNaN(upper[at[index] ?? 0]);
    if (!isGap) continue;
    if (index > from) tracePiece(sink, points, lower, upper, from, index);
    from = index + 1;
  }
}

/** Bars from zero to each value, as wide as `share` of their interval and never thinner than `least` pixels. */
export function traceBars(sink: Sink, points: Points, values: Float64Array, share: number, least: number): void {
  const { at, x, toX, toY, hold = 0 } = points;
  const base = toY(0);
  for (const point of at) {
    const value = values[point] ?? NaN;
    if (Number.isNaN(value)) continue;
    const left = toX(x[point] ?? 0);
    const room = toX((x[point] ?? 0) + hold) - left;
    const width = Math.max(least, room * share);
    const start = left + Math.max(0, (room - width) / 2);
    const end = toY(value);
    sink.moveTo(start, base);
    sink.lineTo(start + width, base);
    sink.lineTo(start + width, end);
    sink.lineTo(start, end);
    sink.closePath();
  }
}

/** Points [from, to) of the list: along the upper edge and back along the lower one. */
function tracePiece(
  sink: Sink,
  { at, x, toX, toY, hold }: Points,
  lower: Float64Array,
  upper: Float64Array,
  from: number,
  to: number,
): void {
  const xOf = (index: number): number => x[at[index] ?? 0] ?? 0;
  const yOf = (edge: Float64Array, index: number): number => toY(edge[at[index] ?? 0] ?? 0);
  const endOf = (index: number): number => {
    const next = index + 1 < at.length ? xOf(index + 1) : Infinity;
    return toX(Math.min(next, xOf(index) + (hold ?? 0)));
  };
  // A piece of one point has no width of its own.
  const nudge = hold === undefined && to - from === 1 ? 1 : 0;
  sink.moveTo(toX(xOf(from)) - nudge, yOf(upper, from));
  for (let index = from; index < to; index++) {
    sink.lineTo(toX(xOf(index)) + nudge, yOf(upper, index));
    if (hold !== undefined) sink.lineTo(endOf(index), yOf(upper, index));
  }
  for (let index = to - 1; index >= from; index--) {
    if (hold !== undefined) sink.lineTo(endOf(index), yOf(lower, index));
    sink.lineTo(toX(xOf(index)) + nudge, yOf(lower, index));
  }
  if (nudge) sink.lineTo(toX(xOf(from)) - nudge, yOf(lower, from));
  sink.closePath();
}

const fade = 0.6;
const stripes = 1;
/** CSS pixels: one hour of many years must still be seen. */
const leastWidth = 2;

/** Where the plot lies, and where an instant does in it. */
interface MarkPlace {
  readonly box: Box;
  readonly toX: (instant: number) => number;
}

/** How an incomplete stretch looks, in the plot and in a legend: faded, striped and outlined. */
export function incompleteLook(palette: Palette): { readonly fill: Fill; readonly stroke: Stroke } {
  const hatch = { index: stripes, colour: palette.foreground };
  return {
    fill: { colour: palette.background, opacity: fade, hatch },
    stroke: { colour: palette.foreground, width: 1, dash: [] },
  };
}

/**
 * Columns over everything that is drawn from an incomplete point: between points the areas are straight, so what is
 * too low at one point is too low up to its neighbours. Columns that touch are one.
 */
export function incompleteShapes(plot: Plot, { box, toX }: MarkPlace, palette: Palette): Shape[] {
  const columns = columnsIn(plot, box, toX);
  if (columns.length === 0) return [];
  const trace = (sink: Sink): void => columns.forEach(column => boxTrace(column)(sink));
  return [{ kind: 'path', trace, ...incompleteLook(palette) }];
}

function columnsIn({ incomplete, timeline, stepped }: Plot, box: Box, toX: MarkPlace['toX']): Box[] {
  const { x, step = 0 } = timeline;
  const columns: { left: number; right: number }[] = [];
  for (const point of incomplete) {
    const at = x[point] ?? 0;
    const next = Math.min(at + step, x[point + 1] ?? (stepped ? Infinity : at));
    const previous = stepped ? at : Math.max(at - step, x[point - 1] ?? at);
    const [left, right] = [toX(previous), toX(next)];
    const last = columns.at(-1);
    if (last && left <= last.right + 1) last.right = Math.max(right, last.right);
    else columns.push({ left, right });
  }
  return columns
    .map(({ left, right }) => {
      const more = Math.max(0, leastWidth - (right - left)) / 2;
      return { x: left - more, y: box.y, width: right - left + 2 * more, height: box.height };
    })
    .filter(({ x: left, width }) => left + width >= box.x && left <= box.x + box.width);
}
