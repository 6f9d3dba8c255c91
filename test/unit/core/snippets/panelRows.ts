import assert from 'node:assert/strict';
import type { DuckDBConnection } from '@duckdb/node-api';
import { analyse, type AnalysisContext } from '../../../../src/core/analysis/analyse.ts';
import type { ResultRows } from '../../../../src/core/analysis/resultRows.ts';
import { intervalState, type Coverage } from '../../../../src/shared/result.ts';
import type { PanelTransformations } from '../../../../src/core/snippets/panelTransformations.ts';
import { quoteSqlName, quoteForSql } from '../../../../src/core/snippets/quote.ts';
import type { DerivedColumn } from '../../../../src/shared/derivedColumns.ts';
import { cellState, getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import type { Resampling } from '../../../../src/shared/resampling.ts';
import type { View } from '../../../../src/shared/view.ts';

const hourMs = 3_600_000;
export type Cell = number | string | null;

/** Rows as the page has them, with instants in milliseconds. */
export function cellsOf({ rowCount, columns }: Frame): Record<string, Cell>[] {
  const cell = (column: Column, row: number): Cell => {
    if (getCellState(column, row) !== cellState.value) return null;
    return 'texts' in column ? getText(column.texts, row) : Number(column.values[row]);
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

/** Names that a program must quote. */
export const context: AnalysisContext = { locale: 'en', say: text => `It's ${text}` };

/** The rows of an analysis. `resampling`: its bins, and the intervals that it counts. */
export function analysedRows(
  frame: Frame,
  { filters, sort, resampling }: Required<Pick<View, 'filters' | 'sort'>> & { resampling?: Resampling },
  timeZone: string,
  derive: readonly DerivedColumn[],
): Record<string, Cell>[] {
  const { start = 0, end = 0, by: resample } = resampling ?? {};
  const states = new Uint8Array((end - start) / hourMs).fill(intervalState.present);
  const rows: ResultRows = {
    frame,
    interval: '1h',
    step: hourMs,
    start,
    zone: { timeZone, label: timeZone },
    coverage: resampling && ({ states } as unknown as Coverage),
    ...(resampling?.tariffs && { tariffs: resampling.tariffs }),
  };
  const figures = resampling?.figures;
  const analysis = { derive, where: filters, ...(resample && { resample }), ...(figures && { figures }), sort };
  const analysed = analyse(rows, analysis, context);
  const cells = cellsOf(analysed.frame);
  return analysed.order ? Array.from(analysed.order, row => cells[row] ?? {}) : cells;
}

/** Writing rows as SQL and reading them takes longer than the tested statements, so the same rows are only written once. */
const received = new WeakMap<DuckDBConnection, string>();

/** Returns the rows that the statements create from a frame. */
export async function rowsBySql(
  database: DuckDBConnection,
  frame: Frame,
  { sql, key, renamed }: PanelTransformations,
): Promise<Record<string, Cell>[]> {
  const rows = cellsOf(frame);
  const text = (column: Column, cell: Cell | undefined): string => {
    if (column.kind === 'time') return `TIMESTAMPTZ '${new Date(Number(cell)).toISOString().replace('Z', '+00:00')}'`;
    if ('texts' in column) return typeof cell === 'string' ? quoteForSql(cell) : 'NULL::VARCHAR';
    return cell === null || cell === undefined
      ? 'NULL'
      : `(${cell})${column.kind === 'boolean' ? '::BOOLEAN' : '::DOUBLE'}`;
  };
  const values = rows.map(row => `(${frame.columns.map(column => text(column, row[column.name])).join(', ')})`);
  const called = new Map(renamed);
  const names = frame.columns.map(({ name }) => quoteSqlName(called.get(name) ?? name)).join(', ');
  const given = `(VALUES ${values.join(', ')}) AS t(${names})`;
  if (given !== received.get(database)) await database.run(`CREATE OR REPLACE TEMP TABLE received AS FROM ${given}`);
  received.set(database, given);
  await database.run('CREATE OR REPLACE TEMP TABLE grid AS FROM received');
  for (const one of sql) await database.run(one);
  const isTime = frame.columns.some(({ name, kind }) => kind === 'time' && [name, called.get(name)].includes(key));
  const read = isTime
    ? `SELECT * REPLACE (epoch_ms(${quoteSqlName(key)})::DOUBLE AS ${quoteSqlName(key)}) FROM grid`
    : 'FROM grid';
  return (await database.runAndReadAll(read))
    .getRowObjectsJson()
    .map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => [name, typeof cell === 'boolean' ? Number(cell) : (cell as Cell)]),
      ),
    );
}
