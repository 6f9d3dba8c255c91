import { cellState } from './frame.ts';
import type { NumberColumn } from './frame.ts';

/** What decides how a column of numbers is written. */
export interface NumberShape {
  /** Digits after the decimal point, the same in every row, so that the points stand below each other. */
  readonly decimals: number;
  /** The smallest and largest number; undefined for a column without any. */
  readonly range: readonly [min: number, max: number] | undefined;
}

// More digits of a power reading are noise; an index, a price or a number nobody knows may need them.
const knownDecimals = 3;
const unknownDecimals = 6;
const readWholeUpTo = 100_000;
const sampleSize = 50_000;
/** From here on a grouped integer is longer than anyone reads, and its last digits are no longer exact. */
const exponentFrom = 1e15;
const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** The shape of a column: read whole up to 100,000 rows, sampled evenly above. */
export function numberShape(column: NumberColumn, rowCount: number): NumberShape {
  const cap = column.field?.unit ? knownDecimals : unknownDecimals;
  const stride = rowCount <= readWholeUpTo ? 1 : Math.ceil(rowCount / sampleSize);
  let decimals = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let row = 0; row < rowCount; row += stride) {
    const value = column.values[row];
    if (value === undefined || !Number.isFinite(value)) continue;
    if (column.gaps && column.gaps[row] !== cellState.value) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    if (isExponential(value, unknownDecimals)) continue;
    while (decimals < cap && !fits(value, decimals)) decimals++;
  }
  return { decimals, range: min <= max ? [min, max] : undefined };
}

/** Writes numbers with `decimals` digits after the point and the locale's separators. A number that would read as zero and is none keeps its exponent. */
export function numberFormatter(locale: string, decimals: number): (value: number) => string {
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
    signDisplay: 'negative',
  });
  return value => (isExponential(value, decimals) ? exponential(value) : format.format(value));
}

/** Whether the text at `decimals` digits says less than the number. */
export function hidesDigits(value: number, decimals: number): boolean {
  if (!Number.isFinite(value)) return false;
  return isExponential(value, decimals) ? Number(exponential(value)) !== value : !fits(value, decimals);
}

function isExponential(value: number, decimals: number): boolean {
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
