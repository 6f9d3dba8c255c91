import { dayMs, weekMs } from '../../shared/durations.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import type { TimeWindow } from './chartModel.ts';
import { createScaleShapes } from './cellShapes.ts';
import { createValueAxes, findPointsInside } from './decimate.ts';
import { createBandNames, createLayerShapes, createLimitShapes, scaleX, scaleY, type PlotFrame } from './marks.ts';
import type { Palette } from './palette.ts';
import { listVisibleLayers, type Plot } from './plot.ts';
import { lineTrace, createStrokedPath, type Box, type Shape, createText } from './scene.ts';
import { listFreeDays, createBackgroundShapes, createSelectionEdges } from './selectionBand.ts';
import { axisTextSize, createTimeLabels, createTimeTicks, type TimeTick } from './timeTicks.ts';
import { getMiddle } from './timeline.ts';
import { type PlotFormatter } from './plotFormatter.ts';

/** A plot with its texts, colors and font. */
export interface PlotScene {
  readonly plot: Plot;
  readonly formatter: PlotFormatter;
  readonly palette: Palette;
  readonly font: string;
  /** Measures the width of a text at a font size, CSS pixels. */
  readonly measureWidth: (text: string, size: number) => number;
}

/** The space for a plot, CSS pixels. */
export interface PlotSize {
  /** The area of the plot including its axes. */
  readonly area: Box;
  /** The width of the whole drawing, which no label exceeds. */
  readonly width: number;
  /** Whether only one row of labels is under the plot, instead of two and a title. */
  readonly isCompact: boolean;
  /** Device pixels per CSS pixel. Grid lines are aligned to device pixels. */
  readonly pixelRatio: number;
}

const topMargin = 22;
const rightMargin = 16;
const tickLength = 4;
const labelGap = 8;
const valueSpacing = 36;
const timeSpacing = 84;
/** Approximate minimum tick distances in milliseconds, so that ticks are at starts of bins. */
const minTickDistances: Readonly<Record<BinSize, number>> = {
  '3h': 0,
  day: dayMs,
  week: weekMs,
  month: 30 * dayMs,
  quarter: 90 * dayMs,
  year: 365 * dayMs,
};

/** Draws a window of a plot with its axes, for the screen or a saved picture. `frame` maps instants and values to pixels. */
export function createPlotShapes(
  { plot, formatter, palette, measureWidth }: Omit<PlotScene, 'font'>,
  window: TimeWindow,
  { area, width, isCompact, pixelRatio }: PlotSize,
): { readonly frame: PlotFrame; readonly shapes: Shape[] } {
  const height = Math.max(50, area.height - topMargin - (isCompact ? 22 : 60));
  const axes = createValueAxes(plot, window, Math.max(2, height / valueSpacing));
  const labels = axes.map(({ ticks, decimals }, index) =>
    ticks.map(tick => (plot.axes[index]?.isHourOfDay ? formatHour(tick) : formatter.formatTick(tick, decimals))),
  );
  const [left = 0, right = rightMargin] = labels.map(texts =>
    Math.ceil(tickLength + 10 + Math.max(10, ...texts.map(text => measureWidth(text, axisTextSize)))),
  );
  const box = { x: area.x + left, y: area.y + topMargin, width: Math.max(50, area.width - left - right), height };
  const frame = { box, window, axes };
  const toX = scaleX(frame);
  const maxTicks = Math.max(1, box.width / timeSpacing);
  const minTickDistance = plot.bins ? minTickDistances[plot.bins.size] : plot.isDaily ? dayMs : 0;
  const instants = plot.axis
    ? plot.axis.ticks(window, maxTicks)
    : createTimeTicks(window, formatter.zone, maxTicks, formatter.locale, minTickDistance, isCompact ? 1 : 2);
  // A low plot names the zone above the plot only.
  const titles = isCompact ? [] : formatter.listAxisTitles(listFreeDays(plot, window, formatter.zone).length > 0);
  const shapes = [
    ...createBackgroundShapes(plot, frame, palette, formatter.zone),
    createGrid(),
    ...createTimeLabels(centerUnderBars(instants, plot, window), titles, { box, width, toX, measureWidth }, palette),
    ...axes.flatMap((_, index) => createValueLabels(index)),
    ...createLayerShapes(plot, frame, palette),
    ...createSelectionEdges(plot, frame, palette),
    ...createBandNames(plot, frame, palette),
    ...createLimitShapes(plot, frame, formatter.formattedLimit, palette),
    ...createColorScale(),
  ];
  return { frame, shapes };

  /** Draws the grid and the tick marks. Only the left axis has grid lines. */
  function createGrid(): Shape {
    const half = (pixelRatio % 2) / 2 / pixelRatio;
    const end = box.x + box.width;
    const bottom = box.y + box.height;
    return createStrokedPath(sink => {
      for (const { instant } of instants) {
        const x = alignToPixels(toX(instant)) + half;
        lineTrace(x, box.y, x, bottom + tickLength)(sink);
      }
      axes.forEach(({ ticks }, index) => {
        const [from, to] = index === 0 ? [box.x - tickLength, end] : [end, end + tickLength];
        for (const tick of ticks) {
          const y = alignToPixels(scaleY(frame, index)(tick)) + half;
          lineTrace(from, y, to, y)(sink);
        }
      });
    }, palette.grid);
  }

  function createColorScale(): Shape[] {
    const cells = listVisibleLayers(plot).find(({ kind }) => kind === 'cells');
    return plot.cells && cells ? createScaleShapes(plot.cells, cells, box, palette, formatter) : [];
  }

  /** Draws the labels of a value axis, and its unit above. */
  function createValueLabels(index: number): Shape[] {
    const { ticks = [] } = axes[index] ?? {};
    const isLeft = index === 0;
    const edge = isLeft ? box.x : box.x + box.width;
    const labelX = isLeft ? edge - labelGap : edge + labelGap;
    const style = { color: palette.muted, size: axisTextSize } as const;
    return [
      ...ticks.map((tick, tickIndex) => {
        const y = alignToPixels(scaleY(frame, index)(tick));
        return createText(labels[index]?.[tickIndex] ?? '', labelX, y, { ...style, anchor: isLeft ? 'end' : 'start' });
      }),
      createText(plot.axes[index]?.unit ?? '', edge, box.y - topMargin / 2, {
        ...style,
        anchor: isLeft ? 'start' : 'end',
      }),
    ];
  }

  function alignToPixels(position: number): number {
    return Math.round(position * pixelRatio) / pixelRatio;
  }
}

/** Centers the labels under the bars if each bar has a tick. */
function centerUnderBars(ticks: readonly TimeTick[], plot: Plot, window: TimeWindow): readonly TimeTick[] {
  const { x } = plot.timeline;
  // Bins of three hours and of quarters are labeled at their start.
  const isLabelledAtStart = plot.bins?.size === '3h' || plot.bins?.size === 'quarter';
  if (plot.axis || isLabelledAtStart || !listVisibleLayers(plot).some(({ bar }) => bar)) return ticks;
  const { from, to } = findPointsInside(x, window);
  const middles = new Map<number, number>();
  for (let point = from; point < to; point++) middles.set(x[point] as number, getMiddle(plot.timeline, point));
  const barTicks = ticks.filter(({ instant }) => middles.has(instant));
  if (barTicks.length < middles.size) return ticks;
  return barTicks.map(tick => ({ ...tick, instant: middles.get(tick.instant) ?? tick.instant }));
}
