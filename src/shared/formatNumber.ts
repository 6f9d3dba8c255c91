import { cellState, type NumberColumn } from './frame.ts';
import { unitOf, type UnitKind } from './units.ts';

/** Determines how a column of numbers is formatted. */
interface NumberShape {
  /** Digits after the decimal point, the same in every row, so that the points align. */
  readonly decimals: number;
  /** The smallest and the largest number; undefined for a column without numbers. */
  readonly range: readonly [min: number, max: number] | undefined;
  /** Whether any number is so large or so small that it is written with an exponent. */
  readonly hasExponents: boolean;
}

/** The most digits after the point. A column shows all digits of its numbers up to here; smaller numbers have an exponent. */
const mostDecimals = 6;
/** Numbers with more digits are computed: with a unit, or in a column with large ones, they have so many, while an index or a price may need more. */
const computedDecimals = 3;
const largeNumber = 100;
const figureDecimals = 3;
/** Larger integers have an exponent: they are hard to read, and their last digits may not be exact. */
const exponentFrom = 1e15;
const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** The shape of a column, from all its numbers. Takes some 10 ms for a million. */
export function numberShape(column: NumberColumn, rowCount: number): NumberShape {
  const known = shapes.get(column);
  if (known?.rowCount === rowCount) return known.shape;
  const shape = readShape(column, rowCount);
  shapes.set(column, { rowCount, shape });
  return shape;
}

/** Cached, since a million numbers take some 15 ms, and a table reads them for each change of its columns. */
const shapes = new WeakMap<NumberColumn, { readonly rowCount: number; readonly shape: NumberShape }>();

function readShape(column: NumberColumn, rowCount: number): NumberShape {
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
  if (isComputed && (unitOf(column.field).text || Math.max(-min, max) >= largeNumber)) decimals = computedDecimals;
  return { decimals, range: min <= max ? [min, max] : undefined, hasExponents };
}

/**
 * Formats numbers with `decimals` digits after the point and the locale's separators. A nonzero number that would be shown as zero has
 * three significant digits, if `most` digits after the point suffice, else an exponent. A negative zero keeps its sign.
 */
export function numberFormatter(locale: string, decimals: number, most = mostDecimals): (value: number) => string {
  const formats: Intl.NumberFormat[] = [];
  let mark: string | undefined;
  return value => {
    const digits = digitsOf(value, decimals, most);
    return digits === undefined
      ? exponential(value).replace('.', (mark ??= decimalMark(locale)))
      : (formats[digits] ??= decimalFormat(locale, digits)).format(value);
  };
}

/** Formats single figures with up to three digits after the point, or up to `decimals`; small ones as `numberFormatter` does. */
export function figureFormatter(locale: string, decimals = figureDecimals): (value: number) => string {
  const usual = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals, numberingSystem: 'latn' });
  const unusual = numberFormatter(locale, decimals);
  return value => (isExponential(value, decimals) ? unusual(value) : usual.format(value));
}

/** Formats single numbers with all digits after the point, as columns do; computed ones, which have too many, as figures. */
export function receivedFormatter(locale: string): (value: number) => string {
  const all = new Intl.NumberFormat(locale, { maximumFractionDigits: mostDecimals, numberingSystem: 'latn' });
  const figure = figureFormatter(locale);
  const isWhole = (value: number): boolean => !isExponential(value, mostDecimals) && fits(value, mostDecimals);
  return value => (isWhole(value) ? all.format(value) : figure(value));
}

/** Numbers on screen keep so many significant digits of the largest beside them. */
const shownDigits = 3;
/** As many as an axis has. */
const maxDecimals = 20;

/**
 * The digits after the point of numbers that a person reads: of shares one, of an index two, of power and energy as many as keep three
 * significant digits of the `largest` absolute value, so none from 100 on. Of other units nobody knows what is worth reading: two, and more where
 * the largest is small. Never more than were `received`, and enough that the largest is not shown as zero.
 */
export function roundedDecimals(kind: UnitKind, largest: number, received = mostDecimals): number {
  const wanted = largest > 0 ? shownDigits - 1 - Math.floor(Math.log10(largest)) : 0;
  const significant = Math.max(0, Math.min(maxDecimals, wanted));
  const usual = { share: 1, index: 2, none: Math.max(2, significant), power: significant, energy: significant }[kind];
  // Numbers with an exponent have no digits after the point that could be counted.
  const most = isExponential(largest, mostDecimals) ? significant : received;
  return Math.min(most, roundsToZero(largest, usual) ? significant : usual);
}

/** The text of a number with `decimals` digits; of one that is not zero and would be shown as zero "~0". `write` formats with these digits. */
export function roundedText(value: number, decimals: number, write: (value: number) => string): string {
  return roundsToZero(value, decimals) ? `~${write(0)}` : write(value);
}

/** Whether that text hides digits of the number. */
export function isRounded(value: number, decimals: number): boolean {
  return roundsToZero(value, decimals) || hidesDigits(value, decimals);
}

function roundsToZero(value: number, decimals: number): boolean {
  return Math.abs(value) < 1 && isExponential(value, decimals);
}

/** Whether the text with `decimals` digits hides digits of the number. */
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

/** The digits after the point of a number's text; undefined for an exponent. */
function digitsOf(value: number, decimals: number, most: number): number | undefined {
  if (!isExponential(value, decimals)) return decimals;
  if (isExponential(value, most)) return undefined;
  return Math.min(most, 2 - Math.floor(Math.log10(Math.abs(value))));
}

/** Whether a number is too large to be written without exponent, or would be shown as zero with these decimals. */
function isExponential(value: number, decimals: number): boolean {
  const size = Math.abs(value);
  return Number.isFinite(value) && (size >= exponentFrom || (size !== 0 && size * power(decimals) < 0.5));
}

function exponential(value: number): string {
  return Number(value.toPrecision(7)).toExponential();
}

/** "." or ",": what stands between the whole and its parts. */
export function decimalMark(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}

/** Whether `decimals` digits after the point represent the number exactly: the division rounds as parsing does. */
function fits(value: number, decimals: number): boolean {
  const scale = power(decimals);
  return Math.round(value * scale) / scale === value;
}

function power(decimals: number): number {
  return powers[decimals] ?? 10 ** decimals;
}

/** The locale for Intl; "en" where Intl rejects VS Code's language. */
export function usableLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Energies from this size on are written in the next larger unit. */
const largest = 100_000;

/** In what energies are shown, and how many MWh each is. */
export const energyUnits = [
  { unit: 'MWh', mwh: 1 },
  { unit: 'GWh', mwh: 1e3 },
  { unit: 'TWh', mwh: 1e6 },
] as const;

/** The unit in which an energy is shown: MWh below 100,000 MWh, GWh below 100,000 GWh, else TWh. */
export function energyUnitOf(mwh: number): (typeof energyUnits)[number] {
  const [small, medium, great] = energyUnits;
  const size = Math.abs(mwh);
  if (!(size >= largest * small.mwh)) return small;
  return size < largest * medium.mwh ? medium : great;
}

/** An energy in the unit in which it is shown. */
export function scaledEnergy(mwh: number): { readonly value: number; readonly unit: string } {
  const { unit, mwh: size } = energyUnitOf(mwh);
  return { value: mwh / size, unit };
}

/** Formats energies given in MWh that stand in one column: in the unit that suits the largest, all with as many digits after the point. */
export function energiesFormatter(locale: string, energies: readonly number[]): (mwh: number) => string {
  const greatest = energies.reduce((most, mwh) => Math.max(most, Math.abs(mwh)), 0);
  const { unit, mwh: size } = energyUnitOf(greatest);
  const known = powers.findIndex((_, some) => energies.every(mwh => fits(mwh / size, some)));
  const decimals = roundedDecimals('energy', greatest / size, known < 0 ? mostDecimals : known);
  const write = numberFormatter(locale, decimals);
  return mwh => `${roundedText(mwh / size + 0, decimals, write)} ${unit}`;
}

/** Formats single energies given in MWh. */
export function energyFormatter(locale: string): (mwh: number) => string {
  return mwh => energiesFormatter(locale, [mwh])(mwh);
}

/**
 * How numbers of tables are written: rounded to what a person reads; with all digits, as the locale writes them; the same with a decimal
 * point and no separators; or digit by digit as they were received.
 */
export const numberStyles = ['rounded', 'digits', 'plain', 'received'] as const;
export type NumberStyle = (typeof numberStyles)[number];
