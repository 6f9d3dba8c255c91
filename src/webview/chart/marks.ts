import type { TimeRange } from './chartModel.ts';
import { drawnPoints } from './decimate.ts';
import { traceArea, traceBars, traceLine, traceLonely } from './geometry.ts';
import type { Points } from './geometry.ts';
import { incompleteShapes } from './incompleteMarks.ts';
import type { Palette } from './palette.ts';
import { dashOf, visibleLayers } from './plot.ts';
import type { Layer, LayerStyle, Plot } from './plot.ts';
import { boxTrace, crossHatch, lineTrace } from './scene.ts';
import type { Box, Fill, Shape } from './scene.ts';
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
    const hold = plot.stepped || layer.kind === 'bars' ? step : undefined;
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
