import assert from 'node:assert/strict';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import type { DerivedColumn } from '../../../../src/shared/derivedColumns.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';

export const hourMs = 3_600_000;
export const start = Date.parse('2023-03-25T20:00Z');

/** Returns the derived columns, and fails if one has an error. */
export function deriveInFrame(
  frame: Frame,
  derived: readonly DerivedColumn[],
  intervalMs?: number,
): readonly NumberColumn[] {
  const result = deriveColumns(frame, { columns: derived, ...(intervalMs !== undefined && { intervalMs }) });
  assert.deepEqual([...result.errors.values()].map(String), []);
  return result.frame.columns.slice(frame.columns.length) as NumberColumn[];
}

export function deriveColumn(frame: Frame, formula: string, intervalMs = hourMs): NumberColumn {
  return deriveInFrame(frame, [{ name: 'made', formula }], intervalMs)[0] ?? assert.fail();
}

export function readCells(column: NumberColumn): (number | null)[] {
  return Array.from(column.values, (value, row) => (getCellState(column, row) === cellState.value ? value : null));
}

/** Creates hours of one column from `start` on. */
export function createHours(values: readonly (number | null | undefined)[], name = 'wind_mw'): Frame {
  const times = values.map((_, index) => start + index * hourMs);
  return createFrame(timeColumn('ts', times), numberColumn(name, values, power));
}
