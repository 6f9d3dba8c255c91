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

/** The maximum number of digits after the point. A column shows all digits up to here; smaller numbers have an exponent. */
const maxDecimals = 6;
/** Numbers with more than `maxDecimals` digits are computed. In a column with a unit or large numbers they get this many; an index or a price may need more. */
const computedDecimals = 3;
const largeNumber = 100;
/** Money is computed to the cent. */
const moneyDecimals = 2;
const figureDecimals = 3;
/** Larger integers have an exponent: they are hard to read, and their last digits may not be exact. */
const minExponentSize = 1e15;
const powersOfTen = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** Returns the shape of a column. The first call takes some 15 ms for a million numbers. */
export function getNumberShape(column: NumberColumn, rowCount: number): NumberShape {
  const cached = cachedShapes.get(column);
  if (cached?.rowCount === rowCount) return cached.shape;
  const shape = computeShape(column, rowCount);
  cachedShapes.set(column, { rowCount, shape });
  return shape;
}

/** Caches the shapes, since a table needs them at each change of its columns. */
const cachedShapes = new WeakMap<NumberColumn, { readonly rowCount: number; readonly shape: NumberShape }>();

function computeShape(column: NumberColumn, rowCount: number): NumberShape {
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
    if (needsExponent(value, maxDecimals)) {
      hasExponents = true;
      continue;
    }
    while (decimals < maxDecimals && !isExactWith(value, decimals)) decimals++;
    isComputed ||= decimals === maxDecimals && !isExactWith(value, decimals);
  }
  const { kind, text } = unitOf(column.field);
  if (isComputed && (text || Math.max(-min, max) >= largeNumber))
    decimals = kind === 'money' ? moneyDecimals : computedDecimals;
  return { decimals, range: min <= max ? [min, max] : undefined, hasExponents };
}

/**
 * Formats numbers with `decimals` digits after the point and the locale's separators. A nonzero number that would be shown as zero has
 * three significant digits, if `maxDigits` digits after the point suffice, else an exponent. A negative zero keeps its sign.
 */
export function createNumberFormatter(
  locale: string,
  decimals: number,
  maxDigits = maxDecimals,
): (value: number) => string {
  const formats: Intl.NumberFormat[] = [];
  let separator: string | undefined;
  return value => {
    const digits = countDecimals(value, decimals, maxDigits);
    return digits === undefined
      ? formatExponential(value).replace('.', (separator ??= getDecimalSeparator(locale)))
      : (formats[digits] ??= createDecimalFormat(locale, digits)).format(value);
  };
}

/** Formats single figures with up to `decimals` digits after the point; small ones like `createNumberFormatter`. */
export function createFigureFormatter(locale: string, decimals = figureDecimals): (value: number) => string {
  const standardFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals, numberingSystem: 'latn' });
  const formatSmall = createNumberFormatter(locale, decimals);
  return value => (needsExponent(value, decimals) ? formatSmall(value) : standardFormat.format(value));
}

/** Formats single numbers with all digits after the point, as columns do. Computed numbers have too many digits and are formatted as figures. */
export function createReceivedFormatter(locale: string): (value: number) => string {
  const fullFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: maxDecimals, numberingSystem: 'latn' });
  const formatFigure = createFigureFormatter(locale);
  const isExact = (value: number): boolean => !needsExponent(value, maxDecimals) && isExactWith(value, maxDecimals);
  return value => (isExact(value) ? fullFormat.format(value) : formatFigure(value));
}

/** The number of significant digits that the largest number of a column keeps on screen. */
const significantDigits = 3;
/** The maximum number of digits on an axis. */
const maxAxisDecimals = 20;

/**
 * Returns the number of digits after the point for display: one for shares, two for an index and money, and for power, energy, mass and rates enough to keep three
 * significant digits of the `largest` absolute value, so none from 100 on. Numbers of other units get two digits, or more if the largest is
 * small. The result never exceeds the number of digits `received`, and suffices to show that the largest is not zero.
 */
export function computeDisplayDecimals(kind: UnitKind, largest: number, received = maxDecimals): number {
  const significant3 = largest > 0 ? significantDigits - 1 - Math.floor(Math.log10(largest)) : 0;
  const significant = Math.max(0, Math.min(maxAxisDecimals, significant3));
  const standardDecimals = {
    share: 1,
    index: 2,
    none: Math.max(2, significant),
    power: significant,
    energy: significant,
    money: moneyDecimals,
    mass: significant,
    rate: significant,
  }[kind];
  // The digits of a number with an exponent cannot be counted.
  const maxDigits = needsExponent(largest, maxDecimals) ? significant : received;
  return Math.min(maxDigits, roundsToZero(largest, standardDecimals) ? significant : standardDecimals);
}

/** Formats a number with `decimals` digits, for which `format` is the formatter. A nonzero number that would be shown as zero becomes "~0". */
export function formatRounded(value: number, decimals: number, format: (value: number) => string): string {
  return roundsToZero(value, decimals) ? `~${format(0)}` : format(value);
}

/** Whether `formatRounded` hides digits of the number. */
export function isRounded(value: number, decimals: number): boolean {
  return roundsToZero(value, decimals) || hidesDigits(value, decimals);
}

function roundsToZero(value: number, decimals: number): boolean {
  return Math.abs(value) < 1 && needsExponent(value, decimals);
}

/** Whether formatting with `decimals` digits hides digits of the number. */
export function hidesDigits(value: number, decimals: number, maxDigits = maxDecimals): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = countDecimals(value, decimals, maxDigits);
  return digits === undefined ? Number(formatExponential(value)) !== value : !isExactWith(value, digits);
}

function createDecimalFormat(locale: string, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
  });
}

/** Returns the number of digits after the point; undefined for a number that is written with an exponent. */
function countDecimals(value: number, decimals: number, maxDigits: number): number | undefined {
  if (!needsExponent(value, decimals)) return decimals;
  if (needsExponent(value, maxDigits)) return undefined;
  return Math.min(maxDigits, 2 - Math.floor(Math.log10(Math.abs(value))));
}

/** Whether a number is too large to be written without exponent, or would be shown as zero with these decimals. */
function needsExponent(value: number, decimals: number): boolean {
  const size = Math.abs(value);
  return Number.isFinite(value) && (size >= minExponentSize || (size !== 0 && size * powerOfTen(decimals) < 0.5));
}

function formatExponential(value: number): string {
  return Number(value.toPrecision(7)).toExponential();
}

/** Returns the decimal separator of the locale. */
export function getDecimalSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}

/** Whether `decimals` digits after the point represent the number exactly. The division rounds in the same way as parsing. */
function isExactWith(value: number, decimals: number): boolean {
  const scale = powerOfTen(decimals);
  return Math.round(value * scale) / scale === value;
}

function powerOfTen(decimals: number): number {
  return powersOfTen[decimals] ?? 10 ** decimals;
}

/** Returns the locale for Intl; "en" if Intl rejects VS Code's language. */
export function toIntlLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** The magnitude from which on an energy is formatted in the next larger unit. */
const unitThreshold = 100_000;

/** The units of displayed energies, with their size in MWh. */
export const energyUnits = [
  { unit: 'MWh', mwh: 1 },
  { unit: 'GWh', mwh: 1e3 },
  { unit: 'TWh', mwh: 1e6 },
] as const;

/** Selects the unit of a displayed energy: MWh below 100,000 MWh, GWh below 100,000 GWh, else TWh. */
export function selectEnergyUnit(mwh: number): (typeof energyUnits)[number] {
  const [small, medium, large] = energyUnits;
  const size = Math.abs(mwh);
  if (!(size >= unitThreshold * small.mwh)) return small;
  return size < unitThreshold * medium.mwh ? medium : large;
}

/** Converts an energy to the unit in which it is displayed. */
export function scaleEnergy(mwh: number): { readonly value: number; readonly unit: string } {
  const { unit, mwh: size } = selectEnergyUnit(mwh);
  return { value: mwh / size, unit };
}

/** Formats the energies (MWh) of one column in the unit that suits the largest, all with the same number of digits after the point. */
export function createEnergiesFormatter(locale: string, energies: readonly number[]): (mwh: number) => string {
  const maxSize = energies.reduce((max, mwh) => Math.max(max, Math.abs(mwh)), 0);
  const { unit, mwh: size } = selectEnergyUnit(maxSize);
  const requiredDecimals = powersOfTen.findIndex((_, count) => energies.every(mwh => isExactWith(mwh / size, count)));
  const decimals = computeDisplayDecimals(
    'energy',
    maxSize / size,
    requiredDecimals < 0 ? maxDecimals : requiredDecimals,
  );
  const format = createNumberFormatter(locale, decimals);
  return mwh => `${formatRounded(mwh / size + 0, decimals, format)} ${unit}`;
}

/** Formats single energies (MWh). */
export function createEnergyFormatter(locale: string): (mwh: number) => string {
  return mwh => createEnergiesFormatter(locale, [mwh])(mwh);
}

/**
 * The number formats of tables: rounded for reading; all digits in the format of the locale; all digits with a decimal point and no separators;
 * or exactly as received.
 */
export const numberStyles = ['rounded', 'digits', 'plain', 'received'] as const;
export type NumberStyle = (typeof numberStyles)[number];
