import type { FieldInfo, Frame } from '../../shared/frame.ts';
import { differenceOf, share } from '../../shared/units.ts';
import { uniqueName } from '../export/exportTable.ts';
import { takeRowsSteps } from '../frame/clip.ts';
import { stepRows, type Steps } from '../time/steps.ts';
import { computedColumn, nameWithUnit, numberAt, type ForecastErrors } from './forecastErrors.ts';

const mostWorst = 10;

/** Labels and meanings of the computed columns. */
export const worstTexts = {
  error: { label: 'Error', meaning: 'Actual minus forecast; positive where the forecast was too low' },
  part: { label: 'Error, %', meaning: "The error in percent of the actual's size" },
} as const;

/**
 * The ten of these rows with the greatest errors in size, the greatest first and of equal ones the earlier: time, actual, forecast, the error,
 * and the error in percent of the actual's size, null where that is 0. `rows`: in the order of time. In steps of a few milliseconds.
 */
export function* worstHoursSteps({ time, actual, forecast, errors }: ForecastErrors, rows: Int32Array): Steps<Frame> {
  const worst: number[] = [];
  const sizeOf = (row: number): number => Math.abs(errors[row] ?? NaN);
  for (let at = 0; at < rows.length; at++) {
    if (at % stepRows === stepRows - 1) yield;
    const row = rows[at] ?? -1;
    const size = sizeOf(row);
    if (!Number.isFinite(size) || (worst.length === mostWorst && !(size > sizeOf(worst.at(-1) ?? -1)))) continue;
    const place = worst.findIndex(other => sizeOf(other) < size);
    worst.splice(place < 0 ? worst.length : place, 0, row);
    worst.length = Math.min(worst.length, mostWorst);
  }
  const columns = [time, actual, ...(forecast === actual ? [] : [forecast])];
  const taken = yield* takeRowsSteps({ rowCount: errors.length, columns }, Uint32Array.from(worst));
  const unit = actual.field?.unit && differenceOf(actual.field.unit);
  const names = new Set(columns.map(({ name }) => name));
  const column = (name: string, numbers: readonly number[], field: FieldInfo) =>
    computedColumn(uniqueName(name, names), numbers, field);
  const parts = worst.map(row => (100 * (errors[row] ?? NaN)) / Math.abs(numberAt(actual, row)));
  return {
    rowCount: worst.length,
    columns: [
      ...taken.columns,
      column(
        nameWithUnit('error', unit),
        worst.map(row => errors[row] ?? NaN),
        { ...worstTexts.error, ...(unit && { unit }) },
      ),
      column('error_pct', parts, { ...worstTexts.part, unit: share }),
    ],
  };
}
