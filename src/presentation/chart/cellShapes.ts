import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { computeColumnFigures, type PixelColumns } from './decimate.ts';
import type { Palette } from './palette.ts';
import { hoursOfDay, type Cells, type Layer, type LayerStyle } from './plot.ts';
import {
  boxTrace,
  boxesTrace,
  createStrokedPath,
  crossHatch,
  lineTrace,
  type Box,
  type MarkStyle,
  type Shape,
  createFilledPath,
  createText,
} from './scene.ts';
import { axisTextSize } from './timeTicks.ts';
import type { Points } from './traces.ts';
import { createFixedAxis } from './valueAxis.ts';
import type { PlotFormatter } from './plotFormatter.ts';

/**
 * Creates the shapes of a heatmap: a path for each color, and a hatched path for the cells without a value. `columns` is set if the points are
 * pixel columns, each of which summarizes several cells. Cells with too few hours have a mark in the style `mark` if they are high enough.
 */
export function createCellShapes(
  { values, min, max, fewHours }: Cells,
  { x, from, to, toX, toY, hold }: Points,
  columns: PixelColumns | undefined,
  { color }: LayerStyle,
  palette: Palette,
  mark: MarkStyle,
): Shape[] {
  const { scale, bands } = palette;
  // An empty color stands for a cell without a value.
  const findColor = (value: number): string => {
    if (Number.isNaN(value)) return '';
    if (color === 'bands') return bands[stressBandIds.findLastIndex(id => value >= stressLimits[id])] ?? bands[0] ?? '';
    const share = max > min ? (value - min) / (max - min) : 0.5;
    return scale[Math.min(scale.length - 1, Math.floor(share * scale.length))] ?? '';
  };
  const boxes = new Map<string, (Box & { width: number })[]>();
  const marks: Box[] = [];
  for (let hour = 0; hour < hoursOfDay; hour++) {
    const hourValues = getCellsOfHour(values, hour);
    const hourMarks = fewHours && getCellsOfHour(fewHours, hour);
    const pointMarks = hourMarks && columns ? computeColumnFigures(hourMarks, columns).max : hourMarks;
    const pointValues = columns ? computeColumnFigures(hourValues, columns).mean : hourValues;
    const top = Math.round(toY(hour + 1));
    const bottom = Math.round(toY(hour));
    for (let point = from; point < to; point++) {
      const instant = x[point] ?? 0;
      // A pixel column extends half a pixel to both sides of its center.
      const left = Math.round(hold === undefined ? toX(instant) - 0.5 : toX(instant));
      const right = hold === undefined ? left + 1 : Math.round(toX(instant + hold));
      const fill = findColor(pointValues[point] ?? NaN);
      if (pointMarks?.[point] === 1 && bottom - top >= minMarkedHeight)
        marks.push(createMarkBox({ x: left, y: top, width: right - left, height: bottom - top }));
      const sameColorBoxes = boxes.get(fill) ?? [];
      boxes.set(fill, sameColorBoxes);
      const previousBox = sameColorBoxes.at(-1);
      // Adjacent cells of the same color share a box, because a path with many boxes is slow to draw.
      if (previousBox?.y === top && previousBox.x + previousBox.width === left)
        previousBox.width = right - previousBox.x;
      else sameColorBoxes.push({ x: left, y: top, width: right - left, height: bottom - top });
    }
  }
  const gapFill = { color: palette.background, opacity: 1, hatch: { index: crossHatch, color: palette.muted } };
  const cells = [...boxes].map(([fill, colorBoxes]): Shape => {
    return { kind: 'path', trace: boxesTrace(colorBoxes), fill: fill === '' ? gapFill : { color: fill, opacity: 1 } };
  });
  if (marks.length === 0) return cells;
  return [...cells, { kind: 'path', trace: boxesTrace(marks), ...mark }];
}

/** The minimum height of a cell with a mark, in CSS pixels. Cells in the strip below the chart are too low for marks. */
const minMarkedHeight = 5;
/** The size of a mark in CSS pixels. */
const markWidth = 10;
const markHeight = 6;

/** Places the mark in the lower left corner of a cell, so that the color of the cell remains visible. */
function createMarkBox({ x, y, width, height }: Box): Box {
  const fittingHeight = Math.min(markHeight, Math.round(height / 2));
  return { x, y: y + height - fittingHeight, width: Math.min(markWidth, width), height: fittingHeight };
}

/** Returns the cells of one hour of the day, one per point. */
export function getCellsOfHour(cells: Float64Array | Uint8Array, hour: number): Float64Array {
  return Float64Array.from(
    { length: cells.length / hoursOfDay },
    (_, position) => cells[position * hoursOfDay + hour] ?? NaN,
  );
}

/** The minimum distance between labels of the color scale, in CSS pixels. */
const scaleLabelWidth = 44;

/**
 * Creates the color scale above the right end of a plot, with the unit. It extends from the minimum to the maximum and has labels at round
 * values. The scale of the stress bands extends from 0 to 1 and has labels at the limits of the bands.
 */
export function createScaleShapes(
  { min, max }: Cells,
  { unit, decimals: valueDecimals, style: layerStyle }: Pick<Layer, 'unit' | 'decimals' | 'style'>,
  plot: Box,
  palette: Palette,
  formatter: Pick<PlotFormatter, 'formatTick'>,
): Shape[] {
  if (!Number.isFinite(min)) return [];
  const isBanded = layerStyle.color === 'bands';
  const width = Math.min(280, plot.width / 2);
  const bar = { x: plot.x + plot.width - width - 10, y: plot.y - 8, width, height: 6 };
  const [from, to] = isBanded ? [0, 1] : [min, max];
  const limits = stressBandIds.map(id => stressLimits[id]);
  const { ticks, decimals } = isBanded
    ? { ticks: [...limits, 1], decimals: 1 }
    : to > from
      ? createFixedAxis(from, to, Math.max(1, width / scaleLabelWidth))
      : { ticks: [from], decimals: valueDecimals };
  const toX = (value: number): number => bar.x + (to > from ? (value - from) / (to - from) : 0.5) * width;
  const { bands, scale } = palette;
  const fills = isBanded ? bands : scale;
  const getStart = (index: number): number =>
    Math.round(isBanded ? toX(limits[index] ?? to) : bar.x + (index / fills.length) * width);
  const style = { color: palette.muted, size: axisTextSize } as const;
  return [
    ...fills.map((fill, index) => {
      const x = getStart(index);
      return createFilledPath(boxTrace({ ...bar, x, width: getStart(index + 1) - x }), fill);
    }),
    createStrokedPath(sink => {
      boxTrace(bar)(sink);
      for (const tick of ticks) lineTrace(toX(tick), bar.y - 3, toX(tick), bar.y)(sink);
    }, palette.muted),
    ...ticks.map(tick =>
      createText(formatter.formatTick(tick, decimals), toX(tick), bar.y - 9, { ...style, anchor: 'middle' }),
    ),
    createText(unit, bar.x - 6, bar.y + 2, { ...style, anchor: 'end' }),
  ];
}
