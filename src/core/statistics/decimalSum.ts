/** Maximum number of decimals that a double of ordinary size has. */
const maxDecimals = 15;
/** Powers of ten. Precomputed, because computing one takes most of the time of a short sum. */
const powers = Float64Array.from({ length: maxDecimals + 1 }, (_, decimals) => 10 ** decimals);
/** Relative error of a double that approximates a decimal fraction, after a few operations. */
const relativeError = 2 ** -50;
/** Below this limit, doubles represent every whole number. */
const maxWhole = 2 ** 50;

/**
 * Tracks the decimals of added numbers. Services send decimal fractions, most of which a double only approximates: 0.1 + 0.2 - 0.3 is
 * 5.6e-17, although the mean of three such hours is 0.
 */
export class DecimalTracker {
  /** The maximum number of decimals so far; Infinity if a number has more than 15. */
  #decimals = 0;
  /** The sum of the absolute values of fractions. Whole numbers are exact. */
  #magnitude = 0;

  /** Forgets all numbers. */
  clear(): void {
    this.#decimals = this.#magnitude = 0;
  }

  track(value: number): void {
    if (Number.isInteger(value)) return;
    this.#magnitude += Math.abs(value);
    while (this.#decimals <= maxDecimals && !hasDecimals(value, this.#decimals)) this.#decimals++;
  }

  /**
   * Removes binary noise from the sum of the numbers: rounds it to their decimals if doubles represent these. Otherwise returns it
   * unchanged, or 0 if it is below the rounding error.
   */
  removeNoise(sum: number): number {
    const scale = this.getWholeScale(Math.abs(sum));
    if (scale !== undefined) return Math.round(sum * scale) / scale + 0;
    return Math.abs(sum) <= this.#magnitude * relativeError ? 0 : sum;
  }

  /**
   * Returns the power of ten that turns the decimals into whole numbers; undefined if doubles cannot represent all of these up to
   * `size`.
   */
  getWholeScale(magnitude: number): number | undefined {
    const scale = powers[this.#decimals] ?? Infinity;
    return (this.#magnitude + magnitude) * scale < maxWhole ? scale : undefined;
  }
}

/** A sum with compensated rounding errors (see `compensatedSum`) that also removes binary noise from its decimals. */
export class DecimalSum {
  count = 0;
  #sum = 0;
  #compensation = 0;
  readonly #digits = new DecimalTracker();

  /** Starts a new sum. For many short sums, creating an object takes longer than adding. */
  clear(): void {
    this.count = this.#sum = this.#compensation = 0;
    this.#digits.clear();
  }

  add(value: number): void {
    this.#digits.track(value);
    const next = this.#sum + value;
    this.#compensation += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum;
    this.#sum = next;
    this.count++;
  }

  sum(): number {
    return Number.isFinite(this.#sum) ? this.#digits.removeNoise(this.#sum + this.#compensation) : this.#sum;
  }
}

/** Significant digits that a double represents. */
const significantDigits = 15;

/**
 * Removes the noise of binary fractions (23581.8 − 23420.1 is 161.7): rounds to the last of the 15 significant digits of `magnitude`, the
 * largest number that the result was calculated from.
 */
export function roundBinaryNoise(value: number, magnitude: number): number {
  // Adding 0 turns -0 into 0.
  if (value === 0 || !Number.isFinite(value)) return value + 0;
  const decimals = significantDigits - 1 - Math.floor(Math.log10(magnitude));
  // Integers need no rounding, and larger powers of ten are not exact.
  if (decimals < 1 || decimals > 22) return value;
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale + 0;
}

/** Returns a − b in decimals. Not finite on overflow. */
export function subtractDecimals(a: number, b: number): number {
  return roundBinaryNoise(a - b, Math.max(Math.abs(a), Math.abs(b)));
}

/** Returns the sum of the numbers as decimals, without binary noise. */
export function sumDecimals(values: Float64Array): number {
  const total = new DecimalSum();
  values.forEach(value => {
    total.add(value);
  });
  return total.sum();
}

/** Whether the number has at most this many decimals. */
function hasDecimals(value: number, decimals: number): boolean {
  const scale = powers[decimals] ?? NaN;
  return Math.round(value * scale) / scale === value;
}

/** Adds up `addend(value)` by Neumaier's variant of Kahan's summation, whose error does not grow with the number of values. */
export function compensatedSum(values: Float64Array, addend: (value: number) => number): number {
  let sum = 0;
  let compensation = 0;
  // Loops by index, because the iterator of a typed array takes several times as long.
  for (let index = 0; index < values.length; index++) {
    const addition = addend(values[index] ?? 0);
    const running = sum + addition;
    compensation += Math.abs(sum) >= Math.abs(addition) ? sum - running + addition : addition - running + sum;
    sum = running;
  }
  return sum + compensation;
}
