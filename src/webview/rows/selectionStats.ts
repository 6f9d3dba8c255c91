import { SumDigits } from '../../core/statistics/sumDigits.ts';
import { cellState, stateAt, type Column, type NumberColumn } from '../../shared/frame.ts';

/** What the footer says of the numbers in a selection. Cells of other kinds are not counted at all. */
export interface SelectionStats {
  /** Cells of number columns with a value, and without one (null or absent). */
  readonly count: number;
  readonly missing: number;
  readonly sum: number;
  /** Undefined where there is no number. */
  readonly mean: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** "MW" where every number column of the selection has it. */
  readonly unit: string | undefined;
}

/** Goes over the cells once; the sum is compensated (Neumaier) and cleaned, so that its digits are those of the true sum. */
export function selectionStats(columns: readonly Column[], rows: ArrayLike<number>): SelectionStats {
  const numbers = columns.filter((column): column is NumberColumn => column.kind === 'number');
  let [count, missing, sum, lost, min, max] = [0, 0, 0, 0, Infinity, -Infinity];
  const digits = new SumDigits();
  for (const column of numbers) {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? -1;
      const value = column.values[row];
      if (value === undefined || Number.isNaN(value) || stateAt(column, row) !== cellState.value) {
        missing += 1;
        continue;
      }
      digits.note(value);
      const next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
      count += 1;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  // Beyond the largest double there is nothing to make good.
  const total = Number.isFinite(sum) ? digits.clean(sum + lost) : sum;
  const some = count > 0;
  return {
    ...{ count, missing, sum: total, unit: commonUnit(numbers) },
    ...{ mean: some ? total / count : undefined, min: some ? min : undefined, max: some ? max : undefined },
  };
}

function commonUnit(columns: readonly NumberColumn[]): string | undefined {
  const units = new Set(columns.map(({ field }) => field?.unit));
  return units.size === 1 ? [...units][0] : undefined;
}
