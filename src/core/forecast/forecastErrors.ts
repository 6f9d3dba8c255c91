import { hourMs } from '../../shared/durations.ts';
import { cellState, type FieldInfo, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import type { Unit } from '../../shared/units.ts';
import { getNumber } from '../bins/binSums.ts';
import { getRowStarts, findRowsOfIntervals, getRowIntervals, type RowIntervals } from '../bins/rowIntervals.ts';
import { subtractDecimals } from '../statistics/decimalSum.ts';
import { findTimeColumn } from '../frame/clip.ts';

/** The intervals of a frame with their forecast errors. */
export interface ForecastErrors {
  readonly time: TimeColumn;
  readonly actual: NumberColumn;
  readonly forecast: NumberColumn;
  readonly rowIntervals: RowIntervals;
  /** The start of each interval's row, in UTC milliseconds. */
  readonly starts: Float64Array;
  /** The row of each interval, the last one if there are several; -1 if there is none. */
  readonly rowOfInterval: Int32Array;
  /** The error of each row, actual − forecast, in their common unit: positive if the forecast was too low. NaN unless both values exist. */
  readonly errors: Float64Array;
  /** The weight of each row: the share of its length for which both values are known; undefined if all weights are 1. */
  readonly weights: Float64Array | undefined;
}

/** The columns of a scorecard, and the range and lengths of its rows. */
interface ScoredColumns extends Pick<Scorecard, 'start' | 'end' | 'intervalMs' | 'lengths'> {
  readonly actual: string;
  readonly forecast: string;
}

/**
 * Computes the error of each row, actual − forecast: the sign of the service's own `forecast_error_mw`, and of Hyndman & Athanasopoulos,
 * Forecasting: Principles and Practice (3rd edition), section 5.8. Undefined if the frame lacks a column. Throws a RangeError if there
 * are too many intervals.
 */
export function computeForecastErrors(frame: Frame, scorecard: ScoredColumns): ForecastErrors | undefined {
  const time = findTimeColumn(frame);
  const actual = findNumberColumn(frame, scorecard.actual);
  const forecast = findNumberColumn(frame, scorecard.forecast);
  if (!time || !actual || !forecast) return undefined;
  const rowIntervals = getRowIntervals(scorecard);
  const rowOfInterval = findRowsOfIntervals(time, rowIntervals);
  const starts = getRowStarts(time, rowOfInterval, rowIntervals);
  const errors = new Float64Array(frame.rowCount).map((_, row) =>
    subtractDecimals(getNumber(actual, row), getNumber(forecast, row)),
  );
  const weights = computeWeights(actual, forecast, rowIntervals, rowOfInterval);
  return { time, actual, forecast, rowIntervals, starts, rowOfInterval, errors, weights };
}

/** Weighs an error by the hours that both values count for, so that bias times hours is the difference of their energies. */
function computeWeights(
  actual: NumberColumn,
  forecast: NumberColumn,
  { intervalMs, getHours }: RowIntervals,
  rowOfInterval: Int32Array,
): Float64Array | undefined {
  if (!actual.hours && !forecast.hours && !getHours) return undefined;
  const rowHours = intervalMs / hourMs;
  const hoursByRow = actual.values.slice().fill(rowHours);
  for (let interval = 0; getHours && interval < rowOfInterval.length; interval++) {
    const row = rowOfInterval[interval] ?? -1;
    if (row >= 0) hoursByRow[row] = getHours(interval);
  }
  return hoursByRow.map(
    (rowLength, row) => Math.min(actual.hours?.[row] ?? rowLength, forecast.hours?.[row] ?? rowLength) / rowHours,
  );
}

function findNumberColumn({ columns }: Frame, name: string): NumberColumn | undefined {
  const column = columns.find(column => column.name === name);
  return column?.kind === 'number' ? column : undefined;
}

/** Creates a column of computed numbers, which are null unless finite. */
export function createComputedColumn(name: string, numbers: Iterable<number>, field: FieldInfo): NumberColumn {
  const values = Float64Array.from(numbers);
  const gaps = Uint8Array.from(values, value => (Number.isFinite(value) ? cellState.value : cellState.null));
  return { kind: 'number', name, path: [name], values, ...(gaps.includes(cellState.null) && { gaps }), field };
}

/** Appends the unit to a name, like the service's names: "bias_mw". */
export function appendUnit(name: string, { text }: Pick<Unit, 'text'> = { text: '' }): string {
  return /^[a-z]+$/i.test(text) ? `${name}_${text.toLowerCase()}` : name;
}
