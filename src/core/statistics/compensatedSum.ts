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
