import { dayMs, weekMs } from '../../shared/durations.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import type { TimeRange } from './chartModel.ts';
import { scaleShapes } from './cellShapes.ts';
import { axesIn, pointsInside } from './decimate.ts';
import { bandNames, layerShapes, limitShapes, scaleX, scaleY, type PlotFrame } from './marks.ts';
import type { Palette } from './palette.ts';
import { visibleLayers, type Plot } from './plot.ts';
import { lineTrace, stroked, type Box, type Shape, textShape } from './scene.ts';
import { freeDaysIn, groundShapes, selectionEdges } from './selectionBand.ts';
import { axisTextSize, timeLabels, timeTicks, type TimeTick } from './timeTicks.ts';
import { middleOf } from './timeline.ts';
import { type PlotWords } from './words.ts';

/** A plot with its texts, colours and font. */
export interface PlotScene {
  readonly plot: Plot;
  readonly words: PlotWords;
  readonly palette: Palette;
  readonly font: string;
  /** Measures the width of a text at a font size, CSS pixels. */
  readonly measure: (text: string, size: number) => number;
}

/** The space for a plot, CSS pixels. */
export interface PlotRoom {
  /** The area of the plot including its axes. */
  readonly area: Box;
  /** The width of the whole drawing, which no label exceeds. */
  readonly width: number;
  /** Whether only one row of labels is under the plot, instead of two and a title. */
  readonly isLow: boolean;
  /** Device pixels per CSS pixel. Grid lines are aligned to device pixels. */
  readonly ratio: number;
}

const roomAbove = 22;
const roomRight = 16;
const tickLength = 4;
const labelGap = 8;
const valueSpacing = 36;
const timeSpacing = 84;
/** Approximate minimum tick distances in milliseconds, so that ticks are at starts of bins. */
const leastTicks: Readonly<Record<BinSize, number>> = {
  '3h': 0,
  day: dayMs,
  week: weekMs,
  month: 30 * dayMs,
  quarter: 90 * dayMs,
  year: 365 * dayMs,
};

/** Draws a window of a plot with its axes, for the screen or a saved picture. `frame` maps instants and values to pixels. */
export function plotShapes(
  { plot, words, palette, measure }: Omit<PlotScene, 'font'>,
  window: TimeRange,
  { area, width, isLow, ratio }: PlotRoom,
): { readonly frame: PlotFrame; readonly shapes: Shape[] } {
  const height = Math.max(50, area.height - roomAbove - (isLow ? 22 : 60));
  const axes = axesIn(plot, window, Math.max(2, height / valueSpacing));
  const labels = axes.map(({ ticks, decimals }, index) =>
    ticks.map(tick => (plot.axes[index]?.isHourOfDay ? formatHour(tick) : words.tick(tick, decimals))),
  );
  const [left = 0, right = roomRight] = labels.map(texts =>
    Math.ceil(tickLength + 10 + Math.max(10, ...texts.map(text => measure(text, axisTextSize)))),
  );
  const box = { x: area.x + left, y: area.y + roomAbove, width: Math.max(50, area.width - left - right), height };
  const frame = { box, window, axes };
  const toX = scaleX(frame);
  const most = Math.max(1, box.width / timeSpacing);
  const leastTick = plot.bins ? leastTicks[plot.bins.size] : plot.daily ? dayMs : 0;
  const instants = plot.axis
    ? plot.axis.ticks(window, most)
    : timeTicks(window, words.zone, most, words.locale, leastTick, isLow ? 1 : 2);
  // A low plot names the zone above the plot only.
  const titles = isLow ? [] : words.axisTitles(freeDaysIn(plot, window, words.zone).length > 0);
  const shapes = [
    ...groundShapes(plot, frame, palette, words.zone),
    gridShape(),
    ...timeLabels(underBars(instants, plot, window), titles, { box, width, toX, measure }, palette),
    ...axes.flatMap((_, index) => valueLabels(index)),
    ...layerShapes(plot, frame, palette),
    ...selectionEdges(plot, frame, palette),
    ...bandNames(plot, frame, palette),
    ...limitShapes(plot, frame, words.limit, palette),
    ...colourScale(),
  ];
  return { frame, shapes };

  /** Draws the grid and the tick marks. Only the left axis has grid lines. */
  function gridShape(): Shape {
    const half = (ratio % 2) / 2 / ratio;
    const [end, bottom] = [box.x + box.width, box.y + box.height];
    return stroked(sink => {
      for (const { instant } of instants) {
        const x = whole(toX(instant)) + half;
        lineTrace(x, box.y, x, bottom + tickLength)(sink);
      }
      axes.forEach(({ ticks }, index) => {
        const [from, to] = index === 0 ? [box.x - tickLength, end] : [end, end + tickLength];
        for (const tick of ticks) {
          const y = whole(scaleY(frame, index)(tick)) + half;
          lineTrace(from, y, to, y)(sink);
        }
      });
    }, palette.grid);
  }

  function colourScale(): Shape[] {
    const cells = visibleLayers(plot).find(({ kind }) => kind === 'cells');
    return plot.cells && cells ? scaleShapes(plot.cells, cells, box, palette, words) : [];
  }

  /** Draws the labels of a value axis, and its unit above. */
  function valueLabels(index: number): Shape[] {
    const { ticks = [] } = axes[index] ?? {};
    const [edge, away, outside, inside] =
      index === 0
        ? ([box.x, -labelGap, 'end', 'start'] as const)
        : ([box.x + box.width, labelGap, 'start', 'end'] as const);
    const look = { colour: palette.muted, size: axisTextSize } as const;
    return [
      ...ticks.map((tick, at) => {
        const y = whole(scaleY(frame, index)(tick));
        return textShape(labels[index]?.[at] ?? '', edge + away, y, { ...look, anchor: outside });
      }),
      textShape(plot.axes[index]?.unit ?? '', edge, box.y - roomAbove / 2, { ...look, anchor: inside }),
    ];
  }

  function whole(at: number): number {
    return Math.round(at * ratio) / ratio;
  }
}

/** Centres the labels under the bars if each bar has a tick. */
function underBars(ticks: readonly TimeTick[], plot: Plot, window: TimeRange): readonly TimeTick[] {
  const { x } = plot.timeline;
  // Bins of three hours and of quarters are labelled at their start.
  const isNamed = plot.bins?.size === '3h' || plot.bins?.size === 'quarter';
  if (plot.axis || isNamed || !visibleLayers(plot).some(({ bar }) => bar)) return ticks;
  const { from, to } = pointsInside(x, window);
  const middles = new Map<number, number>();
  for (let at = from; at < to; at++) middles.set(x[at] as number, middleOf(plot.timeline, at));
  const own = ticks.filter(({ instant }) => middles.has(instant));
  if (own.length < middles.size) return ticks;
  return own.map(tick => ({ ...tick, instant: middles.get(tick.instant) ?? tick.instant }));
}
