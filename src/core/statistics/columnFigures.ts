import type { NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { collect, nothingCollected, type Mark } from './collectValues.ts';
import { momentSteps } from './moments.ts';
import { quantile } from './quantile.ts';
import { sortSteps } from './sortSteps.ts';
import { stepRows, type Steps } from '../steps.ts';

/** What is said of a column in one line. Rows without a finite number are in none of the figures. */
export interface ColumnFigures {
  /** Rows with a finite number. */
  readonly count: number;
  /** Undefined where there is none. */
  readonly figures:
    | {
        readonly min: Mark;
        readonly max: Mark;
        readonly sum: number;
        readonly mean: number;
        readonly median: number;
      }
    | undefined;
}

/**
 * Count, extremes with the earliest instant of each (UTC ms, Infinity for unknown), sum, mean and median of a column, in steps of a few
 * milliseconds.
 */
export function* columnFigureSteps(column: NumberColumn, time: TimeColumn | undefined): Steps<ColumnFigures> {
  const rows = column.values.length;
  const found = nothingCollected(rows);
  for (let start = 0; start < rows; start += stepRows) {
    collect(found, column, time, undefined, [start, Math.min(rows, start + stepRows)]);
    yield;
  }
  const { count, low: min, high: max } = found;
  if (count === 0) return { count, figures: undefined };
  const ascending = yield* sortSteps(found.values.subarray(0, count));
  const { sum, mean } = yield* momentSteps(ascending);
  return { count, figures: { min, max, sum, mean, median: quantile(ascending, 0.5) } };
}
