import assert from 'node:assert/strict';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import type { DerivedColumn } from '../../../../src/shared/derivedColumns.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { frameOf, numberColumn, timeColumn } from '../filter/columns.ts';

export const hourMs = 3_600_000;
export const start = Date.parse('2023-03-25T20:00Z');

/** Returns the derived columns; none may fail. */
export function derivedIn(frame: Frame, derived: readonly DerivedColumn[], stepMs?: number): readonly NumberColumn[] {
  const made = deriveColumns(frame, { columns: derived, ...(stepMs !== undefined && { stepMs }) });
  assert.deepEqual([...made.errors.values()].map(String), []);
  return made.frame.columns.slice(frame.columns.length) as NumberColumn[];
}

export function derivedFrom(frame: Frame, formula: string, stepMs = hourMs): NumberColumn {
  return derivedIn(frame, [{ name: 'made', formula }], stepMs)[0] ?? assert.fail();
}

export function cellsOf(column: NumberColumn): (number | null)[] {
  return Array.from(column.values, (value, row) => (getCellState(column, row) === cellState.value ? value : null));
}

/** Creates hours of one column from `start` on. */
export function hoursOf(values: readonly (number | null | undefined)[], name = 'wind_mw'): Frame {
  const times = values.map((_, at) => start + at * hourMs);
  return frameOf(timeColumn('ts', times), numberColumn(name, values, power));
}
