import { t } from '@vscode/l10n';
import { ZoneOffsets } from '../../../core/time/zoneOffsets.ts';
import type { NumberColumn } from '../../../shared/frame.ts';
import { createNumberFormatter } from '../../../shared/formatNumber.ts';
import { share } from '../../../shared/units.ts';
import { createColumnHeader } from '../../columns/columnHeader.ts';
import type { ChartChoice } from '../chartChoice.ts';
import { findNumberColumn } from '../../../core/frame/chartColumns.ts';
import type { ChartModel, TimeWindow } from '../chartModel.ts';
import { assignAxes, createNamedLineLayer, createLineStyle } from '../layers.ts';
import { assignSeriesColors } from '../palette.ts';
import type { DrawContext, DrawnPlot, Layer, NonTimeAxis } from '../plot.ts';
import { toEvenTimeline, getTimelineValues, type Timeline } from '../timeline.ts';
import { createValueTicks } from '../nonTimeAxes.ts';

export function listDurationChoices(): readonly ChartChoice[] {
  const options = [
    { id: 'columns', name: t('Columns') },
    { id: 'years', name: t('Years of the First Column') },
  ];
  return [{ id: 'duration.by', name: t('Curves'), options }];
}

/**
 * Draws duration curves: the values of each column in descending order over the share of the time in percent. Rows without a value are omitted,
 * and all curves share the axis, even if they have different numbers of rows.
 */
export function drawDurationCurves({
  model,
  frame,
  options,
  timeline: received,
  selectedIds: [curvesBy],
}: DrawContext): DrawnPlot {
  const timeline = toEvenTimeline(received);
  const columns = options.columns.flatMap(name => findNumberColumn(frame, name) ?? []);
  const { units, axisOf } = assignAxes(columns);
  const curves =
    curvesBy === 'years'
      ? columns.slice(0, 1).flatMap(column => createYearCurves(column, model, timeline))
      : columns.map(column => ({
          column,
          values: getTimelineValues(timeline, column),
          name: column.name,
          label: undefined,
        }));
  const getColor = assignSeriesColors(curves.map(({ name }) => name));
  const sortedCurves = curves.map(curve => ({ ...curve, values: sortDescending(curve.values) }));
  const count = Math.max(1, ...sortedCurves.map(({ values }) => values.length));
  const pointDistance = 100 / count;
  const layers = sortedCurves.flatMap(({ column, values, name, label }, index): Layer[] => {
    const axis = axisOf(column);
    if (axis === undefined) return [];
    const curveValues = Float64Array.from(
      { length: count },
      (_, point) => values[Math.floor((point * values.length) / count)] ?? NaN,
    );
    const style = createLineStyle(getColor(name), index);
    return [
      createNamedLineLayer(name, label ?? createColumnHeader(column).label, column, curveValues, options, axis, style),
    ];
  });
  return {
    layers,
    axes: units.map(unit => ({ unit, zero: 'near' as const })),
    isStepped: true,
    caption: t(
      'Values in descending order: a tenth of the time had the value at 10 % or more. Rows without a value are omitted.',
    ),
    horizontalAxis: {
      timeline: {
        x: Float64Array.from({ length: count }, (_, point) => point * pointDistance),
        rows: undefined,
        intervalMs: pointDistance,
      },
      domain: { start: 0, end: 100 },
      axis: createPercentAxis(model.locale),
    },
  };
}

function createYearCurves(column: NumberColumn, { zone }: ChartModel, timeline: Timeline) {
  const values = getTimelineValues(timeline, column);
  const offsets = new ZoneOffsets(zone.timeZone);
  const points = Array.from(values.keys());
  const years = Map.groupBy(points, point => new Date(offsets.getLocalTime(timeline.x[point] ?? 0)).getUTCFullYear());
  return [...years].map(([year, pointsOfYear]) => ({
    column,
    values: Float64Array.from(pointsOfYear, point => values[point] ?? NaN),
    name: `${column.name}:${year}`,
    label: String(year),
  }));
}

function sortDescending(values: Float64Array): Float64Array {
  return values
    .filter(value => !Number.isNaN(value))
    .sort()
    .reverse();
}

function createPercentAxis(locale: string): NonTimeAxis {
  const formatNumber = createNumberFormatter(locale, 1);
  const formatPercent = (percent: number): string => t('{0} % of the time', formatNumber(percent));
  return {
    ticks: (window, maxTicks) => createValueTicks(window, maxTicks, locale),
    titles: [t('Share of the time with this value or more, %'), t('Share of the time, %'), '%'],
    label: t('% of the time'),
    format: formatPercent,
    quantity: { name: 'time_pct', field: { label: t('Share of the time'), unit: share, meaning: '' } },
    formatRange: ({ start, end }: TimeWindow) => t('{0} to {1}', formatNumber(start), formatPercent(end)),
  };
}
