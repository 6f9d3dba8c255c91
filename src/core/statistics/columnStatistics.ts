import { aggregateShareOfRows, type WeightedShareParts } from '../bins/binSums.ts';
import type { NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { calculateColumnEnergy, calculateHourWeightedMean, type Energy } from './energy.ts';
import { collectValues, Moments, type CollectedValues, type ExtremeSoFar } from './moments.ts';
import { quantile } from './quantile.ts';

/** Statistics of one column over some rows. */
export interface ColumnStatistics {
  /** Rows with a value; the others are `nulls` and `absent`. */
  readonly count: number;
  readonly nulls: number;
  readonly absent: number;
  /** Undefined if no row has a value. */
  readonly summary: ValueSummary | undefined;
  /**
   * Computed from the hours that each value counts for, or else from the length of a row. Omitted if neither is known or the unit has no
   * energy.
   */
  readonly energy?: Energy;
  /** For a share, the share of the energies of the rows; for a rate, the rate of their amounts. Omitted if these are not known. */
  readonly share?: number;
}

export interface Extreme {
  readonly value: number;
  /** The earliest instant (UTC ms) of a row with this value; undefined if no such row has one. */
  readonly instant: number | undefined;
  /** How many rows have this value. */
  readonly times: number;
}

/** Summary of a column's values. Quantiles are computed on demand, because sorting takes most of the time. */
export class ValueSummary {
  /** Not finite on overflow. */
  readonly sum: number;
  readonly mean: number;
  readonly min: Extreme;
  readonly max: Extreme;
  /** Whether all values are whole numbers. */
  readonly isWhole: boolean;
  readonly #values: Float64Array;
  readonly #moments: Moments;
  #isSorted = false;

  /** `mean` replaces the plain mean of the values. */
  constructor({ values, count, minimum, maximum, isWhole }: CollectedValues, mean?: number) {
    this.#values = values.subarray(0, count);
    this.#moments = new Moments(this.#values, minimum.value, maximum.value);
    this.sum = this.#moments.sum;
    this.mean = mean ?? this.#moments.mean;
    this.min = toExtreme(minimum);
    this.max = toExtreme(maximum);
    this.isWhole = isWhole;
  }

  /** The sample standard deviation; undefined below two values. */
  get deviation(): number | undefined {
    return this.#moments.deviation;
  }

  get ascending(): Float64Array {
    if (!this.#isSorted) this.#values.sort();
    this.#isSorted = true;
    return this.#values;
  }

  get p5(): number {
    return quantile(this.ascending, 0.05);
  }

  get median(): number {
    return quantile(this.ascending, 0.5);
  }

  get p95(): number {
    return quantile(this.ascending, 0.95);
  }
}

/**
 * Computes the statistics of a column over `rows`, by default all rows. `parts`: the two series that a share or rate is calculated from;
 * `rowMs`: the duration of a row in milliseconds, if known.
 */
export function describeColumn(
  column: NumberColumn,
  time?: TimeColumn,
  rows?: Uint32Array,
  parts?: WeightedShareParts,
  rowMs?: number,
): ColumnStatistics {
  const total = rows?.length ?? column.values.length;
  const collected = collectValues(column, time, rows);
  const { count, absent } = collected;
  const counts = { count, nulls: total - count - absent, absent };
  if (count === 0) return { ...counts, summary: undefined };
  // The mean counts the same hours as the energy.
  const summary = new ValueSummary(collected, calculateHourWeightedMean([column], rows));
  const energy = calculateColumnEnergy(column, rows ?? column.values.keys(), { sum: summary.sum, count }, rowMs);
  const share = parts && aggregateShareOfRows(parts, rows);
  return { ...counts, summary, ...(energy && { energy }), ...(share !== undefined && { share }) };
}

function toExtreme({ value, instant, times }: ExtremeSoFar): Extreme {
  return { value, instant: Number.isFinite(instant) ? instant : undefined, times };
}
