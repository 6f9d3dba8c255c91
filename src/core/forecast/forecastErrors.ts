import { hourMs } from '../../shared/durations.ts';
import { cellState, type FieldInfo, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import type { Unit } from '../../shared/units.ts';
import { numberAt } from '../bins/binSums.ts';
import { rowBegins, rowsOfSteps, rowSteps, type RowSteps } from '../bins/rowSteps.ts';
import { decimalDifference } from '../statistics/sumDigits.ts';
import { timeColumnOf } from '../frame/clip.ts';

/** The hours of a frame and their forecast. */
export interface ForecastErrors {
  readonly time: TimeColumn;
  readonly actual: NumberColumn;
  readonly forecast: NumberColumn;
  readonly steps: RowSteps;
  /** When the row of each step begins, UTC milliseconds. */
  readonly begins: Float64Array;
  /** The row of each step, the last of several; -1 for none. */
  readonly rowOfStep: Int32Array;
  /** For each row actual - forecast, in the unit of both: positive where the forecast was too low. NaN without both. */
  readonly errors: Float64Array;
  /** What each row weighs: the part of its length for which both are known; undefined where that is 1. */
  readonly weights: Float64Array | undefined;
}

/**
 * The error of each row, actual - forecast: the sign of the service's own `forecast_error_mw`, and that of Hyndman & Athanasopoulos,
 * Forecasting: Principles and Practice (3rd edition), section 5.8. Undefined where the frame lacks a column. Throws a
 * RangeError where there are too many steps.
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

/** The error of a row counts for the hours that both count for: bias times hours is what the energies differ by. */
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

/** A column of computed numbers, null where one is not finite. */
export function computedColumn(name: string, numbers: Iterable<number>, field: FieldInfo): NumberColumn {
  const values = Float64Array.from(numbers);
  const gaps = Uint8Array.from(values, value => (Number.isFinite(value) ? cellState.value : cellState.null));
  return { kind: 'number', name, path: [name], values, ...(gaps.includes(cellState.null) && { gaps }), field };
}

/** A name that says its unit as the service's names do: "bias_mw". */
export function nameWithUnit(name: string, { text }: Pick<Unit, 'text'> = { text: '' }): string {
  return /^[a-z]+$/i.test(text) ? `${name}_${text.toLowerCase()}` : name;
}
