import assert from 'node:assert/strict';
import type { DuckDBConnection } from '@duckdb/node-api';
import { resampledSteps, resampleSteps } from '../../../../src/core/bins/resample.ts';
import { deriveColumnsSteps } from '../../../../src/core/formula/deriveColumns.ts';
import type { PanelSteps } from '../../../../src/core/snippets/panelSteps.ts';
import { sqlName, sqlText } from '../../../../src/core/snippets/quote.ts';
import { runSteps } from '../../../../src/core/time/steps.ts';
import type { DerivedColumn } from '../../../../src/shared/derivedColumns.ts';
import { cellState, stateAt, textAt, type Column, type Frame } from '../../../../src/shared/frame.ts';
import type { Resampling } from '../../../../src/shared/resampling.ts';
import type { PanelView } from '../../../../src/shared/savedView.ts';
import { parseFilters } from '../../../../src/core/filter/parseFilter.ts';
import { filterRows } from '../../../../src/core/filter/filterRows.ts';
import { RowOrder } from '../../../../src/webview/rows/rowOrder.ts';
import { sortRows } from '../../../../src/core/sort/sortRows.ts';
import { frameOf, timeColumn } from '../filter/columns.ts';

const hourMs = 3_600_000;
export type Cell = number | string | null;

/** Rows as the page has them, instants in milliseconds. */
export function cellsOf({ rowCount, columns }: Frame): Record<string, Cell>[] {
  const cell = (column: Column, row: number): Cell => {
    if (stateAt(column, row) !== cellState.value) return null;
    return 'texts' in column ? textAt(column.texts, row) : Number(column.values[row]);
  };
  return Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(columns.map(column => [column.name, cell(column, row)])),
  );
}

export function assertSameRows(
  made: readonly Record<string, Cell>[],
  expected: readonly Record<string, Cell>[],
  where: string,
): void {
  assert.equal(made.length, expected.length, where);
  for (const [at, row] of expected.entries()) {
    assert.deepEqual(Object.keys(made[at] ?? {}), Object.keys(row), where);
    for (const [name, own] of Object.entries(row)) {
      const other = made[at]?.[name] ?? null;
      const isNear =
        typeof own === 'number' && typeof other === 'number'
          ? Math.abs(own - other) <= 1e-9 * Math.max(1, Math.abs(own))
          : own === other;
      assert.ok(isNear, `${where}, row ${at}, ${name}: ${String(other)}, not ${String(own)}`);
    }
  }
}

/** The table of the page: derived, filtered, then resampled or not, and sorted. */
export function pageTable(
  frame: Frame,
  { filters, sort, resampling }: Required<Pick<PanelView, 'filters' | 'sort'>> & { resampling?: Resampling },
  timeZone: string,
  derived: readonly DerivedColumn[],
): Record<string, Cell>[] {
  const { frame: whole } = runSteps(deriveColumnsSteps(frame, { columns: derived, stepMs: hourMs }));
  const context = { timeZone, locale: 'en' };
  const passing = (of: Frame) => {
    const { tests, problems } = parseFilters(of, filters, context);
    assert.deepEqual([...problems.keys()], []);
    return filterRows(of, tests);
  };
  if (!resampling) {
    const order = new RowOrder(context).orderOf(whole, { filters, sort });
    const rows = cellsOf(whole);
    return order ? Array.from(order, row => rows[row] ?? {}) : rows;
  }
  const { startOf, count } = resampledSteps(resampling);
  const ofSteps = timeColumn(
    'ts',
    Array.from({ length: count }, (_, step) => startOf(step)),
  );
  const [rows, steps] = [passing(whole), passing(frameOf(ofSteps))];
  const counted = steps && Uint8Array.from({ length: count }, (_, step) => Number(steps.includes(step)));
  const made = runSteps(resampleSteps(whole, { ...resampling, ...(rows && { rows }), ...(counted && { counted }) }));
  const [order, all] = [sortRows(made, sort), cellsOf(made)];
  return Array.from(order, row => all[row] ?? {});
}

/** To write rows as SQL and to read that takes longer than what is tested: the same rows are written once. */
const received = new WeakMap<DuckDBConnection, string>();

/** The rows that the statements make of a frame. */
export async function rowsBySql(
  database: DuckDBConnection,
  frame: Frame,
  { sql, key, renamed }: PanelSteps,
): Promise<Record<string, Cell>[]> {
  const rows = cellsOf(frame);
  const text = (column: Column, cell: Cell | undefined): string => {
    if (column.kind === 'time') return `TIMESTAMPTZ '${new Date(Number(cell)).toISOString().replace('Z', '+00:00')}'`;
    if ('texts' in column) return typeof cell === 'string' ? sqlText(cell) : 'NULL::VARCHAR';
    return cell === null || cell === undefined
      ? 'NULL'
      : `(${cell})${column.kind === 'boolean' ? '::BOOLEAN' : '::DOUBLE'}`;
  };
  const values = rows.map(row => `(${frame.columns.map(column => text(column, row[column.name])).join(', ')})`);
  const called = new Map(renamed);
  const names = frame.columns.map(({ name }) => sqlName(called.get(name) ?? name)).join(', ');
  const given = `(VALUES ${values.join(', ')}) AS t(${names})`;
  if (given !== received.get(database)) await database.run(`CREATE OR REPLACE TEMP TABLE received AS FROM ${given}`);
  received.set(database, given);
  await database.run('CREATE OR REPLACE TEMP TABLE grid AS FROM received');
  for (const one of sql) await database.run(one);
  const isTime = frame.columns.some(({ name, kind }) => kind === 'time' && [name, called.get(name)].includes(key));
  const read = isTime
    ? `SELECT * REPLACE (epoch_ms(${sqlName(key)})::DOUBLE AS ${sqlName(key)}) FROM grid`
    : 'FROM grid';
  return (await database.runAndReadAll(read))
    .getRowObjectsJson()
    .map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => [name, typeof cell === 'boolean' ? Number(cell) : (cell as Cell)]),
      ),
    );
}
