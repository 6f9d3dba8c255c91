import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import type { ExportProvenance } from '../../../../src/shared/exportOptions.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { exportChunks } from '../../../../src/service/export/exporter.ts';
import { anyTable, exportToBytes, listRowIndexes, standard, valueAt } from './anyFrame.ts';
import { duckDb, type RunSql } from './readers.ts';
import { power } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

type Table = typeof anyTable extends fc.Arbitrary<infer T> ? T : never;

/** Compares the table cell by cell: null and absent are both null, NaN is NaN, and -0 is -0. */
function checkRows(table: Table, rows: readonly (readonly unknown[])[]): void {
  const rowIndexes = listRowIndexes(table);
  assert.equal(rows.length, rowIndexes.length);
  for (const [position, row] of rowIndexes.entries())
    assert.deepEqual(
      rows[position]?.map(removeMark),
      table.frame.columns.map(column => removeMark(valueAt(column, row) ?? null)),
    );
}

/** DuckDB's JavaScript API drops a byte order mark at the beginning of a text. */
function removeMark(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^\uFEFF/, '') : value;
}

const types = {
  number: 'DOUBLE',
  time: 'TIMESTAMP WITH TIME ZONE',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
  nested: 'VARCHAR',
};

describe('Parquet', () => {
  let runSql: RunSql | undefined;
  before(async () => (runSql = await duckDb()));

  it('round-trips Parquet through DuckDB', async function () {
    if (!runSql) this.skip();
    const duck = runSql;
    await fc.assert(
      fc.asyncProperty(anyTable, async table => {
        const file = join(createTemporaryFolder(), 'a.parquet');
        writeFileSync(file, await exportToBytes(table, { format: 'parquet' }));
        const actualRows = await duck(`SELECT * FROM read_parquet('${file}')`);
        assert.deepEqual(
          actualRows.types,
          table.frame.columns.map(({ kind }) => types[kind]),
        );
        checkRows(table, actualRows.rows);
      }),
    );
  });

  it('round-trips Parquet with several row groups', async function () {
    if (!runSql) this.skip();
    const rowCount = 250_000;
    const values = Float64Array.from({ length: rowCount }, (_, row) => row / 7);
    const frame = { rowCount, columns: [{ kind: 'number' as const, name: 'a', path: ['a'], values }] };
    const file = join(createTemporaryFolder(), 'b.parquet');
    writeFileSync(file, await exportToBytes({ frame }, { format: 'parquet' }));
    const { rows } = await runSql('SELECT count(*)::INT, count(DISTINCT a)::INT, max(a) FROM ' + `'${file}'`);
    assert.deepEqual(rows, [[rowCount, rowCount, (rowCount - 1) / 7]]);
    const groups = await runSql(`SELECT count(DISTINCT row_group_id)::INT FROM parquet_metadata('${file}')`);
    assert.deepEqual(groups.rows, [[3]]);
  });

  it('writes units, UTC and provenance into Parquet', async () => {
    const frame = recordsToFrame([{ ts: '2026-05-03T00:00:00Z', wind_mw: 1 }]);
    const [ts, wind] = frame.columns;
    assert.ok(ts && wind);
    const columns = [ts, { ...wind, field: { label: 'Wind', unit: power, meaning: 'Wind generation' } }];
    const provenance = { connection: 'Real', rows: 1 } as unknown as ExportProvenance;
    const chunks: Uint8Array[] = [];
    const options = { ...standard, format: 'parquet' as const };
    for await (const chunk of exportChunks(createTableToWrite({ frame: { ...frame, columns } }), options, provenance))
      chunks.push(chunk);
    const metadata = parquetMetadata(new Uint8Array(Buffer.concat(chunks)).buffer);
    const notes = Object.fromEntries(metadata.key_value_metadata?.map(({ key, value }) => [key, value]) ?? []);
    assert.deepEqual(JSON.parse(notes['grid_data.provenance'] ?? ''), { connection: 'Real', rows: 1 });
    assert.equal((JSON.parse(notes['grid_data.columns'] ?? '') as { wind_mw: { unit: string } }).wind_mw.unit, 'MW');
    assert.deepEqual(metadata.schema[1]?.logical_type, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' });
  });
});

describe('CSV through DuckDB', () => {
  let runSql: RunSql | undefined;
  before(async () => (runSql = await duckDb()));

  it('round-trips numbers, instants and gaps', async function () {
    if (!runSql) this.skip();
    const duck = runSql;
    await fc.assert(
      fc.asyncProperty(anyTable, async ({ frame, rows }) => {
        const columns = frame.columns.filter(({ kind }) => kind !== 'text' && kind !== 'nested');
        // A column of numbers is added, since the row count of a single empty column is ambiguous.
        const values = Float64Array.from({ length: frame.rowCount }, (_, row) => row);
        const table = {
          frame: { ...frame, columns: [{ kind: 'number' as const, name: 'n', path: ['n'], values }, ...columns] },
          rows,
        };
        const file = join(createTemporaryFolder(), 'a.csv');
        writeFileSync(file, await exportToBytes(table, { format: 'csv' }));
        const kinds = table.frame.columns.map(({ kind }, index) => `'c${index}': '${types[kind]}'`).join(', ');
        const form = `header = true, auto_detect = false, new_line = '\\r\\n', delim = ',', quote = '"', escape = '"', columns = {${kinds}}`;
        checkRows(table, (await duck(`SELECT * FROM read_csv('${file}', ${form})`)).rows);
      }),
      { numRuns: scaleRunCount(60) },
    );
  });
});

describe('Arrow', () => {
  it('writes types, units and provenance into Arrow', async () => {
    const { tableFromIPC, timestamp, TimeUnit } = await import('@uwdata/flechette');
    const frame = recordsToFrame([{ ts: '2026-05-03T00:00:00Z', wind_mw: 1 }]);
    const provenance = { connection: 'Real', rows: 1 } as unknown as ExportProvenance;
    const chunks: Uint8Array[] = [];
    const options = { ...standard, format: 'arrow' as const };
    for await (const chunk of exportChunks(createTableToWrite({ frame }), options, provenance)) chunks.push(chunk);
    const { schema } = tableFromIPC(Buffer.concat(chunks));
    assert.deepEqual(schema.fields[0]?.type, timestamp(TimeUnit.MILLISECOND, 'UTC'));
    assert.equal(schema.fields[1]?.metadata.get('path'), '["wind_mw"]');
    assert.deepEqual(JSON.parse(schema.metadata?.get('grid_data.provenance') ?? ''), { connection: 'Real', rows: 1 });
  });

  it('keeps texts apart that end and start with halves of a surrogate pair', async () => {
    const { tableFromIPC } = await import('@uwdata/flechette');
    const frame = recordsToFrame([{ place: 'a\ud83d' }, { place: '\ude00b' }, { place: 'c' }]);
    const bytes = await exportToBytes({ frame }, { format: 'arrow' });
    const texts: unknown = tableFromIPC(bytes).getChild('place').toArray();
    assert.deepEqual(texts, ['a\ufffd', '\ufffdb', 'c']);
  });
});
