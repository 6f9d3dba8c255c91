import { compensatedSum, SumDigits } from './sumDigits.ts';
import { cellState, type NumberColumn, stateAt, type TimeColumn } from '../../shared/frame.ts';

/**
 * Sum, mean and standard deviation of finite numbers (at least one), which must be sorted unless the minimum and the maximum are given.
 * The deviation is computed on demand in a second pass, which avoids the difference of large squares.
 */
export class Moments {
  /** Not finite on overflow. */
  readonly sum: number;
  readonly mean: number;
  readonly #values: Float64Array;
  readonly #least: number;
  readonly #greatest: number;
  /** 1 for ordinary numbers; otherwise a divisor that keeps sums and squares within the range of a double. */
  readonly #scale: number;

  constructor(values: Float64Array, least = values[0] ?? 0, greatest = values.at(-1) ?? 0) {
    const size = Math.max(Math.abs(least), Math.abs(greatest));
    const scale = size === 0 || (size > 1e-100 && size < 1e100) ? 1 : size;
    const digits = new SumDigits();
    const scaled = compensatedSum(values, value => {
      digits.note(value / scale);
      return value / scale;
    });
    const clean = digits.clean(scaled);
    const isOne = values.length === 1;
    this.sum = isOne ? least : clean * scale;
    this.mean = isOne ? least : Math.min(greatest, Math.max(least, (clean / values.length) * scale));
    this.#values = values;
    this.#least = least;
    this.#greatest = greatest;
    this.#scale = scale;
  }

  /** The sample standard deviation (divided by n − 1); undefined below two numbers. */
  get deviation(): number | undefined {
    const values = this.#values;
    const { length: count } = values;
    if (count < 2) return undefined;
    if (this.#least === this.#greatest) return 0;
    const scale = this.#scale;
    const mean = this.sum / scale / count;
    const squares = compensatedSum(values, value => (value / scale - mean) ** 2);
    // Corrects the rounding error of the mean: deviations from the exact mean add up to 0.
    const rest = compensatedSum(values, value => value / scale - mean);
    return Math.sqrt(Math.max(0, squares - (rest * rest) / count) / (count - 1)) * scale;
  }
}

/** The values of a column over some rows, collected so far. */
export interface Collected {
  /** The first `count` items are the values, in the order of the rows. */
  readonly values: Float64Array;
  count: number;
  absent: number;
  /** Whether all values are whole numbers. */
  whole: boolean;
  readonly low: Mark;
  readonly high: Mark;
}

export interface Mark {
  value: number;
  /** The earliest instant of a row with this value; Infinity while none has one. */
  instant: number;
  /** How many rows have this value. */
  times: number;
}

/** Collects the values of a column over `rows`, by default all rows. */
export function collectValues(column: NumberColumn, time?: TimeColumn, rows?: Uint32Array): Collected {
  const total = rows?.length ?? column.values.length;
  const low = { value: Infinity, instant: Infinity, times: 0 };
  const high = { value: -Infinity, instant: Infinity, times: 0 };
  const found: Collected = { values: new Float64Array(total), count: 0, absent: 0, whole: true, low, high };
  const { values, gaps } = column;
  for (let index = 0; index < total; index++) {
    const row = rows ? (rows[index] ?? 0) : index;
    const state = gaps ? (gaps[row] ?? cellState.value) : cellState.value;
    const value = values[row] ?? NaN;
    if (state === cellState.absent) found.absent++;
    if (state !== cellState.value || !Number.isFinite(value)) continue;
    found.values[found.count++] = value;
    if (found.whole && !Number.isInteger(value)) found.whole = false;
    if (value <= low.value) mark(low, value, time, row);
    if (value >= high.value) mark(high, value, time, row);
  }
  return found;
}

/** Records a value that equals or exceeds the current extreme. */
function mark(into: Mark, value: number, time: TimeColumn | undefined, row: number): void {
  const known = time && stateAt(time, row) === cellState.value ? (time.values[row] ?? NaN) : NaN;
  const instant = Number.isFinite(known) ? known : Infinity;
  into.times = value === into.value ? into.times + 1 : 1;
  if (into.times === 1 || instant < into.instant) into.instant = instant;
  into.value = value;
}
