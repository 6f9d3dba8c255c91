import { t } from '@vscode/l10n';
import { sumDecimals } from '../../core/statistics/decimalSum.ts';
import { hourMs } from '../../shared/durations.ts';
import { listVisibleLayers, type Layer, type Plot } from './plot.ts';
import type { PlotFormatter } from './plotFormatter.ts';

/** The maximum number of times that are listed. More are described by their number, the first and the last. */
const maxListedTimes = 3;

/** Explains why a part of the stack is marked; undefined if the stack is complete. */
export function describeIncompleteStack(plot: Plot, formatter: PlotFormatter): string | undefined {
  const { incomplete } = plot;
  if (incomplete.length === 0) return undefined;
  const missing = listAreas(plot).filter(layer => incomplete.some(point => isMissing(layer, point)));
  const names = missing.map(({ label }) => label).join(', ');
  return t(
    'Generation is incomplete at {0} (marked): no value for {1}.',
    formatTimeCount(plot, formatter, incomplete.length),
    names,
  );
}

/** Formats the caption of a chart, and warns of contradictory readings that leave a part without a value. May be empty. */
export function formatCaption(plot: Plot, formatter: PlotFormatter): string {
  const { caption = '', contradictionCount } = plot;
  if (contradictionCount === undefined) return caption;
  const timesText = formatTimeCount(plot, formatter, contradictionCount);
  const warning = t(
    'Wrong reading at {0}: the published sources exceed total generation, so the unpublished part is unknown.',
    timesText,
  );
  return `${warning} ${caption}`;
}

/** Describes where the stack is incomplete among the points [from, to), with the times. */
export function describeIncompletePoints(
  plot: Plot,
  formatter: PlotFormatter,
  from: number,
  to: number,
): string | undefined {
  const points = plot.incomplete.filter(point => point >= from && point < to);
  if (points.length === 0) return undefined;
  const parts = listAreas(plot).flatMap(layer => {
    const missing = points.filter(point => isMissing(layer, point));
    return missing.length === 0 ? [] : t('{0} missing at {1}', layer.label, formatTimes(plot, formatter, missing));
  });
  return t('Generation is incomplete at {0}: {1}.', formatTimeCount(plot, formatter, points.length), parts.join('; '));
}

/** The label of the marks for points with too few hours. */
export function getFewHoursLabel(): string {
  return t('Few hours');
}

/** Explains the marks in the row at the bottom. Returns undefined if there are no marks. */
export function describeFewHours(plot: Plot, formatter: PlotFormatter): string | undefined {
  const { points, minShare } = plot.fewHours;
  if (points.length === 0) return undefined;
  return t(
    '{0}: data for less than {1} % of the hours (marked).',
    formatTimeCount(plot, formatter, points.length),
    formatPercent(minShare),
  );
}

/** Describes which of the points [from, to) have too few hours, with the times. */
export function describeFewHoursPoints(
  plot: Plot,
  formatter: PlotFormatter,
  from: number,
  to: number,
): string | undefined {
  const { minShare } = plot.fewHours;
  const points = plot.fewHours.points.filter(point => point >= from && point < to);
  if (points.length === 0) return undefined;
  return t(
    '{0}: data for less than {1} % of the hours.',
    formatTimes(plot, formatter, points),
    formatPercent(minShare),
  );
}

function formatPercent(part: number): string {
  return String(Math.round(part * 100));
}

/** The sum of a stack at a point. */
export interface FormattedTotal {
  /** The number, followed by "(incomplete)" if a part is missing. */
  readonly shortText: string;
  /** "Total generation 27,000 MW", "Total generation without Wind 25,000 MW". */
  readonly sentence: string;
}

/**
 * Formats the total of the stack at a point; undefined if no part has a value. A missing part may be an export, which would reduce the total, so
 * an incomplete total is not a lower bound.
 */
export function formatTotal(plot: Plot, formatter: PlotFormatter, point: number): FormattedTotal | undefined {
  const areas = listAreas(plot);
  const known = areas.filter(layer => !isMissing(layer, point));
  const [first] = known;
  const { totalLabel } = plot;
  if (!first || totalLabel === undefined) return undefined;
  const sum = sumDecimals(Float64Array.from(known, ({ values }) => values[point] ?? 0));
  const number = formatter.formatNumber(first, sum);
  const value = formatter.formatValue(first, sum);
  if (known.length === areas.length) return { shortText: number, sentence: `${totalLabel} ${value}` };
  const missing = areas.filter(layer => isMissing(layer, point)).map(({ label }) => label);
  return {
    shortText: t('{0} (incomplete)', number),
    sentence: t('{0} without {1} {2}', totalLabel, missing.join(', '), value),
  };
}

function listAreas(plot: Plot): Layer[] {
  return listVisibleLayers(plot).filter(({ kind }) => kind === 'area');
}

function isMissing({ values }: Layer, point: number): boolean {
  return Number.isNaN(values[point] ?? NaN);
}

function formatTimes(plot: Plot, formatter: PlotFormatter, points: Uint32Array): string {
  const formatTime = (point: number | undefined): string => formatter.formatTime(plot.timeline.x[point ?? 0] ?? 0);
  if (points.length <= maxListedTimes) return Array.from(points, formatTime).join(', ');
  return t(
    '{0} between {1} and {2}',
    formatTimeCount(plot, formatter, points.length),
    formatTime(points[0]),
    formatTime(points.at(-1)),
  );
}

function formatTimeCount({ isDaily, bins, axis, timeline }: Plot, formatter: PlotFormatter, count: number): string {
  const text = formatter.formatCount(count);
  const areDays = isDaily && !axis && (!bins || bins.size === 'day');
  if (areDays) return count === 1 ? t('1 day') : t('{0} days', text);
  if (!axis && timeline.intervalMs === hourMs && !timeline.endOf)
    return count === 1 ? t('1 hour') : t('{0} hours', text);
  return count === 1 ? t('1 point in time') : t('{0} points in time', text);
}
