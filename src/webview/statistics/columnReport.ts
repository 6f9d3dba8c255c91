import { t } from '@vscode/l10n';
import {
  createEnergyFormatter,
  hidesDigits,
  isRounded,
  createNumberFormatter,
  getNumberShape,
  computeDisplayDecimals,
  formatRounded,
  type NumberStyle,
} from '../../shared/formatNumber.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { ColumnStatistics } from '../../core/statistics/columnStatistics.ts';
import type { Energy } from '../../core/statistics/energy.ts';
import { unitOf, type UnitKind } from '../../shared/units.ts';
import { createColumnHeader } from '../../presentation/columns/columnHeader.ts';
import { createCountFormatter } from '../../presentation/columns/numberColumnFormat.ts';

/** A column with its statistics, and the formats of its numbers. */
export interface ColumnReport {
  readonly column: NumberColumn;
  readonly label: string;
  /** "MW", or empty. */
  readonly unit: string;
  readonly kind: UnitKind;
  /** Undefined if the unit has no energy, no row has a value, or the length of a row is unknown. */
  readonly energy: FormattedEnergy | undefined;
  readonly statistics: ColumnStatistics;
  /** Formats a number of the column. */
  readonly received: NumberWriter;
  /** Formats a number computed from several numbers of the column. */
  readonly computed: NumberWriter;
  /** The unrounded formats: received numbers with all their digits, computed ones with digits that suit the spread of the values. */
  readonly digits: Pick<ColumnReport, 'received' | 'computed'>;
  /** Formats a number of rows. */
  readonly formatCount: (rows: number) => string;
}

interface FormattedEnergy {
  /** "18,522.6 GWh" */
  readonly amount: string;
  /** The length of the rows with a value: "742 h". */
  readonly hours: string;
  /** All digits, in MWh. */
  readonly exact: string;
  /** Formats another energy in the same way. */
  readonly format: (mwh: number) => string;
}

export interface NumberWriter {
  readonly text: (value: number) => string;
  /** Formats the number with its unit. */
  readonly withUnit: (value: number) => string;
  /** Returns all digits if the text hides some; else an empty text. */
  readonly exact: (value: number) => string;
}

const maxDecimals = 6;
/** The maximum number of digits of computed numbers in a column without exponents. It keeps a mean that is much smaller than the values from having an exponent. */
const maxPlainDigits = 15;
/** Significant digits of a computed number. */
const significantDigits = 15;

export function createColumnReport(
  column: NumberColumn,
  statistics: ColumnStatistics,
  locale: string,
  numbers: NumberStyle,
): ColumnReport {
  const { label, unit } = createColumnHeader(column);
  const { decimals, range = [0], hasExponents } = getNumberShape(column, column.values.length);
  const { summary } = statistics;
  const spread = summary ? (summary.deviation ?? 0) || Math.abs(summary.mean) : 0;
  // Computed numbers show three significant digits of the standard deviation.
  const spreadDecimals = spread > 0 ? 2 - Math.floor(Math.log10(spread)) : 0;
  const received = createNumberWriter(locale, decimals, unit);
  const computedDecimals = Math.max(decimals, Math.min(maxDecimals, spreadDecimals));
  const computed = limitExactDigits(
    createNumberWriter(locale, computedDecimals, unit, hasExponents ? undefined : maxPlainDigits),
  );
  const formatCount = createCountFormatter(locale);
  const { kind } = unitOf(column.field);
  const energy = statistics.energy && formatEnergy(statistics.energy, locale);
  const exactWriters = { received, computed };
  const report = { column, label, unit, kind, energy, statistics, formatCount, digits: exactWriters };
  if (numbers !== 'rounded') return { ...report, ...exactWriters };
  const createRounded = (maxDigits?: number): NumberWriter =>
    createRoundedWriter(locale, computeDisplayDecimals(kind, Math.max(...range.map(Math.abs)), maxDigits), unit);
  return { ...report, received: createRounded(decimals), computed: limitExactDigits(createRounded()) };
}

/** Rounds the exact text of a computed number, whose last digits are rounding errors. */
function limitExactDigits({ exact, ...write }: NumberWriter): NumberWriter {
  return { ...write, exact: value => exact(Number(value.toPrecision(significantDigits))) };
}

function formatEnergy({ mwh, hours }: Energy, locale: string): FormattedEnergy {
  const format = createEnergyFormatter(locale);
  return {
    amount: format(mwh),
    hours: t('{0} h', createCountFormatter(locale)(hours)),
    exact: `${mwh} MWh`,
    format,
  };
}

function createNumberWriter(locale: string, decimals: number, unit: string, maxDigits?: number): NumberWriter {
  const text = createNumberFormatter(locale, decimals, maxDigits);
  return createWriter(text, unit, value => hidesDigits(value, decimals, maxDigits));
}

function createRoundedWriter(locale: string, decimals: number, unit: string): NumberWriter {
  const format = createNumberFormatter(locale, decimals);
  return createWriter(
    value => formatRounded(value, decimals, format),
    unit,
    value => isRounded(value, decimals),
  );
}

function createWriter(text: NumberWriter['text'], unit: string, isHidden: (value: number) => boolean): NumberWriter {
  return {
    text,
    withUnit: value => (unit ? `${text(value)} ${unit}` : text(value)),
    exact: value => (isHidden(value) ? String(value) : ''),
  };
}
