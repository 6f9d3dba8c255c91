import { t } from '@vscode/l10n';
import { createFewHoursTest } from '../../core/bins/binFrame.ts';
import { listComparedTimes, isComparedPeriodColumn } from '../../core/compare/compareFrames.ts';
import { utc } from '../../core/time/zone.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { energyUnits } from '../../shared/formatNumber.ts';
import { isDateBin } from '../../shared/formatTime.ts';
import { countFormatter } from '../columns/numberTexts.ts';
import { withChosen } from './chartChoice.ts';
import { getChartTimes, findCycleColumn } from '../../core/frame/chartColumns.ts';
import type { ChartLimit, ChartModel, ChartOptions, TimeRange } from './chartModel.ts';
import { availableModes } from './chartModes.ts';
import type { Plot, PlotAxis } from './plot.ts';
import { roundedLayers } from './layers.ts';
import { cycleAxis } from './otherAxes.ts';
import { rowOf, timelineOf, valuesAlong, type Timeline } from './timeline.ts';

/** Builds the plot of a model in the selected mode, or in the first mode that fits its columns; undefined if there is nothing to draw. */
export function buildPlot(model: ChartModel, options: ChartOptions): Plot | undefined {
  const { frame, step: asked } = model;
  const time = getChartTimes(frame);
  const modes = availableModes(frame);
  const mode = modes.find(({ id }) => id === options.mode) ?? modes[0];
  if (!time || !mode) return undefined;
  const cycle = findCycleColumn(frame);
  const received = timelineOf(time, frame.rowCount, model.rows, cycle ? hourMs : asked);
  if (received.x.length === 0) return undefined;
  const daily =
    cycle !== undefined || isDateBin(time.bins) || (received.step !== undefined && received.step % dayMs === 0);
  const choices = withChosen(mode.choices?.(frame), options);
  const axisChoices = withChosen(mode.axisChoices?.(frame), options);
  const chosen = [...axisChoices, ...choices].map(choice => choice.chosen);
  const { along, layers, ...drawn } = mode.draw({ model, frame, options, timeline: received, chosen });
  const timeline = along?.timeline ?? received;
  // The columns of a compared period have times of their own.
  const isOfRows = !along?.axis && !(along && layers.some(({ source }) => isComparedPeriodColumn(source)));
  const compares = mode.compares === true && model.compared !== undefined && model.compared.length > 0;
  const few = fewHours(model, received, compares);
  const limit = options.limit && limitOn(options.limit, drawn.axes[0]);
  const stepped = drawn.stepped ?? (daily || time.bins !== undefined);
  const [comparedTime, ...further] = compares ? listComparedTimes(frame) : [];
  const isOnly = further.length === 0;
  return {
    bands: [],
    incomplete: new Uint32Array(),
    few: along ? { ...few, points: new Uint32Array() } : few,
    refused: [],
    ...drawn,
    layers: roundedLayers(layers),
    // On another axis a row has no position to mark, so the caption counts such rows.
    ...(along && few.points.length > 0 && { caption: withFew(drawn.caption, few, received, model) }),
    ...(limit !== undefined && { limit }),
    mode,
    choices,
    axisChoices,
    timeline,
    ...(isOfRows && { received }),
    ...(comparedTime && isOnly && { comparedTimes: valuesAlong(timeline, comparedTime) }),
    zone: time.bins ?? (daily ? utc : model.zone),
    daily,
    bins: time.bins,
    ...(cycle?.cycle && { axis: cycleAxis(cycle.cycle, cycle.texts.entries) }),
    stepped,
    domain: domainOf(timeline, stepped, model),
    selected: along ? [] : (model.selected ?? []),
    ...along,
  };
}

/** Converts the limit to the unit of the axis; undefined if the axis cannot show it. */
function limitOn({ value, unit }: ChartLimit, axis: PlotAxis | undefined): number | undefined {
  if (!axis || axis.isHourOfDay || (axis.isLog && value <= 0)) return undefined;
  const [own, there] = [unit, axis.unit].map(one => energyUnits.find(({ unit: name }) => name === one)?.mwh);
  return unit === axis.unit ? value : own && there && (value * own) / there;
}

/** Finds the points whose rows, or compared rows, have data for too few of their hours. */
function fewHours(model: ChartModel, timeline: Timeline, compares: boolean): Plot['few'] {
  const { frame, leastCoverage: least = 0, isResampled } = model;
  const sides = isResampled && least > 0 ? [false, ...(compares ? [true] : [])] : [];
  const tests = sides.flatMap(isCompared => createFewHoursTest(frame, least, isCompared) ?? []);
  const isFew = (row: number): boolean => tests.some(test => test(row));
  const points: number[] = [];
  for (let point = 0; tests.length > 0 && point < timeline.x.length; point++) {
    const row = rowOf(timeline, point);
    if (row !== undefined && isFew(row)) points.push(point);
  }
  return { points: Uint32Array.from(points), least };
}

function withFew(
  caption: string | undefined,
  { points, least }: Plot['few'],
  { x, rows }: Timeline,
  { locale }: ChartModel,
): string {
  const write = countFormatter(locale);
  const drawn = rows ? rows.reduce((count, row) => count + Number(row >= 0), 0) : x.length;
  const share = String(Math.round(least * 100));
  const few = t(
    '{0} of {1} rows drawn have data for less than {2} % of their hours.',
    write(points.length),
    write(drawn),
    share,
  );
  return [caption, few].filter(Boolean).join(' ');
}

/**
 * Returns the requested range, extended to all rows. If it is unknown, the range is from the first instant to the last, or to the end of the last
 * interval if whole intervals are drawn. It is never empty.
 */
function domainOf(
  { x, step = hourMs, endOf = last => last + step }: Timeline,
  wholeIntervals: boolean,
  { start: from, coverage, step: asked }: ChartModel,
): TimeRange {
  const ofCoverage = asked === undefined || !coverage ? [] : [from ?? NaN, (from ?? NaN) + coverage.expected * asked];
  const edges = from === undefined ? [] : (coverage?.edges ?? ofCoverage);
  const last = x.at(-1) ?? 0;
  const start = Math.min(x[0] ?? 0, edges[0] ?? Infinity);
  const end = Math.max(wholeIntervals ? endOf(last) : last, edges.at(-1) ?? -Infinity);
  return end > start ? { start, end } : { start: start - hourMs, end: end + hourMs };
}
