import { cellState, type NumberColumn } from './frame.ts';
import { unitOf } from './units.ts';

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

/** Formats single figures with up to three digits after the point; small ones as `numberFormatter` does. */
export function figureFormatter(locale: string): (value: number) => string {
  const usual = new Intl.NumberFormat(locale, { maximumFractionDigits: figureDecimals, numberingSystem: 'latn' });
  const unusual = numberFormatter(locale, figureDecimals);
  return value => (isExponential(value, figureDecimals) ? unusual(value) : usual.format(value));
}

/** Formats single numbers with all digits after the point, as columns do; computed ones, which have too many, as figures. */
export function receivedFormatter(locale: string): (value: number) => string {
  const all = new Intl.NumberFormat(locale, { maximumFractionDigits: mostDecimals, numberingSystem: 'latn' });
  const figure = figureFormatter(locale);
  const isWhole = (value: number): boolean => !isExponential(value, mostDecimals) && fits(value, mostDecimals);
  return value => (isWhole(value) ? all.format(value) : figure(value));
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
const mwhDecimals = 3;
/** Of energies in GWh and TWh: "18,522.6 GWh". */
const significantDigits = 6;

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

/** Formats energies given in MWh: in MWh with up to three digits after the point, in larger units with six significant digits. */
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

/** Formats energies given in MWh that stand in one column: in the unit that suits the largest, all with as many digits after the point. */
export function energiesFormatter(locale: string, energies: readonly number[]): (mwh: number) => string {
  const { unit, mwh: size } = energyUnitOf(energies.reduce((most, mwh) => Math.max(most, Math.abs(mwh)), 0));
  const decimals = [0, 1, 2].find(some => energies.every(mwh => fits(mwh / size, some))) ?? mwhDecimals;
  const write = numberFormatter(locale, decimals);
  return mwh => `${write(mwh / size)} ${unit}`;
}

/**
 * How numbers are written: as the locale does; so, with power and energy in whole MW and MWh; with a decimal point and no separators; or
 * with every digit they have.
 */
export const numberStyles = ['locale', 'whole', 'plain', 'full'] as const;
export type NumberStyle = (typeof numberStyles)[number];
