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
import { columnHeader } from '../../presentation/columns/columnHeader.ts';
import { countFormatter } from '../../presentation/columns/numberTexts.ts';

/** A column with its statistics, and how its numbers are written. */
export interface ColumnReport {
  readonly column: NumberColumn;
  readonly label: string;
  /** "MW", or empty. */
  readonly unit: string;
  readonly kind: UnitKind;
  /** Undefined where the unit has none, no row has a value, or it is not known how long a row lasts. */
  readonly energy: EnergyText | undefined;
  readonly statistics: ColumnStatistics;
  /** A number of the column, and one computed of several. */
  readonly received: WriteNumber;
  readonly computed: WriteNumber;
  /** The same without rounding: that of the column with all its digits, a computed one with digits that suit the spread of the values. */
  readonly digits: Pick<ColumnReport, 'received' | 'computed'>;
  /** A number of rows. */
  readonly counted: (rows: number) => string;
}

interface EnergyText {
  /** "18,522.6 GWh" */
  readonly amount: string;
  /** "742 h": how long the rows with a value last. */
  readonly hours: string;
  /** All digits, in MWh. */
  readonly exact: string;
  /** Writes another energy the same way. */
  readonly write: (mwh: number) => string;
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
const mostPlainDigits = 15;
/** Significant digits of a computed number. */
const significantDigits = 15;

export function columnReport(
  column: NumberColumn,
  statistics: ColumnStatistics,
  locale: string,
  numbers: NumberStyle,
): ColumnReport {
  const { label, unit } = columnHeader(column);
  const { decimals, range = [0], hasExponents } = getNumberShape(column, column.values.length);
  const { summary } = statistics;
  const spread = summary ? (summary.deviation ?? 0) || Math.abs(summary.mean) : 0;
  // Three significant digits of the standard deviation.
  const wanted = spread > 0 ? 2 - Math.floor(Math.log10(spread)) : 0;
  const received = writeNumber(locale, decimals, unit);
  const digits = Math.max(decimals, Math.min(mostDecimals, wanted));
  const computed = exactly(writeNumber(locale, digits, unit, hasExponents ? undefined : mostPlainDigits));
  const counted = countFormatter(locale);
  const { kind } = unitOf(column.field);
  const energy = statistics.energy && energyText(statistics.energy, locale);
  const all = { received, computed };
  const report = { column, label, unit, kind, energy, statistics, counted, digits: all };
  if (numbers !== 'rounded') return { ...report, ...all };
  const rounded = (most?: number): WriteNumber =>
    writeRounded(locale, computeDisplayDecimals(kind, Math.max(...range.map(Math.abs)), most), unit);
  return { ...report, received: rounded(decimals), computed: exactly(rounded()) };
}

/** Without the last digits of a computed number, which are those of the computation. */
function exactly({ exact, ...write }: WriteNumber): WriteNumber {
  return { ...write, exact: value => exact(Number(value.toPrecision(significantDigits))) };
}

function energyText({ mwh, hours }: Energy, locale: string): EnergyText {
  const write = createEnergyFormatter(locale);
  return {
    amount: write(mwh),
    hours: t('{0} h', countFormatter(locale)(hours)),
    exact: `${mwh} MWh`,
    write,
  };
}

function writeNumber(locale: string, decimals: number, unit: string, most?: number): WriteNumber {
  const text = createNumberFormatter(locale, decimals, most);
  return writer(text, unit, value => hidesDigits(value, decimals, most));
}

function writeRounded(locale: string, decimals: number, unit: string): WriteNumber {
  const write = createNumberFormatter(locale, decimals);
  return writer(
    value => formatRounded(value, decimals, write),
    unit,
    value => isRounded(value, decimals),
  );
}

function writer(text: WriteNumber['text'], unit: string, hides: (value: number) => boolean): WriteNumber {
  return {
    text,
    withUnit: value => (unit ? `${text(value)} ${unit}` : text(value)),
    exact: value => (hides(value) ? String(value) : ''),
  };
}
