import { t } from '@vscode/l10n';
import { createCycleBinLookup } from '../../../core/bins/resampleFrame.ts';
import { quantile } from '../../../core/statistics/quantile.ts';
import { subtractDecimals } from '../../../core/statistics/decimalSum.ts';
import { forecastField } from '../../../shared/fields.ts';
import { cellState, type Frame } from '../../../shared/frame.ts';
import { getDifferenceUnit, isSameUnit, unitOf } from '../../../shared/units.ts';
import { createColumnHeader } from '../../columns/columnHeader.ts';
import { createColumnChoice, type ChartChoice } from '../chartChoice.ts';
import { columnsWithSameUnit, findNumberColumn } from '../../../core/frame/chartColumns.ts';
import { createNamedLineLayer } from '../layers.ts';
import { assignSeriesColors } from '../palette.ts';
import type { DrawContext, DrawnPlot, Layer, LayerStyle } from '../plot.ts';
import { getTimelineValues } from '../timeline.ts';

export function listForecastErrorChoices(frame: Frame): readonly ChartChoice[] {
  const forecast = createColumnChoice(frame, 'error.forecast', t('Forecast'), forecastField);
  return [createColumnChoice(frame, 'error.actual', t('Actual')), forecast];
}

/** Whether two columns have the same unit, so that one may be the forecast of the other. */
export function canDrawForecastError(frame: Frame): boolean {
  return columnsWithSameUnit(frame).size > 0;
}

/**
 * Draws the forecast error, actual minus forecast, over time. Two limit lines show the 5 % and 95 % quantiles of the errors at the same
 * hour of the day in the display zone.
 */
export function drawForecastError({ model, frame, options, timeline, selectedIds }: DrawContext): DrawnPlot {
  const [actual, forecast] = selectedIds.map(name => findNumberColumn(frame, name));
  if (!actual || !forecast || !isSameUnit(unitOf(actual.field), unitOf(forecast.field)))
    return { layers: [], axes: [], caption: t('An error is the difference of two columns with the same unit.') };
  const actuals = getTimelineValues(timeline, actual);
  const forecasts = getTimelineValues(timeline, forecast);
  const errors = actuals.map((value, point) => subtractDecimals(value, forecasts[point] ?? NaN));
  const hours = Array.from(timeline.x, createCycleBinLookup('hourOfDay', model.zone));
  const errorsByHour = Array.from({ length: 24 }, (): number[] => []);
  errors.forEach((error, point) => Number.isNaN(error) || errorsByHour[hours[point] ?? 0]?.push(error));
  const sortedErrors = errorsByHour.map(list => Float64Array.from(list).sort());
  const computeBounds = (share: number): Float64Array => {
    const bounds = sortedErrors.map(list => quantile(list, share));
    return errors.map((error, point) => (Number.isNaN(error) ? NaN : (bounds[hours[point] ?? 0] ?? NaN)));
  };
  const name = t('Error');
  const meaning = t('{0} minus {1}', createColumnHeader(actual).label, createColumnHeader(forecast).label);
  const gaps = new Uint8Array(errors.length).fill(cellState.value);
  const field = { label: name, unit: getDifferenceUnit(unitOf(actual.field)), meaning, isDerived: true } as const;
  const column = { ...actual, name: 'error', values: errors, gaps, field };
  const createLine = (id: string, label: string, values: Float64Array, style: LayerStyle): Layer =>
    createNamedLineLayer(id, label, column, values, options, 0, style);
  const limitStyle = { color: assignSeriesColors([forecastField])(forecastField), dash: 0, width: 1 };
  const lower = computeBounds(0.05);
  const upper = computeBounds(0.95);
  // The limits are quantiles over many days, so they have no energy.
  const createLimit = (id: string, label: string, values: Float64Array): Layer => ({
    ...createLine(id, label, values, limitStyle),
    help: meaning,
    hasEnergy: false,
    isLimit: true,
  });
  const bandEdges = options.hidden.includes('p95') ? [lower] : [lower, upper];
  return {
    layers: [
      { ...createLimit('p5', t('5 % of the errors at this hour of the day'), lower), edges: bandEdges },
      createLimit('p95', t('95 % of the errors at this hour of the day'), upper),
      createLine('error', name, errors, { color: 'foreground', dash: 0, width: 1.5 }),
    ],
    axes: [{ unit: unitOf(actual.field).text, zero: true }],
    caption: t('Error is {0}.', meaning),
  };
}
