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

/** The statistics of the numbers in a selection, for the footer. Cells of other kinds are not counted. */
export interface SelectionStats {
  /** The number of cells of number columns with a value. */
  readonly count: number;
  /** The number of cells of number columns without a value (null or absent). */
  readonly missing: number;
  /** The number of number columns. */
  readonly columns: number;
  /** Undefined if there is no number, or if the columns have different units. */
  readonly figures: SelectionFigures | undefined;
}

export interface SelectionFigures {
  readonly unit: Unit;
  readonly sum: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** For one column of shares or rates: the share of the energies of its rows, or their rate; omitted if these are unknown. */
  readonly share?: number;
  /** The energy of all columns, over the hours of rows in which any column has a value. Undefined if the unit has no energy. */
  readonly energy: Energy | undefined;
}

/**
 * Computes the statistics in one pass, with an exact decimal sum. `rowMs` is the length of a row in milliseconds, if known. `parts`
 * has the part and the whole of a single column of shares or rates.
 */
export function computeSelectionStats(
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
  const filledRowCount = filled.reduce((sum, isFilled) => sum + isFilled, 0);
  const { count } = total;
  const counts = { count, missing, columns: numbers.length };
  const unit = findCommonUnit(numbers);
  if (count === 0 || !unit) return { ...counts, figures: undefined };
  const sum = total.sum();
  const hasHours = unit.mwhPerHour !== undefined && numbers.every(({ hours }) => hours);
  const energy = hasHours
    ? calculateEnergyByHours(numbers, Array.from(rows))
    : calculateEnergy(unit, sum, filledRowCount, rowMs);
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
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? -1;
    const value = column.values[row];
    if (value === undefined || Number.isNaN(value) || getCellState(column, row) !== cellState.value) {
      missing += 1;
      continue;
    }
    total.add(value);
    filled[index] = 1;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  Object.assign(sums, { missing, min, max });
}

function findCommonUnit(columns: readonly NumberColumn[]): Unit | undefined {
  const [first, ...others] = columns.map(({ field }) => unitOf(field));
  return first && others.every(unit => isSameUnit(unit, first)) ? first : undefined;
}
