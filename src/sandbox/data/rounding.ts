/** Rounds to so many decimals as Python does: by the exact value, a tie to the even neighbour. Never returns -0. */
export function round(value: number, decimals = 3): number {
  // Only an odd multiple of 2^-(decimals + 1) lies exactly between two neighbours; toFixed would take the farther from 0.
  const halves = value * 2 ** (decimals + 1);
  if (!Number.isInteger(halves) || halves % 2 === 0) return Number(value.toFixed(decimals)) + 0;
  const lower = Math.floor(value * 10 ** decimals);
  return (lower + Math.abs(lower % 2)) / 10 ** decimals + 0;
}

/** The sum without the rounding errors of its steps (Neumaier), as Python's fsum gives it for a few numbers of one size. */
export function sumOf(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}
