import { energyByHours, energyOf, type Energy } from '../../core/statistics/energy.ts';
import { SumDigits } from '../../core/statistics/sumDigits.ts';
import { cellState, stateAt, type Column, type NumberColumn } from '../../shared/frame.ts';
import { sameUnit, unitOf, type Unit } from '../../shared/units.ts';

/** Figures of the numbers in a selection, for the footer. Cells of other kinds are not counted. */
export interface SelectionStats {
  /** Cells of number columns with a value, and without one (null or absent). */
  readonly count: number;
  readonly missing: number;
  /** The number columns. */
  readonly columns: number;
  /** Undefined where there is no number, and where columns are of unlike units. */
  readonly figures: SelectionFigures | undefined;
}

export interface SelectionFigures {
  readonly unit: Unit;
  readonly sum: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Of all columns together; its hours are those of the rows in which one of them has a value. Undefined where the unit has none. */
  readonly energy: Energy | undefined;
}

/**
 * Goes over the cells once; the sum is compensated (Neumaier) and cleaned, so that its digits are those of the true sum.
 * `rowMs`: how long the value of a row lasts, in milliseconds; undefined where that is not known.
 */
export function selectionStats(columns: readonly Column[], rows: ArrayLike<number>, rowMs?: number): SelectionStats {
  const numbers = columns.filter((column): column is NumberColumn => column.kind === 'number');
  let [count, missing, rowsFilled, sum, lost, min, max] = [0, 0, 0, 0, 0, Infinity, -Infinity];
  const digits = new SumDigits();
  const filled = new Uint8Array(rows.length);
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
      if (filled[at] === 0) rowsFilled += 1;
      filled[at] = 1;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  const counts = { count, missing, columns: numbers.length };
  const unit = commonUnit(numbers);
  if (count === 0 || !unit) return { ...counts, figures: undefined };
  // An infinite sum cannot be corrected.
  const total = Number.isFinite(sum) ? digits.clean(sum + lost) : sum;
  const byHours = unit.mwhPerHour !== undefined && numbers.every(({ hours }) => hours);
  const energy = byHours ? energyByHours(numbers, Array.from(rows)) : energyOf(unit, total, rowsFilled, rowMs);
  return { ...counts, figures: { unit, sum: total, mean: total / count, min, max, energy } };
}

function commonUnit(columns: readonly NumberColumn[]): Unit | undefined {
  const [first, ...others] = columns.map(({ field }) => unitOf(field));
  return first && others.every(unit => sameUnit(unit, first)) ? first : undefined;
}
