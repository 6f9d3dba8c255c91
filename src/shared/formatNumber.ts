import { cellState } from './frame.ts';
import type { NumberColumn } from './frame.ts';
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

// More digits of a power reading are noise; an index, a price or a number nobody knows may need them.
const knownDecimals = 3;
const unknownDecimals = 6;
/** A received number that needs more has an exponent. */
const plainDecimals = 6;
/** Digits after the point that are read, where a unit has fewer than its numbers. */
const decimalsOfUnit: ReadonlyMap<string, number> = new Map([['%', 2]]);
const readWholeUpTo = 100_000;
const sampleSize = 50_000;
/** From here on a grouped integer is longer than anyone reads, and its last digits are no longer exact. */
const exponentFrom = 1e15;
const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** The shape of a column: read whole up to `wholeUpTo` rows, sampled evenly above. */
export function numberShape(column: NumberColumn, rowCount: number, wholeUpTo = readWholeUpTo): NumberShape {
  const cap = unitOf(column.field).text ? knownDecimals : unknownDecimals;
  const stride = rowCount <= wholeUpTo ? 1 : Math.ceil(rowCount / sampleSize);
  let hasExponents = false;
  let decimals = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let row = 0; row < rowCount; row += stride) {
    const value = column.values[row];
    if (value === undefined || !Number.isFinite(value)) continue;
    if (column.gaps && column.gaps[row] !== cellState.value) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    if (isExponential(value, unknownDecimals)) {
      hasExponents = true;
      continue;
    }
    while (decimals < cap && !fits(value, decimals)) decimals++;
  }
  return { decimals, range: min <= max ? [min, max] : undefined, hasExponents };
}

/** Digits after the point in a table. */
export function tableDecimals({ field }: NumberColumn, { decimals }: NumberShape): number {
  return Math.min(decimals, decimalsOfUnit.get(unitOf(field).text) ?? Infinity);
}

/**
 * Writes numbers with `decimals` digits after the point and the locale's separators. A number that would read as zero and is none
 * has three digits of its own, if they stand within `most` after the point, and else an exponent.
 */
export function numberFormatter(locale: string, decimals: number, most = plainDecimals): (value: number) => string {
  const formats: Intl.NumberFormat[] = [];
  return value => {
    const digits = digitsOf(value, decimals, most);
    return digits === undefined
      ? exponential(value)
      : (formats[digits] ??= decimalFormat(locale, digits)).format(value);
  };
}

/** Whether the text at `decimals` digits says less than the number. */
export function hidesDigits(value: number, decimals: number, most = plainDecimals): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = digitsOf(value, decimals, most);
  return digits === undefined ? Number(exponential(value)) !== value : !fits(value, digits);
}

function decimalFormat(locale: string, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
    signDisplay: 'negative',
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
