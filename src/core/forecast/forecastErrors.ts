import { hourMs } from '../../shared/durations.ts';
import { cellState, type FieldInfo, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import type { Unit } from '../../shared/units.ts';
import { numberAt } from '../bins/binSums.ts';
import { rowBegins, rowsOfSteps, rowSteps, type RowSteps } from '../bins/rowSteps.ts';
import { decimalDifference } from '../statistics/sumDigits.ts';
import { timeColumnOf } from '../frame/clip.ts';

/** The intervals of a frame with their forecast errors. */
export interface ForecastErrors {
  readonly time: TimeColumn;
  readonly actual: NumberColumn;
  readonly forecast: NumberColumn;
  readonly steps: RowSteps;
  /** The start of each interval's row, in UTC milliseconds. */
  readonly begins: Float64Array;
  /** The row of each interval, the last one if there are several; -1 if there is none. */
  readonly rowOfStep: Int32Array;
  /** The error of each row, actual − forecast, in their common unit: positive if the forecast was too low. NaN unless both values exist. */
  readonly errors: Float64Array;
  /** The weight of each row: the share of its length for which both values are known; undefined if all weights are 1. */
  readonly weights: Float64Array | undefined;
}

/**
 * Computes the error of each row, actual − forecast: the sign of the service's own `forecast_error_mw`, and of Hyndman & Athanasopoulos,
 * Forecasting: Principles and Practice (3rd edition), section 5.8. Undefined if the frame lacks a column. Throws a RangeError if there
 * are too many intervals.
 */
export function forecastErrors(
  frame: Frame,
  scorecard: Pick<Scorecard, 'actual' | 'forecast' | 'start' | 'end' | 'stepMs' | 'lengths'>,
): ForecastErrors | undefined {
  const time = timeColumnOf(frame);
  const [actual, forecast] = [numbersOf(frame, scorecard.actual), numbersOf(frame, scorecard.forecast)];
  if (!time || !actual || !forecast) return undefined;
  const steps = rowSteps(scorecard);
  const rowOfStep = rowsOfSteps(time, steps);
  const begins = rowBegins(time, rowOfStep, steps);
  const errors = new Float64Array(frame.rowCount).map((_, row) =>
    decimalDifference(numberAt(actual, row), numberAt(forecast, row)),
  );
  const weights = weightsOf(actual, forecast, steps, rowOfStep);
  return { time, actual, forecast, steps, begins, rowOfStep, errors, weights };
}

/** Weighs an error by the hours that both values count for, so that bias times hours is the difference of their energies. */
function weightsOf(
  actual: NumberColumn,
  forecast: NumberColumn,
  { stepMs, hoursOf }: RowSteps,
  rowOfStep: Int32Array,
): Float64Array | undefined {
  if (!actual.hours && !forecast.hours && !hoursOf) return undefined;
  const rowHours = stepMs / hourMs;
  const ofRows = actual.values.slice().fill(rowHours);
  for (let step = 0; hoursOf && step < rowOfStep.length; step++) {
    const row = rowOfStep[step] ?? -1;
    if (row >= 0) ofRows[row] = hoursOf(step);
  }
  return ofRows.map((own, row) => Math.min(actual.hours?.[row] ?? own, forecast.hours?.[row] ?? own) / rowHours);
}

function numbersOf({ columns }: Frame, name: string): NumberColumn | undefined {
  const found = columns.find(column => column.name === name);
  return found?.kind === 'number' ? found : undefined;
}

/** Creates a column of computed numbers, which are null unless finite. */
export function computedColumn(name: string, numbers: Iterable<number>, field: FieldInfo): NumberColumn {
  const values = Float64Array.from(numbers);
  const gaps = Uint8Array.from(values, value => (Number.isFinite(value) ? cellState.value : cellState.null));
  return { kind: 'number', name, path: [name], values, ...(gaps.includes(cellState.null) && { gaps }), field };
}

/** Appends the unit to a name, like the service's names: "bias_mw". */
export function nameWithUnit(name: string, { text }: Pick<Unit, 'text'> = { text: '' }): string {
  return /^[a-z]+$/i.test(text) ? `${name}_${text.toLowerCase()}` : name;
}
