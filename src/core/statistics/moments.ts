import { compensatedSum, DecimalTracker } from './decimalSum.ts';
import { cellState, type NumberColumn, getCellState, type TimeColumn } from '../../shared/frame.ts';

/**
 * Sum, mean and standard deviation of finite numbers (at least one), which must be sorted unless the minimum and the maximum are given.
 * The deviation is computed on demand in a second pass, which avoids the difference of large squares.
 */
export class Moments {
  /** Not finite on overflow. */
  readonly sum: number;
  readonly mean: number;
  readonly #values: Float64Array;
  readonly #min: number;
  readonly #max: number;
  /** 1 for ordinary numbers; otherwise a divisor that keeps sums and squares within the range of a double. */
  readonly #scale: number;

  constructor(values: Float64Array, min = values[0] ?? 0, max = values.at(-1) ?? 0) {
    const magnitude = Math.max(Math.abs(min), Math.abs(max));
    const scale = magnitude === 0 || (magnitude > 1e-100 && magnitude < 1e100) ? 1 : magnitude;
    const digits = new DecimalTracker();
    const scaled = compensatedSum(values, value => {
      digits.track(value / scale);
      return value / scale;
    });
    const clean = digits.removeNoise(scaled);
    const isSingle = values.length === 1;
    this.sum = isSingle ? min : clean * scale;
    this.mean = isSingle ? min : Math.min(max, Math.max(min, (clean / values.length) * scale));
    this.#values = values;
    this.#min = min;
    this.#max = max;
    this.#scale = scale;
  }

  /** The sample standard deviation (divided by n − 1); undefined below two numbers. */
  get deviation(): number | undefined {
    const values = this.#values;
    const { length: count } = values;
    if (count < 2) return undefined;
    if (this.#min === this.#max) return 0;
    const scale = this.#scale;
    const mean = this.sum / scale / count;
    const squares = compensatedSum(values, value => (value / scale - mean) ** 2);
    // Corrects the rounding error of the mean: deviations from the exact mean add up to 0.
    const residual = compensatedSum(values, value => value / scale - mean);
    return Math.sqrt(Math.max(0, squares - (residual * residual) / count) / (count - 1)) * scale;
  }
}

/** The values of a column over some rows, collected so far. */
export interface CollectedValues {
  /** The first `count` items are the values, in the order of the rows. */
  readonly values: Float64Array;
  count: number;
  absent: number;
  /** Whether all values are whole numbers. */
  isWhole: boolean;
  readonly minimum: ExtremeSoFar;
  readonly maximum: ExtremeSoFar;
}

export interface ExtremeSoFar {
  value: number;
  /** The earliest instant of a row with this value; Infinity while none has one. */
  instant: number;
  /** How many rows have this value. */
  times: number;
}

/** Collects the values of a column over `rows`, by default all rows. */
export function collectValues(column: NumberColumn, time?: TimeColumn, rows?: Uint32Array): CollectedValues {
  const total = rows?.length ?? column.values.length;
  const minimum = { value: Infinity, instant: Infinity, times: 0 };
  const maximum = { value: -Infinity, instant: Infinity, times: 0 };
  const collected: CollectedValues = {
    values: new Float64Array(total),
    count: 0,
    absent: 0,
    isWhole: true,
    minimum,
    maximum,
  };
  const { values, gaps } = column;
  for (let index = 0; index < total; index++) {
    const row = rows ? (rows[index] ?? 0) : index;
    const state = gaps ? (gaps[row] ?? cellState.value) : cellState.value;
    const value = values[row] ?? NaN;
    if (state === cellState.absent) collected.absent++;
    if (state !== cellState.value || !Number.isFinite(value)) continue;
    collected.values[collected.count++] = value;
    if (collected.isWhole && !Number.isInteger(value)) collected.isWhole = false;
    if (value <= minimum.value) updateExtreme(minimum, value, time, row);
    if (value >= maximum.value) updateExtreme(maximum, value, time, row);
  }
  return collected;
}

/** Records a value that equals or exceeds the current extreme. */
function updateExtreme(extreme: ExtremeSoFar, value: number, time: TimeColumn | undefined, row: number): void {
  const rowInstant = time && getCellState(time, row) === cellState.value ? (time.values[row] ?? NaN) : NaN;
  const instant = Number.isFinite(rowInstant) ? rowInstant : Infinity;
  extreme.times = value === extreme.value ? extreme.times + 1 : 1;
  if (extreme.times === 1 || instant < extreme.instant) extreme.instant = instant;
  extreme.value = value;
}
