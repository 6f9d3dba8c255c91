import {
  calculateEnergyByHours,
  calculateEnergy,
  calculateHourWeightedMean,
  type Energy,
} from '../../core/statistics/energy.ts';
import { aggregateShareOfRows, type WeightedShareParts } from '../../core/bins/binSums.ts';
import { DecimalSum } from '../../core/statistics/decimalSum.ts';
import { cellState, getCellState, type Column, type NumberColumn } from '../../shared/frame.ts';
import { isSameUnit, unitOf, type Unit } from '../../shared/units.ts';

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
  /** Of one column of shares, that of the energies of its rows; left out where these are not known. */
  readonly share?: number;
  /** Of all columns together; its hours are those of the rows in which one of them has a value. Undefined where the unit has none. */
  readonly energy: Energy | undefined;
}

/**
 * Goes over the cells once; the sum has the digits of the true sum.
 * `rowMs`: how long the value of a row lasts, in milliseconds; undefined where that is not known. `parts`: what a single share is made of.
 */
export function selectionStats(
  columns: readonly Column[],
  rows: ArrayLike<number>,
  rowMs?: number,
  parts?: WeightedShareParts,
): SelectionStats {
  const numbers = columns.filter((column): column is NumberColumn => column.kind === 'number');
  const sums = {
    total: new DecimalSum(),
    missing: 0,
    filled: new Uint8Array(rows.length),
    min: Infinity,
    max: -Infinity,
  };
  for (const column of numbers) addCells(sums, column, rows);
  const { total, missing, filled, min, max } = sums;
  const rowsFilled = filled.reduce((sum, one) => sum + one, 0);
  const { count } = total;
  const counts = { count, missing, columns: numbers.length };
  const unit = commonUnit(numbers);
  if (count === 0 || !unit) return { ...counts, figures: undefined };
  const sum = total.sum();
  const byHours = unit.mwhPerHour !== undefined && numbers.every(({ hours }) => hours);
  const energy = byHours
    ? calculateEnergyByHours(numbers, Array.from(rows))
    : calculateEnergy(unit, sum, rowsFilled, rowMs);
  const share = parts && aggregateShareOfRows(parts, rows);
  const mean = calculateHourWeightedMean(numbers, rows) ?? sum / count;
  const figures = { unit, sum, mean, min, max, energy };
  return { ...counts, figures: { ...figures, ...(share !== undefined && { share }) } };
}

interface CellSums {
  readonly total: DecimalSum;
  missing: number;
  /** 1 for each row in which a column has a value. */
  readonly filled: Uint8Array;
  min: number;
  max: number;
}

function addCells(sums: CellSums, column: NumberColumn, rows: ArrayLike<number>): void {
  const { total, filled } = sums;
  let { missing, min, max } = sums;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    const value = column.values[row];
    if (value === undefined || Number.isNaN(value) || getCellState(column, row) !== cellState.value) {
      missing += 1;
      continue;
    }
    total.add(value);
    filled[at] = 1;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  Object.assign(sums, { missing, min, max });
}

function commonUnit(columns: readonly NumberColumn[]): Unit | undefined {
  const [first, ...others] = columns.map(({ field }) => unitOf(field));
  return first && others.every(unit => isSameUnit(unit, first)) ? first : undefined;
}
