import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { columnFigures, type PixelColumns } from './decimate.ts';
import type { Palette } from './palette.ts';
import { hoursOfDay, type Cells, type Layer, type LayerStyle } from './plot.ts';
import {
  boxTrace,
  boxesTrace,
  stroked,
  crossHatch,
  lineTrace,
  type Box,
  type MarkLook,
  type Shape,
  filled,
  textShape,
} from './scene.ts';
import { axisTextSize } from './timeTicks.ts';
import type { Points } from './traces.ts';
import { fixedAxis } from './valueAxis.ts';
import type { PlotWords } from './words.ts';

/**
 * Draws the cells of a heatmap: one path for each colour, and one for cells without a value. `columns` is set if each point is a pixel column.
 * `mark` is the style of the mark on cells with too few hours, which is drawn if there is room.
 */
export function cellShapes(
  { values, least, greatest, few }: Cells,
  { x, from, to, toX, toY, hold }: Points,
  columns: PixelColumns | undefined,
  { colour }: LayerStyle,
  palette: Palette,
  mark: MarkLook,
): Shape[] {
  const { scale, bands } = palette;
  // The key for a cell without a value is empty.
  const colourOf = (value: number): string => {
    if (Number.isNaN(value)) return '';
    if (colour === 'bands')
      return bands[stressBandIds.findLastIndex(id => value >= stressLimits[id])] ?? bands[0] ?? '';
    const share = greatest > least ? (value - least) / (greatest - least) : 0.5;
    return scale[Math.min(scale.length - 1, Math.floor(share * scale.length))] ?? '';
  };
  const boxes = new Map<string, (Box & { width: number })[]>();
  const marks: Box[] = [];
  for (let hour = 0; hour < hoursOfDay; hour++) {
    const ofHour = rowOfCells(values, hour);
    const fewOfHour = few && rowOfCells(few, hour);
    const marked = fewOfHour && columns ? columnFigures(fewOfHour, columns).greatest : fewOfHour;
    const row = columns ? columnFigures(ofHour, columns).mean : ofHour;
    const [top, bottom] = [Math.round(toY(hour + 1)), Math.round(toY(hour))];
    for (let point = from; point < to; point++) {
      const at = x[point] ?? 0;
      // A column of pixels reaches half a pixel to both sides of its middle.
      const left = Math.round(hold === undefined ? toX(at) - 0.5 : toX(at));
      const right = hold === undefined ? left + 1 : Math.round(toX(at + hold));
      const fill = colourOf(row[point] ?? NaN);
      if (marked?.[point] === 1 && bottom - top >= leastMarked)
        marks.push(markIn({ x: left, y: top, width: right - left, height: bottom - top }));
      const list = boxes.get(fill) ?? [];
      boxes.set(fill, list);
      const before = list.at(-1);
      // Neighbours of one colour share a box, since a path of many boxes is slow to build.
      if (before?.y === top && before.x + before.width === left) before.width = right - before.x;
      else list.push({ x: left, y: top, width: right - left, height: bottom - top });
    }
  }
  const gap = { colour: palette.background, opacity: 1, hatch: { index: crossHatch, colour: palette.muted } };
  const cells = [...boxes].map(([fill, all]): Shape => {
    return { kind: 'path', trace: boxesTrace(all), fill: fill === '' ? gap : { colour: fill, opacity: 1 } };
  });
  if (marks.length === 0) return cells;
  return [...cells, { kind: 'path', trace: boxesTrace(marks), ...mark }];
}

/** CSS pixels. The cells in the strip under the chart are lower and get no marks. */
const leastMarked = 5;
/** CSS pixels. */
const markWidth = 10;
const markHeight = 6;

/** Places the mark in the lower corner of a cell, so that the cell's colour stays visible. */
function markIn({ x, y, width, height }: Box): Box {
  const high = Math.min(markHeight, Math.round(height / 2));
  return { x, y: y + height - high, width: Math.min(markWidth, width), height: high };
}

/** Returns the cells of one hour of the day, one per point. */
export function rowOfCells(cells: Float64Array | Uint8Array, hour: number): Float64Array {
  return Float64Array.from(
    { length: cells.length / hoursOfDay },
    (_, place) => cells[place * hoursOfDay + hour] ?? NaN,
  );
}

const scaleLabels = 44;

/**
 * Draws the colour scale above the right end of a plot, from minimum to maximum, with round values and the unit. The scale of the stress bands is
 * from 0 to 1, with their limits.
 */
export function scaleShapes(
  { least, greatest }: Cells,
  { unit, decimals: ofValues, style }: Pick<Layer, 'unit' | 'decimals' | 'style'>,
  plot: Box,
  palette: Palette,
  words: Pick<PlotWords, 'tick'>,
): Shape[] {
  if (!Number.isFinite(least)) return [];
  const isBanded = style.colour === 'bands';
  const width = Math.min(280, plot.width / 2);
  const bar = { x: plot.x + plot.width - width - 10, y: plot.y - 8, width, height: 6 };
  const [from, to] = isBanded ? [0, 1] : [least, greatest];
  const limits = stressBandIds.map(id => stressLimits[id]);
  const { ticks, decimals } = isBanded
    ? { ticks: [...limits, 1], decimals: 1 }
    : to > from
      ? fixedAxis(from, to, Math.max(1, width / scaleLabels))
      : { ticks: [from], decimals: ofValues };
  const toX = (value: number): number => bar.x + (to > from ? (value - from) / (to - from) : 0.5) * width;
  const { bands, scale } = palette;
  const fills = isBanded ? bands : scale;
  const startOf = (step: number): number =>
    Math.round(isBanded ? toX(limits[step] ?? to) : bar.x + (step / fills.length) * width);
  const look = { colour: palette.muted, size: axisTextSize } as const;
  return [
    ...fills.map((fill, step) => {
      const x = startOf(step);
      return filled(boxTrace({ ...bar, x, width: startOf(step + 1) - x }), fill);
    }),
    stroked(sink => {
      boxTrace(bar)(sink);
      for (const tick of ticks) lineTrace(toX(tick), bar.y - 3, toX(tick), bar.y)(sink);
    }, palette.muted),
    ...ticks.map(tick => textShape(words.tick(tick, decimals), toX(tick), bar.y - 9, { ...look, anchor: 'middle' })),
    textShape(unit, bar.x - 6, bar.y + 2, { ...look, anchor: 'end' }),
  ];
}
