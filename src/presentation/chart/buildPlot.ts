import { t } from '@vscode/l10n';
import { createFewHoursTest } from '../../core/bins/binFrame.ts';
import { listComparedTimes, isComparedPeriodColumn } from '../../core/compare/compareFrames.ts';
import { utc } from '../../core/time/zone.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { energyUnits } from '../../shared/formatNumber.ts';
import { isDateBin } from '../../shared/formatTime.ts';
import { createCountFormatter } from '../columns/numberColumnFormat.ts';
import { resolveChoices } from './chartChoice.ts';
import { getChartTimes, findCycleColumn } from '../../core/frame/chartColumns.ts';
import type { ChartLimit, ChartModel, ChartOptions, TimeWindow } from './chartModel.ts';
import { listAvailableModes } from './chartModes.ts';
import type { Plot, PlotAxis } from './plot.ts';
import { roundLayerDecimals } from './layers.ts';
import { createCycleAxis } from './nonTimeAxes.ts';
import { getRow, createTimeline, getTimelineValues, type Timeline } from './timeline.ts';

/** Builds the plot of a model in the selected mode, or in the first mode that fits its columns; undefined if there is nothing to draw. */
export function buildPlot(model: ChartModel, options: ChartOptions): Plot | undefined {
  const { frame, intervalMs: requestedIntervalMs } = model;
  const time = getChartTimes(frame);
  const modes = listAvailableModes(frame);
  const mode = modes.find(({ id }) => id === options.mode) ?? modes[0];
  if (!time || !mode) return undefined;
  const cycle = findCycleColumn(frame);
  const received = createTimeline(time, frame.rowCount, model.rows, cycle ? hourMs : requestedIntervalMs);
  if (received.x.length === 0) return undefined;
  const isDaily =
    cycle !== undefined ||
    isDateBin(time.bins) ||
    (received.intervalMs !== undefined && received.intervalMs % dayMs === 0);
  const choices = resolveChoices(mode.choices?.(frame), options);
  const axisChoices = resolveChoices(mode.axisChoices?.(frame), options);
  const selectedIds = [...axisChoices, ...choices].map(choice => choice.selectedId);
  const { horizontalAxis, layers, ...drawn } = mode.draw({ model, frame, options, timeline: received, selectedIds });
  const timeline = horizontalAxis?.timeline ?? received;
  // The columns of a compared period have their own times.
  const hasReceivedRows =
    !horizontalAxis?.axis && !(horizontalAxis && layers.some(({ source }) => isComparedPeriodColumn(source)));
  const drawsComparison = mode.drawsComparison === true && model.compared !== undefined && model.compared.length > 0;
  const fewHours = findFewHours(model, received, drawsComparison);
  const limit = options.limit && convertLimit(options.limit, drawn.axes[0]);
  const isStepped = drawn.isStepped ?? (isDaily || time.bins !== undefined);
  const [comparedTime, ...otherComparedTimes] = drawsComparison ? listComparedTimes(frame) : [];
  const hasOneComparison = otherComparedTimes.length === 0;
  return {
    bands: [],
    incomplete: new Uint32Array(),
    fewHours: horizontalAxis ? { ...fewHours, points: new Uint32Array() } : fewHours,
    omittedLabels: [],
    ...drawn,
    layers: roundLayerDecimals(layers),
    // On another axis a row has no position to mark, so the caption counts such rows.
    ...(horizontalAxis &&
      fewHours.points.length > 0 && { caption: appendFewHours(drawn.caption, fewHours, received, model) }),
    ...(limit !== undefined && { limit }),
    mode,
    choices,
    axisChoices,
    timeline,
    ...(hasReceivedRows && { received }),
    ...(comparedTime && hasOneComparison && { comparedTimes: getTimelineValues(timeline, comparedTime) }),
    zone: time.bins ?? (isDaily ? utc : model.zone),
    isDaily,
    bins: time.bins,
    ...(cycle?.cycle && { axis: createCycleAxis(cycle.cycle, cycle.texts.entries) }),
    isStepped,
    domain: computeDomain(timeline, isStepped, model),
    selected: horizontalAxis ? [] : (model.selected ?? []),
    ...horizontalAxis,
  };
}

/** Converts the limit to the unit of the axis; undefined if the axis cannot show it. */
function convertLimit({ value, unit }: ChartLimit, axis: PlotAxis | undefined): number | undefined {
  if (!axis || axis.isHourOfDay || (axis.isLog && value <= 0)) return undefined;
  const [limitMwh, axisMwh] = [unit, axis.unit].map(
    unitName => energyUnits.find(({ unit: name }) => name === unitName)?.mwh,
  );
  return unit === axis.unit ? value : limitMwh && axisMwh && (value * limitMwh) / axisMwh;
}

/** Finds the points with data for too few of their hours, in the current or a compared period. */
function findFewHours(model: ChartModel, timeline: Timeline, drawsComparison: boolean): Plot['fewHours'] {
  const { frame, minCoverage: minShare = 0, isResampled } = model;
  const comparedFlags = isResampled && minShare > 0 ? [false, ...(drawsComparison ? [true] : [])] : [];
  const tests = comparedFlags.flatMap(isCompared => createFewHoursTest(frame, minShare, isCompared) ?? []);
  const isFew = (row: number): boolean => tests.some(test => test(row));
  const points: number[] = [];
  for (let point = 0; tests.length > 0 && point < timeline.x.length; point++) {
    const row = getRow(timeline, point);
    if (row !== undefined && isFew(row)) points.push(point);
  }
  return { points: Uint32Array.from(points), minShare };
}

function appendFewHours(
  caption: string | undefined,
  { points, minShare }: Plot['fewHours'],
  { x, rows }: Timeline,
  { locale }: ChartModel,
): string {
  const formatCount = createCountFormatter(locale);
  const drawnRows = rows ? rows.reduce((count, row) => count + Number(row >= 0), 0) : x.length;
  const share = String(Math.round(minShare * 100));
  const fewHoursSentence = t(
    '{0} of {1} rows drawn have data for less than {2} % of their hours.',
    formatCount(points.length),
    formatCount(drawnRows),
    share,
  );
  return [caption, fewHoursSentence].filter(Boolean).join(' ');
}

/**
 * Returns the requested range, extended to all rows. If it is unknown, the range is from the first instant to the last, or to the end of the last
 * interval if whole intervals are drawn. It is never empty.
 */
function computeDomain(
  { x, intervalMs = hourMs, endOf = last => last + intervalMs }: Timeline,
  wholeIntervals: boolean,
  { start: requestedStart, coverage, intervalMs: requestedIntervalMs }: ChartModel,
): TimeWindow {
  const coverageEdges =
    requestedIntervalMs === undefined || !coverage
      ? []
      : [requestedStart ?? NaN, (requestedStart ?? NaN) + coverage.expected * requestedIntervalMs];
  const edges = requestedStart === undefined ? [] : (coverage?.edges ?? coverageEdges);
  const last = x.at(-1) ?? 0;
  const start = Math.min(x[0] ?? 0, edges[0] ?? Infinity);
  const end = Math.max(wholeIntervals ? endOf(last) : last, edges.at(-1) ?? -Infinity);
  return end > start ? { start, end } : { start: start - hourMs, end: end + hourMs };
}
