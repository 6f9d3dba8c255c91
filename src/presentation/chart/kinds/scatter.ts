import { t } from '@vscode/l10n';
import { forecastField } from '../../../shared/fields.ts';
import { createNumberFormatter } from '../../../shared/formatNumber.ts';
import type { Frame } from '../../../shared/frame.ts';
import { sortedIndexesOfNumbers } from '../../../core/sort/radixSort.ts';
import { createColumnHeader, labelWithUnit } from '../../columns/columnHeader.ts';
import { createNumberColumnFormat } from '../../columns/numberColumnFormat.ts';
import { createColumnChoice, type ChartChoice } from '../chartChoice.ts';
import { findCycleColumn, findNumberColumn } from '../../../core/frame/chartColumns.ts';
import { createLineLayer, mainLineStyle, createNamedLineLayer, getUnitText } from '../layers.ts';
import { createValueTicks } from '../nonTimeAxes.ts';
import { assignSeriesColors } from '../palette.ts';
import type { DrawContext, DrawnPlot, Layer } from '../plot.ts';
import { getTimelineValues } from '../timeline.ts';

export function listScatterChoices(frame: Frame): readonly ChartChoice[] {
  return [
    createColumnChoice(frame, 'scatter.x', t('X')),
    createColumnChoice(frame, 'scatter.y', t('Y'), forecastField),
  ];
}

/** Draws one column over another: a dot for each row that has both values, and the regression line. */
export function drawScatter({ model: { locale }, frame, options, timeline, selectedIds }: DrawContext): DrawnPlot {
  const [xColumn, yColumn] = selectedIds.map(name => findNumberColumn(frame, name));
  if (!xColumn || !yColumn) return { layers: [], axes: [] };
  const xs = getTimelineValues(timeline, xColumn);
  const ys = getTimelineValues(timeline, yColumn);
  const order = sortedIndexesOfNumbers(xs.slice(), false).filter(
    point => !Number.isNaN(xs[point]) && !Number.isNaN(ys[point]),
  );
  const x = Float64Array.from(order, point => xs[point] ?? 0);
  const y = Float64Array.from(order, point => ys[point] ?? 0);
  const fit = computeRegression(x, y);
  const dots: Layer = {
    ...createLineLayer(yColumn, y, options, 0, {
      color: assignSeriesColors([yColumn.name])(yColumn.name),
      dash: 0,
      width: 1,
    }),
    kind: 'dots',
  };
  const fitted = fit && x.map(value => fit.intercept + fit.slope * value);
  const line =
    fitted && createNamedLineLayer('regression', t('Regression'), yColumn, fitted, options, 0, mainLineStyle);
  const [min = 0, max = 1] = [x[0], x.at(-1)];
  const margin = (max - min || Math.abs(min) || 1) / 50;
  const { format: formatX } = createNumberColumnFormat(xColumn, frame.rowCount, locale, 'rounded');
  const xLabel = labelWithUnit(createColumnHeader(xColumn));
  return {
    layers: [dots, ...(line ? [line] : [])],
    axes: [{ unit: getUnitText(yColumn), zero: false }],
    isStepped: false,
    caption: fit
      ? describeRegression(fit, x.length, labelWithUnit(createColumnHeader(yColumn)), xLabel, locale)
      : t('{0} rows have both values.', x.length),
    horizontalAxis: {
      timeline: { x, rows: undefined, intervalMs: undefined },
      domain: { start: min - margin, end: max + margin },
      ...(!findCycleColumn(frame) && { instants: Float64Array.from(order, point => timeline.x[point] ?? NaN) }),
      axis: {
        ticks: (window, maxTicks) => createValueTicks(window, maxTicks, locale),
        titles: [xLabel],
        label: xLabel,
        format: position =>
          `${createColumnHeader(xColumn).label} ${[formatX(position), getUnitText(xColumn)].filter(Boolean).join(' ')}`,
        quantity: xColumn,
        formatRange: ({ start, end }) =>
          t('{0} to {1}', formatX(start), `${formatX(end)} ${getUnitText(xColumn)}`.trim()),
      },
    },
  };
}

/** A regression line, and the share of the variance of y that it explains. */
export interface Regression {
  readonly slope: number;
  readonly intercept: number;
  /** r², 0 to 1. */
  readonly rSquared: number;
}

/**
 * Computes an ordinary least squares regression in two passes, from differences to the means, since sums of squares of large numbers lose
 * precision. Undefined for fewer than two points, and if x or y is constant.
 */
export function computeRegression(x: Float64Array, y: Float64Array): Regression | undefined {
  const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(x);
  const meanY = mean(y);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let point = 0; point < x.length; point++) {
    const dx = (x[point] ?? 0) - meanX;
    const dy = (y[point] ?? 0) - meanY;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0 && yy > 0)) return undefined;
  const slope = xy / xx;
  return { slope, intercept: meanY - slope * meanX, rSquared: Math.min(1, (xy * xy) / (xx * yy)) };
}

function describeRegression(
  { slope, intercept, rSquared }: Regression,
  rows: number,
  y: string,
  x: string,
  locale: string,
): string {
  const digits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 });
  const share = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  const sign = slope < 0 ? '−' : '+';
  const line = `${y} = ${digits.format(intercept)} ${sign} ${digits.format(Math.abs(slope))} × ${x}`;
  return t(
    '{0}; r² = {1}, least squares over {2} rows.',
    line,
    share.format(rSquared),
    createNumberFormatter(locale, 0)(rows),
  );
}
