import type { NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { collect, nothingCollected, type Mark } from './collectValues.ts';
import { momentSteps } from './moments.ts';
import { quantile } from './quantile.ts';
import { runSteps, sortSteps } from './sortSteps.ts';

/** What is said of a column in one line. Rows without a finite number are in none of the figures. */
export interface ColumnFigures {
  /** Rows with a finite number. */
  readonly count: number;
  /** Undefined where there is none. */
  readonly figures:
    { readonly min: Mark; readonly max: Mark; readonly mean: number; readonly median: number } | undefined;
}

/** Count, extremes with the earliest instant of each (UTC ms, Infinity for unknown), mean and median of a column. */
export function columnFigures(column: NumberColumn, time: TimeColumn | undefined): ColumnFigures {
  const rows = column.values.length;
  const found = nothingCollected(rows);
  collect(found, column, time, undefined, [0, rows]);
  const { count, low: min, high: max } = found;
  if (count === 0) return { count, figures: undefined };
  const ascending = runSteps(sortSteps(found.values.subarray(0, count)));
  const { mean } = runSteps(momentSteps(ascending));
  return { count, figures: { min, max, mean, median: quantile(ascending, 0.5) } };
}
