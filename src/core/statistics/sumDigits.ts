/** Digits after the point beyond which a double of ordinary size has none. */
const mostDecimals = 15;
/** What a double loses of a decimal fraction is less than this part of it, a few operations included. */
const lostPart = 2 ** -50;
/** Whole numbers below it are far from where doubles begin to leave some out. */
const surelyWhole = 2 ** 50;

/**
 * The digits of numbers that are added. A service sends decimals, and a double only comes near most of them: 0.1 + 0.2 - 0.3 is
 * 5.6e-17, and the mean of three such hours is no zero.
 */
export class SumDigits {
  /** The most digits after the point; Infinity where a number has more than 15. */
  #decimals = 0;
  /** The sizes of those that are no whole numbers, added up: whole numbers lose nothing. */
  #size = 0;

  note(value: number): void {
    if (Number.isInteger(value)) return;
    this.#size += Math.abs(value);
    while (this.#decimals <= mostDecimals && !hasDecimals(value, this.#decimals)) this.#decimals++;
  }

  /**
   * The sum of the decimals, of the sum of their doubles: rounded to the digits the decimals have where doubles hold these for
   * sure. Beyond, as it is, or 0 where it is less than what was lost.
   */
  clean(sum: number): number {
    const scale = this.#decimals > mostDecimals ? Infinity : 10 ** this.#decimals;
    if ((this.#size + Math.abs(sum)) * scale < surelyWhole) return Math.round(sum * scale) / scale + 0;
    return Math.abs(sum) <= this.#size * lostPart ? 0 : sum;
  }
}

/** The sum of the decimals that the numbers stand for. */
export function decimalSum(values: Float64Array): number {
  const digits = new SumDigits();
  const sum = compensatedSum(values, value => {
    digits.note(value);
    return value;
  });
  return digits.clean(sum);
}

/** Whether the number is what so many digits after the point read as. */
function hasDecimals(value: number, decimals: number): boolean {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale === value;
}

/**
 * The sum of the numbers with the rounding errors carried along (Neumaier's variant of Kahan's summation): its error does
 * not grow with their number. `addend` is what is added for each.
 */
export function compensatedSum(values: Float64Array, addend: (value: number) => number): number {
  let sum = 0;
  let lost = 0;
  // By index: walking a typed array by its iterator takes several times as long.
  for (let index = 0; index < values.length; index++) {
    const next = addend(values[index] ?? 0);
    const total = sum + next;
    lost += Math.abs(sum) >= Math.abs(next) ? sum - total + next : next - total + sum;
    sum = total;
  }
  return sum + lost;
}
