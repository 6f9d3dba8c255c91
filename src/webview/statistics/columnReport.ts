import type { NumberColumn } from '../../shared/frame.ts';
import { hidesDigits, numberFormatter, numberShape, tableDecimals } from '../../shared/formatNumber.ts';
import { columnHead } from '../columns/head.ts';
import type { ColumnStatistics } from './columnStatistics.ts';
import { counter } from './scope.ts';

/** A column with its statistics, and how its numbers are written. */
export interface ColumnReport {
  readonly column: NumberColumn;
  readonly label: string;
  /** "MW", or empty. */
  readonly unit: string;
  readonly statistics: ColumnStatistics;
  /** A number of the column as the table of rows writes it. */
  readonly received: WriteNumber;
  /** A computed number: with digits enough to tell it from the spread of the values. */
  readonly computed: WriteNumber;
  /** A number of rows. */
  readonly counted: (rows: number) => string;
}

export interface WriteNumber {
  readonly text: (value: number) => string;
  /** The text with the unit. */
  readonly withUnit: (value: number) => string;
  /** All digits where the text does not have them; else empty. */
  readonly exact: (value: number) => string;
}

const mostDecimals = 6;
/** A mean may be much smaller than the values it is of: where these are plain, it is, too. */
const mostPlain = 15;
/** Digits of a computed number that say something. */
const sureDigits = 15;

export function columnReport(column: NumberColumn, statistics: ColumnStatistics, locale: string): ColumnReport {
  const { label, unit } = columnHead(column);
  const shape = numberShape(column, column.values.length);
  const decimals = tableDecimals(column, shape);
  const { summary } = statistics;
  const spread = summary ? (summary.deviation ?? 0) || Math.abs(summary.mean) : 0;
  // Three significant digits of the standard deviation.
  const wanted = spread > 0 ? 2 - Math.floor(Math.log10(spread)) : 0;
  const received = writeNumber(locale, decimals, unit);
  const digits = Math.max(decimals, Math.min(mostDecimals, wanted));
  const computed = writeNumber(locale, digits, unit, shape.hasExponents ? undefined : mostPlain);
  const exact = (value: number): string => computed.exact(Number(value.toPrecision(sureDigits)));
  return { column, label, unit, statistics, received, computed: { ...computed, exact }, counted: counter(locale) };
}

function writeNumber(locale: string, decimals: number, unit: string, most?: number): WriteNumber {
  const text = numberFormatter(locale, decimals, most);
  return {
    text,
    withUnit: value => (unit ? `${text(value)} ${unit}` : text(value)),
    exact: value => (hidesDigits(value, decimals, most) ? String(value) : ''),
  };
}
