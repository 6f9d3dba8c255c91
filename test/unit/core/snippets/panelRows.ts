import assert from 'node:assert/strict';
import type { DuckDBConnection } from '@duckdb/node-api';
import { analyze, type AnalysisContext } from '../../../../src/core/analysis/analyze.ts';
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

/** Returns the rows as the page has them, with instants in milliseconds. */
export function readRows({ rowCount, columns }: Frame): Record<string, Cell>[] {
  const readCell = (column: Column, row: number): Cell => {
    if (getCellState(column, row) !== cellState.value) return null;
    return 'texts' in column ? getText(column.texts, row) : Number(column.values[row]);
  };
  return Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(columns.map(column => [column.name, readCell(column, row)])),
  );
}

export function assertSameRows(
  actual: readonly Record<string, Cell>[],
  expected: readonly Record<string, Cell>[],
  description: string,
): void {
  assert.equal(actual.length, expected.length, description);
  for (const [index, row] of expected.entries()) {
    assert.deepEqual(Object.keys(actual[index] ?? {}), Object.keys(row), description);
    for (const [name, expectedCell] of Object.entries(row)) {
      const actualCell = actual[index]?.[name] ?? null;
      const isNear =
        typeof expectedCell === 'number' && typeof actualCell === 'number'
          ? Math.abs(expectedCell - actualCell) <= 1e-9 * Math.max(1, Math.abs(expectedCell))
          : expectedCell === actualCell;
      assert.ok(isNear, `${description}, row ${index}, ${name}: ${String(actualCell)}, not ${String(expectedCell)}`);
    }
  }
}

/** Columns with names that a program must quote. */
export const context: AnalysisContext = { locale: 'en', translate: text => `It's ${text}` };

/** Returns the rows of an analysis. `resampling` has its bins, and the intervals that it counts. */
export function analyzeRows(
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
    intervalMs: hourMs,
    start,
    zone: { timeZone, label: timeZone },
    coverage: resampling && ({ states } as unknown as Coverage),
    ...(resampling?.tariffs && { tariffs: resampling.tariffs }),
  };
  const figures = resampling?.figures;
  const analysis = { derive, where: filters, ...(resample && { resample }), ...(figures && { figures }), sort };
  const analyzed = analyze(rows, analysis, context);
  const cells = readRows(analyzed.frame);
  return analyzed.order ? Array.from(analyzed.order, row => cells[row] ?? {}) : cells;
}

/** Caches the last rows that were written as SQL, because that takes longer than the tested statements. */
const received = new WeakMap<DuckDBConnection, string>();

/** Returns the rows that the statements create from a frame. */
export async function computeRowsInSql(
  database: DuckDBConnection,
  frame: Frame,
  { sql, key, renamed }: PanelTransformations,
): Promise<Record<string, Cell>[]> {
  const rows = readRows(frame);
  const formatSqlValue = (column: Column, cell: Cell | undefined): string => {
    if (column.kind === 'time') return `TIMESTAMPTZ '${new Date(Number(cell)).toISOString().replace('Z', '+00:00')}'`;
    if ('texts' in column) return typeof cell === 'string' ? quoteForSql(cell) : 'NULL::VARCHAR';
    return cell === null || cell === undefined
      ? 'NULL'
      : `(${cell})${column.kind === 'boolean' ? '::BOOLEAN' : '::DOUBLE'}`;
  };
  const values = rows.map(
    row => `(${frame.columns.map(column => formatSqlValue(column, row[column.name])).join(', ')})`,
  );
  const programNames = new Map(renamed);
  const names = frame.columns.map(({ name }) => quoteSqlName(programNames.get(name) ?? name)).join(', ');
  const valuesClause = `(VALUES ${values.join(', ')}) AS t(${names})`;
  if (valuesClause !== received.get(database))
    await database.run(`CREATE OR REPLACE TEMP TABLE received AS FROM ${valuesClause}`);
  received.set(database, valuesClause);
  await database.run('CREATE OR REPLACE TEMP TABLE grid AS FROM received');
  for (const statement of sql) await database.run(statement);
  const isTime = frame.columns.some(
    ({ name, kind }) => kind === 'time' && [name, programNames.get(name)].includes(key),
  );
  const readCell = isTime
    ? `SELECT * REPLACE (epoch_ms(${quoteSqlName(key)})::DOUBLE AS ${quoteSqlName(key)}) FROM grid`
    : 'FROM grid';
  return (await database.runAndReadAll(readCell))
    .getRowObjectsJson()
    .map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => [name, typeof cell === 'boolean' ? Number(cell) : (cell as Cell)]),
      ),
    );
}
