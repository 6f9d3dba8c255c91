import { t } from '@vscode/l10n';
import { findShareParts } from '../../../core/bins/binSums.ts';
import { createTimeFormatter } from '../../../core/time/timeFormatter.ts';
import { ZoneOffsets } from '../../../core/time/zoneOffsets.ts';
import { dayMs, hourMs, minuteMs, weekMs } from '../../../shared/durations.ts';
import { getCycleNames } from '../../../core/bins/cycleNames.ts';
import { translate } from '../../translate.ts';
import type { Frame } from '../../../shared/frame.ts';
import { isShare, unitOf } from '../../../shared/units.ts';
import { createColumnChoice, type ChartChoice } from '../chartChoice.ts';
import { findNumberColumn } from '../../../core/frame/chartColumns.ts';
import type { ChartModel } from '../chartModel.ts';
import { createNamedLineLayer, createLineStyle, mainLineStyle, getUnitText } from '../layers.ts';
import { selectMarks } from '../nonTimeAxes.ts';
import { assignSeriesColors } from '../palette.ts';
import type { DrawContext, DrawnPlot, Layer, NonTimeAxis } from '../plot.ts';
import { omitPartHours, toEvenTimeline, computeShares, getColumnTimeline, getTimelineValues } from '../timeline.ts';

/** The number of colors in a palette. */
const maxPeriods = 12;
/** The start of a leap year, which has the dates of all years. */
const leapYear = Date.UTC(2000, 0);
const monday = Date.UTC(1970, 0, 5);

/** A local time is represented as the UTC milliseconds at which a clock in UTC shows the same time. */
const periods = {
  day: {
    length: dayMs,
    base: monday,
    getStart: (localTime: number) => Math.floor(localTime / dayMs) * dayMs,
    hasDate: false,
  },
  week: {
    length: weekMs,
    base: monday,
    getStart: (localTime: number) => Math.floor((localTime - monday) / weekMs) * weekMs + monday,
    hasDate: true,
  },
  year: {
    length: 366 * dayMs,
    base: leapYear,
    getStart: (localTime: number) => Date.UTC(new Date(localTime).getUTCFullYear(), 0),
    hasDate: true,
  },
};

type Period = keyof typeof periods;

export function listOverlayChoices(frame: Frame): readonly ChartChoice[] {
  const options = [
    { id: 'day', name: t('Days') },
    { id: 'week', name: t('Weeks') },
    { id: 'year', name: t('Years') },
  ];
  return [createColumnChoice(frame, 'overlay.column'), { id: 'overlay.period', name: t('Period'), options }];
}

/**
 * Draws one column over the clock of a day, a week or a year in the display zone: a line for each of the latest periods, and the mean of all of
 * them or, for a share with known parts, the share of their energies. If the clock repeats an hour, the first one counts.
 */
export function drawOverlay({
  model,
  frame,
  options,
  timeline: received,
  selectedIds: [columnName, selectedPeriod],
}: DrawContext): DrawnPlot {
  const column = findNumberColumn(frame, columnName);
  const timeline = toEvenTimeline(column ? getColumnTimeline(column, received, model) : received);
  const periodId = selectedPeriod as Period;
  const period = periods[periodId];
  const zone = new ZoneOffsets(model.zone.timeZone);
  const intervalMs = Math.max(minuteMs, Math.min(timeline.intervalMs ?? hourMs, period.length));
  const count = Math.min(maxPositions, Math.ceil(period.length / intervalMs));
  // In zones with an offset of half an hour, rows start between full hours.
  const firstLocalTime = zone.getLocalTime(timeline.x[0] ?? 0);
  const phase = (firstLocalTime - period.getStart(firstLocalTime)) % intervalMs;
  const lines = new Map<number, Float64Array>();
  const values = column ? getTimelineValues(timeline, column) : new Float64Array();
  const positions = new Int32Array(values.length).fill(-1);
  for (let point = 0; point < values.length; point++) {
    const value = values[point] ?? NaN;
    if (Number.isNaN(value)) continue;
    const localTime = zone.getLocalTime(timeline.x[point] ?? 0);
    const start = period.getStart(localTime);
    let line = lines.get(start);
    if (!line) lines.set(start, (line = new Float64Array(count).fill(NaN)));
    const position = Math.floor(
      ((periodId === 'year' ? toLeapYear(localTime) : localTime) - (periodId === 'year' ? leapYear : start)) /
        intervalMs,
    );
    if (!Number.isNaN(line[position])) continue;
    line[position] = value;
    positions[point] = position;
  }
  const allLines = [...lines].sort(([a], [b]) => a - b);
  const latestLines = allLines.slice(-maxPeriods);
  const getLineId = (start: number): string => `${column?.name ?? ''}:${new Date(start).toISOString().slice(0, 10)}`;
  const getColor = assignSeriesColors(latestLines.map(([start]) => getLineId(start)));
  const formatDate = createTimeFormatter(model.locale, 'UTC', { year: true });
  const formatLabel = (start: number): string =>
    periodId === 'year' ? String(new Date(start).getUTCFullYear()) : formatDate(start);
  const createLayers = (lineValues: Float64Array, lineId: string, label: string, style: Layer['style']): Layer[] =>
    column ? [createNamedLineLayer(lineId, label, column, lineValues, options, 0, style)] : [];
  const parts = omitPartHours(received, column && findShareParts(frame, column));
  const mean = parts
    ? computeShares(timeline, parts, positions, count)
    : computeMean(
        allLines.map(([, line]) => line),
        count,
      );
  const unit = unitOf(column?.field);
  const isShareOfEnergies = isShare(unit);
  const meanLabel =
    !parts || unit.kind === 'rate'
      ? t('Mean of {0}', allLines.length)
      : isShareOfEnergies
        ? t('Share of the energies of {0}', allLines.length)
        : t('From the energies of {0}', allLines.length);
  const layers = [
    // The mean is first in the legend, since the end of a long legend may be out of view.
    ...createLayers(mean, 'mean', meanLabel, mainLineStyle),
    ...latestLines.flatMap(([start, line], index) =>
      createLayers(line, getLineId(start), formatLabel(start), createLineStyle(getColor(getLineId(start)), index)),
    ),
  ];
  return {
    layers,
    axes: [{ unit: column ? getUnitText(column) : '', zero: false }],
    isStepped: false,
    ...(allLines.length > latestLines.length && {
      caption: t('Showing the latest {0} of {1}; the mean includes all.', latestLines.length, allLines.length),
    }),
    horizontalAxis: {
      timeline: {
        x: Float64Array.from({ length: count }, (_, position) => position * intervalMs + phase),
        rows: undefined,
        intervalMs,
      },
      domain: { start: 0, end: period.length },
      axis: createClockAxis(periodId, model),
    },
  };
}

/** The number of minutes in a leap year: 366 × 1,440. */
const maxPositions = 527_040;

function toLeapYear(localTime: number): number {
  const date = new Date(localTime);
  return Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) + (localTime - Math.floor(localTime / dayMs) * dayMs);
}

/** Computes the mean of the known values at each position. */
function computeMean(lines: readonly Float64Array[], count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, position) => {
    let sum = 0;
    let known = 0;
    for (const line of lines) {
      const value = line[position] ?? NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      known++;
    }
    return known > 0 ? sum / known : NaN;
  });
}

function createClockAxis(id: Period, { locale, zone }: ChartModel): NonTimeAxis {
  const { base, hasDate } = periods[id];
  const formatClock = (position: number): string => new Date(base + position).toISOString().slice(11, 16);
  const weekdays = getCycleNames('weekday', locale, translate);
  const formatDate = createTimeFormatter(locale, 'UTC', {});
  const formatDay = (position: number): string =>
    id === 'week' ? (weekdays[Math.min(6, Math.floor(position / dayMs))] ?? '') : formatDate(base + position);
  const formatPosition = (position: number, time = formatClock(position)): string =>
    `${hasDate ? `${formatDay(position)} ` : ''}${time} ${zone.label}`;
  // The end of a day is "24:00" of that day, not "00:00" of a day that may not be displayed.
  const formatEnd = (position: number): string =>
    position > 0 && position % dayMs === 0 ? formatPosition(position - 1, '24:00') : formatPosition(position);
  const marks = {
    day: Array.from({ length: 25 }, (_, hour) => ({
      instant: hour * hourMs,
      label: hour === 24 ? '24:00' : formatClock(hour * hourMs),
    })),
    week: weekdays.map((label, position) => ({ instant: position * dayMs, label })),
    year: getCycleNames('monthOfYear', locale, translate).map((label, month) => ({
      instant: Date.UTC(2000, month) - leapYear,
      label,
    })),
  }[id];
  return {
    ticks: (window, maxTicks) => selectMarks(marks, window, maxTicks),
    titles: [zone.label],
    label: zone.label,
    format: formatPosition,
    formatRange: ({ start, end }) => t('{0} to {1}', formatPosition(start), formatEnd(end)),
    isWeek: id === 'week',
  };
}
