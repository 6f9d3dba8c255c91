import { t } from '@vscode/l10n';
import { ZoneOffsets } from '../../../core/time/zoneOffsets.ts';
import type { NumberColumn } from '../../../shared/frame.ts';
import { createNumberFormatter } from '../../../shared/formatNumber.ts';
import { share } from '../../../shared/units.ts';
import { columnHeader } from '../../columns/columnHeader.ts';
import type { ChartChoice } from '../chartChoice.ts';
import { findNumberColumn } from '../../../core/frame/chartColumns.ts';
import type { ChartModel, TimeRange } from '../chartModel.ts';
import { axesOf, namedLine, lineStyle } from '../layers.ts';
import { coloursOfColumns } from '../palette.ts';
import type { Drawing, DrawnPlot, Layer, OtherAxis } from '../plot.ts';
import { evenTimeline, valuesAlong, type Timeline } from '../timeline.ts';
import { valueTicks } from '../otherAxes.ts';

export function durationChoices(): readonly ChartChoice[] {
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
export function durationCurves({ model, frame, options, timeline: received, chosen: [by] }: Drawing): DrawnPlot {
  const timeline = evenTimeline(received);
  const columns = options.columns.flatMap(name => findNumberColumn(frame, name) ?? []);
  const { units, axisOf } = axesOf(columns);
  const curves =
    by === 'years'
      ? columns.slice(0, 1).flatMap(column => curvesOfYears(column, model, timeline))
      : columns.map(column => ({ column, values: valuesAlong(timeline, column), name: column.name, label: undefined }));
  const colourOf = coloursOfColumns(curves.map(({ name }) => name));
  const sorted = curves.map(curve => ({ ...curve, values: descending(curve.values) }));
  const count = Math.max(1, ...sorted.map(({ values }) => values.length));
  const step = 100 / count;
  const layers = sorted.flatMap(({ column, values, name, label }, index): Layer[] => {
    const axis = axisOf(column);
    if (axis === undefined) return [];
    const along = Float64Array.from(
      { length: count },
      (_, point) => values[Math.floor((point * values.length) / count)] ?? NaN,
    );
    const style = lineStyle(colourOf(name), index);
    return [namedLine(name, label ?? columnHeader(column).label, column, along, options, axis, style)];
  });
  return {
    layers,
    axes: units.map(unit => ({ unit, zero: 'near' as const })),
    stepped: true,
    caption: t(
      'Values in descending order: a tenth of the time had the value at 10 % or more. Rows without a value are omitted.',
    ),
    along: {
      timeline: { x: Float64Array.from({ length: count }, (_, point) => point * step), rows: undefined, step },
      domain: { start: 0, end: 100 },
      axis: percentAxis(model.locale),
    },
  };
}

function curvesOfYears(column: NumberColumn, { zone }: ChartModel, timeline: Timeline) {
  const values = valuesAlong(timeline, column);
  const clock = new ZoneOffsets(zone.timeZone);
  const points = Array.from(values.keys());
  const years = Map.groupBy(points, point => new Date(clock.wallAt(timeline.x[point] ?? 0)).getUTCFullYear());
  return [...years].map(([year, ofYear]) => ({
    column,
    values: Float64Array.from(ofYear, point => values[point] ?? NaN),
    name: `${column.name}:${year}`,
    label: String(year),
  }));
}

function descending(values: Float64Array): Float64Array {
  return values
    .filter(value => !Number.isNaN(value))
    .sort()
    .reverse();
}

function percentAxis(locale: string): OtherAxis {
  const write = createNumberFormatter(locale, 1);
  const at = (part: number): string => t('{0} % of the time', write(part));
  return {
    ticks: (window, most) => valueTicks(window, most, locale),
    titles: [t('Share of the time with this value or more, %'), t('Share of the time, %'), '%'],
    label: t('% of the time'),
    at,
    quantity: { name: 'time_pct', field: { label: t('Share of the time'), unit: share, meaning: '' } },
    range: ({ start, end }: TimeRange) => t('{0} to {1}', write(start), at(end)),
  };
}
