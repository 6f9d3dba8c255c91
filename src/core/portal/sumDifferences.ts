import { formatInstant } from '../instant.ts';
import { portalSums, type PortalColumn } from './portalColumns.ts';

/** What the portal's own rounding comes to, in MW. */
const usualRounding = 0.1;

/**
 * Counts the rows whose sums are off by more than rounding, in a sentence, or none. The numbers stay as they are: the portal has such hours, and
 * which of the terms is wrong is not known.
 */
export function notesOfSums(instants: readonly number[], columns: ReadonlyMap<PortalColumn, Float64Array>): string[] {
  const off = new Set<number>();
  let [most, mostAt, mostName] = [0, 0, ''];
  for (const { sum, parts, isRough = false } of portalSums) {
    const [total, ...terms] = [sum, ...parts].map(name => columns.get(name)).filter(found => found !== undefined);
    if (isRough || !total || terms.length < parts.length) continue;
    const allowed = Math.max(usualRounding, (stepOf([total, ...terms]) * (terms.length + 1)) / 2);
    for (const [row, value] of total.entries()) {
      const difference = Math.abs(terms.reduce((rest, term) => rest - (term[row] ?? 0), value));
      // A gap makes no sum, and NaN is not above.
      if (!(difference > allowed)) continue;
      off.add(row);
      if (difference > most) [most, mostAt, mostName] = [difference, row, sum];
    }
  }
  if (off.size === 0) return [];
  const where = `"${mostName}" at ${formatInstant(instants[mostAt] ?? 0)}`;
  return [
    `in ${off.size} of ${instants.length} rows the sums of columns are off, by ${Number(most.toFixed(3))} MW at most (${where}): the numbers are left as they are.`,
  ];
}

/** To what the columns are rounded: 1, 0.1, or finer. */
function stepOf(columns: readonly Float64Array[]): number {
  const isWhole = (tenths: number) => {
    const isOne = (value: number) =>
      Number.isNaN(value) || Math.abs(value * tenths - Math.round(value * tenths)) < 1e-6;
    return columns.every(values => values.every(isOne));
  };
  return isWhole(1) ? 1 : isWhole(10) ? 0.1 : 0;
}
