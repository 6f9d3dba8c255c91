import { cellState, type NumberColumn } from './frame.ts';
import { unitOf } from './units.ts';

/** What decides how a column of numbers is written. */
export interface NumberShape {
  /** Digits after the decimal point, the same in every row, so that the points stand below each other. */
  readonly decimals: number;
  /** The smallest and largest number; undefined for a column without any. */
  readonly range: readonly [min: number, max: number] | undefined;
  /** Whether a number is so large or so small that it is written with an exponent. */
  readonly hasExponents: boolean;
}

/** A column shows all digits after the point that its numbers have, up to so many; a number that would need more to be read has an exponent. */
const mostDecimals = 6;
/** Numbers with more are computed: of those with a unit more digits than these are noise, while an index or a price may need them. */
const computedDecimals = 3;
const figureDecimals = 3;
/** From here on a grouped integer is longer than anyone reads, and its last digits are no longer exact. */
const exponentFrom = 1e15;
const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** The shape of a column, from all its numbers: one number that is missed would be shown rounded. Takes some 10 ms for a million. */
export function numberShape(column: NumberColumn, rowCount: number): NumberShape {
  let hasExponents = false;
  let decimals = 0;
  let isComputed = false;
  let min = Infinity;
  let max = -Infinity;
  for (let row = 0; row < rowCount; row++) {
    const value = column.values[row];
    if (value === undefined || !Number.isFinite(value)) continue;
    if (column.gaps && column.gaps[row] !== cellState.value) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    if (isExponential(value, mostDecimals)) {
      hasExponents = true;
      continue;
    }
    while (decimals < mostDecimals && !fits(value, decimals)) decimals++;
    isComputed ||= decimals === mostDecimals && !fits(value, decimals);
  }
  if (isComputed && unitOf(column.field).text) decimals = computedDecimals;
  return { decimals, range: min <= max ? [min, max] : undefined, hasExponents };
}

/**
 * Writes numbers with `decimals` digits after the point and the locale's separators. A number that would read as zero and is none
 * has three digits of its own, if they stand within `most` after the point, and else an exponent. A negative zero keeps its sign.
 */
export function numberFormatter(locale: string, decimals: number, most = mostDecimals): (value: number) => string {
  const formats: Intl.NumberFormat[] = [];
  return value => {
    const digits = digitsOf(value, decimals, most);
    return digits === undefined
      ? exponential(value)
      : (formats[digits] ??= decimalFormat(locale, digits)).format(value);
  };
}

/** Writes single figures: with up to three digits after the point, as many as they have; else as `numberFormatter` does. */
export function figureFormatter(locale: string): (value: number) => string {
  const usual = new Intl.NumberFormat(locale, { maximumFractionDigits: figureDecimals, numberingSystem: 'latn' });
  const unusual = numberFormatter(locale, figureDecimals);
  return value => (isExponential(value, figureDecimals) ? unusual(value) : usual.format(value));
}

/** Writes single numbers as a service sent them: with all digits after the point, as columns have them; those with more are computed, and figures. */
export function receivedFormatter(locale: string): (value: number) => string {
  const all = new Intl.NumberFormat(locale, { maximumFractionDigits: mostDecimals, numberingSystem: 'latn' });
  const figure = figureFormatter(locale);
  const isWhole = (value: number): boolean => !isExponential(value, mostDecimals) && fits(value, mostDecimals);
  return value => (isWhole(value) ? all.format(value) : figure(value));
}

/** Whether the text at `decimals` digits says less than the number. */
export function hidesDigits(value: number, decimals: number, most = mostDecimals): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = digitsOf(value, decimals, most);
  return digits === undefined ? Number(exponential(value)) !== value : !fits(value, digits);
}

function decimalFormat(locale: string, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
  });
}

/** How many digits after the point a number is written with; undefined for an exponent. */
function digitsOf(value: number, decimals: number, most: number): number | undefined {
  if (!isExponential(value, decimals)) return decimals;
  if (isExponential(value, most)) return undefined;
  return Math.min(most, 2 - Math.floor(Math.log10(Math.abs(value))));
}

/** Whether a number is too large to be written out, or so small that it would read as zero at these decimals. */
export function isExponential(value: number, decimals: number): boolean {
  const size = Math.abs(value);
  return Number.isFinite(value) && (size >= exponentFrom || (size !== 0 && size * power(decimals) < 0.5));
}

function exponential(value: number): string {
  return Number(value.toPrecision(7)).toExponential();
}

/** Whether `decimals` digits after the point read back as exactly this number: the division is rounded as the reading would be. */
function fits(value: number, decimals: number): boolean {
  const scale = power(decimals);
  return Math.round(value * scale) / scale === value;
}

function power(decimals: number): number {
  return powers[decimals] ?? 10 ** decimals;
}

/** The locale as Intl takes it; "en" where VS Code's language is no tag that Intl knows. */
export function usableLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** From this many of a unit on, an energy is written in the next larger one. */
const largest = 100_000;
const mwhDecimals = 3;
/** In all, of a larger unit: "18,522.6 GWh". */
const significantDigits = 6;

/** An energy in the unit in which it is written: MWh below 100,000 MWh, GWh below 100,000 GWh, else TWh. */
export function scaledEnergy(mwh: number): { readonly value: number; readonly unit: 'MWh' | 'GWh' | 'TWh' } {
  const size = Math.abs(mwh);
  if (!(size >= largest)) return { value: mwh, unit: 'MWh' };
  return size < largest * 1e3 ? { value: mwh / 1e3, unit: 'GWh' } : { value: mwh / 1e6, unit: 'TWh' };
}

/** Writes energies in MWh: those in MWh with up to three digits after the point, larger ones with six digits in all. */
export function energyFormatter(locale: string): (mwh: number) => string {
  const unusual = numberFormatter(locale, mwhDecimals);
  return mwh => {
    const { value, unit } = scaledEnergy(mwh);
    if (isExponential(value, mwhDecimals) || !Number.isFinite(value)) return `${unusual(value)} ${unit}`;
    const whole = Math.floor(Math.log10(Math.max(1, Math.abs(value)))) + 1;
    const format = new Intl.NumberFormat(locale, {
      maximumFractionDigits: unit === 'MWh' ? mwhDecimals : Math.max(0, significantDigits - whole),
      numberingSystem: 'latn',
      signDisplay: 'negative',
    });
    return `${format.format(value)} ${unit}`;
  };
}
