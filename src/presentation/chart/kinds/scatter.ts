import { t } from '@vscode/l10n';
import { forecastField } from '../../../shared/fields.ts';
import { createNumberFormatter } from '../../../shared/formatNumber.ts';
import type { Frame } from '../../../shared/frame.ts';
import { sortedIndexesOfNumbers } from '../../../core/sort/radixSort.ts';
import { columnHeader, labelWithUnit } from '../../columns/columnHeader.ts';
import { numberTexts } from '../../columns/numberTexts.ts';
import { columnChoice, type ChartChoice } from '../chartChoice.ts';
import { findCycleColumn, findNumberColumn } from '../../../core/frame/chartColumns.ts';
import { lineOf, mainLine, namedLine, unitText } from '../layers.ts';
import { valueTicks } from '../otherAxes.ts';
import { coloursOfColumns } from '../palette.ts';
import type { Drawing, DrawnPlot, Layer } from '../plot.ts';
import { valuesAlong } from '../timeline.ts';

export function scatterChoices(frame: Frame): readonly ChartChoice[] {
  return [columnChoice(frame, 'scatter.x', t('X')), columnChoice(frame, 'scatter.y', t('Y'), forecastField)];
}

/** Draws one column over another: a dot for each row that has both values, and the regression line. */
export function scatter({ model: { locale }, frame, options, timeline, chosen }: Drawing): DrawnPlot {
  const [across, up] = chosen.map(name => findNumberColumn(frame, name));
  if (!across || !up) return { layers: [], axes: [] };
  const [xs, ys] = [valuesAlong(timeline, across), valuesAlong(timeline, up)];
  const order = sortedIndexesOfNumbers(xs.slice(), false).filter(
    point => !Number.isNaN(xs[point]) && !Number.isNaN(ys[point]),
  );
  const x = Float64Array.from(order, point => xs[point] ?? 0);
  const y = Float64Array.from(order, point => ys[point] ?? 0);
  const fit = regression(x, y);
  const dots: Layer = {
    ...lineOf(up, y, options, 0, { colour: coloursOfColumns([up.name])(up.name), dash: 0, width: 1 }),
    kind: 'dots',
  };
  const fitted = fit && x.map(value => fit.intercept + fit.slope * value);
  const line = fitted && namedLine('regression', t('Regression'), up, fitted, options, 0, mainLine);
  const [least = 0, greatest = 1] = [x[0], x.at(-1)];
  const margin = (greatest - least || Math.abs(least) || 1) / 50;
  const { format: write } = numberTexts(across, frame.rowCount, locale, 'rounded');
  const named = labelWithUnit(columnHeader(across));
  return {
    layers: [dots, ...(line ? [line] : [])],
    axes: [{ unit: unitText(up), zero: false }],
    stepped: false,
    caption: fit
      ? fitSentence(fit, x.length, labelWithUnit(columnHeader(up)), named, locale)
      : t('{0} rows have both values.', x.length),
    along: {
      timeline: { x, rows: undefined, step: undefined },
      domain: { start: least - margin, end: greatest + margin },
      ...(!findCycleColumn(frame) && { moments: Float64Array.from(order, point => timeline.x[point] ?? NaN) }),
      axis: {
        ticks: (window, most) => valueTicks(window, most, locale),
        titles: [named],
        label: named,
        at: place => `${columnHeader(across).label} ${[write(place), unitText(across)].filter(Boolean).join(' ')}`,
        quantity: across,
        range: ({ start, end }) => t('{0} to {1}', write(start), `${write(end)} ${unitText(across)}`.trim()),
      },
    },
  };
}

/** A regression line, and the share of the variance of y that it explains. */
export interface Regression {
  readonly slope: number;
  readonly intercept: number;
  /** r², 0 to 1. */
  readonly explained: number;
}

/**
 * Computes an ordinary least squares regression in two passes, from differences to the means, since sums of squares of large numbers lose
 * precision. Undefined for fewer than two points, and if x or y is constant.
 */
export function regression(x: Float64Array, y: Float64Array): Regression | undefined {
  const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let point = 0; point < x.length; point++) {
    const [dx, dy] = [(x[point] ?? 0) - meanX, (y[point] ?? 0) - meanY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0 && yy > 0)) return undefined;
  const slope = xy / xx;
  return { slope, intercept: meanY - slope * meanX, explained: Math.min(1, (xy * xy) / (xx * yy)) };
}

function fitSentence(
  { slope, intercept, explained }: Regression,
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
    share.format(explained),
    createNumberFormatter(locale, 0)(rows),
  );
}
