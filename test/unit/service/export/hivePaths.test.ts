import assert from 'node:assert/strict';
import { join } from 'node:path';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { writeToHive, writeHive, type HiveSeries } from '../../../../src/service/export/hiveFolder.ts';
import { duckDb } from './readers.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const hourMs = 3_600_000;

/** Creates hours, or days, of a dataset. */
function createSeries(dataset: string, value: string, more: Partial<HiveSeries> = {}): HiveSeries {
  const intervalMs = more.interval === '1d' ? 24 * hourMs : hourMs;
  const records = Array.from({ length: 48 }, (_, index) => ({
    ts: new Date(Date.UTC(2023, 0, 1) + index * intervalMs).toISOString(),
    [value]: index,
  }));
  return {
    source: 'https://api.example.test',
    dataset,
    interval: '1h',
    params: {},
    frame: recordsToFrame(records),
    ...more,
  };
}

describe('the folders of a hive-partitioned export', () => {
  const params = { components: 'true' };
  const writtenFolders = [
    createSeries('systemState', 'residual_demand_mw'),
    createSeries('systemState', 'residual_demand_mw', { interval: '1d' }),
    createSeries('gridStress', 'value', { params }),
    createSeries('gridStress', 'none', { frame: recordsToFrame([]) }),
  ];

  it('creates one folder per dataset and interval with rows', async () => {
    const folder = createTemporaryFolder();
    const { tables } = await writeHive({
      folder,
      series: writtenFolders,
      clock: { sleep: async () => Promise.resolve() },
    });
    const state = { dataset: 'systemState', params: {}, timeColumn: 'ts', valueColumn: 'residual_demand_mw' };
    const stress = { dataset: 'gridStress', params, timeColumn: 'ts', valueColumn: 'value' };
    assert.deepEqual(tables, [
      { ...state, interval: '1h', path: 'dataset=systemState/interval=1h' },
      { ...state, interval: '1d', path: 'dataset=systemState/interval=1d' },
      { ...stress, interval: '1h', path: 'dataset=gridStress%3Fcomponents%3Dtrue/interval=1h' },
    ]);
  });

  it('names a folder also for a parameter with a lone surrogate', async () => {
    const folder = createTemporaryFolder();
    const halves = [createSeries('systemState', 'a', { params: { part: '\ud800' } })];
    const { tables } = await writeHive({ folder, series: halves, clock: { sleep: async () => Promise.resolve() } });
    assert.deepEqual(
      tables.map(({ path }) => path),
      ['dataset=systemState%3Fpart%3D%EF%BF%BD/interval=1h'],
    );
  });

  it('writes exactly the folders that copied code reads', async function () {
    const runSql = await duckDb();
    if (!runSql) this.skip();
    const folder = createTemporaryFolder();
    const { tables } = await writeHive({
      folder,
      series: writtenFolders,
      clock: { sleep: async () => Promise.resolve() },
    });
    const rows: unknown[] = [];
    for (const { path, timeColumn, valueColumn } of tables) {
      const data = { path: join(folder, path), form: 'hive', timeColumn, valueColumn, timeZone: 'UTC' } as const;
      for (const statement of dataSnippets.duckdb.write(data).split(/;\n/).slice(0, -1)) await runSql(statement);
      rows.push((await runSql('SELECT dataset, "interval", count(*)::INT FROM grid_files GROUP BY ALL')).rows);
    }
    assert.deepEqual(rows, [
      [['systemState', '1h', 48]],
      [['systemState', '1d', 48]],
      [['gridStress?components=true', '1h', 48]],
    ]);
  });

  it('never mixes columns whose names differ only in case, in any months', async function () {
    const runSql = await duckDb();
    if (!runSql) this.skip();
    const folder = createTemporaryFolder();
    const deps = { clock: { sleep: async () => Promise.resolve() } };
    const key = { source: 'https://api.example.test', dataset: 'systemState', interval: '1h', params: {} };
    const months = [{ wind: 1 }, { WIND: 20, wind: 2 }, { WIND: 30, Year: 3 }];
    const { tables } = await writeToHive(folder, deps, async hive => {
      for (const [month, values] of months.entries())
        await hive.write(key, recordsToFrame([{ ts: new Date(Date.UTC(2023, month)).toISOString(), ...values }]));
    });
    const data = { ...tables[0], path: join(folder, tables[0]?.path ?? ''), form: 'hive', timeZone: 'UTC' } as const;
    for (const statement of dataSnippets.duckdb
      .write({ timeColumn: 'ts', ...data })
      .split(/;\n/)
      .slice(0, -1))
      await runSql(statement);
    const { rows } = await runSql('SELECT wind, "WIND (2)", year, "Year (2)" FROM grid_files ORDER BY ts');
    assert.deepEqual(
      rows.map(row => row.map(cell => (cell === null ? null : Number(cell)))),
      [
        [1, null, 2023, null],
        [2, 20, 2023, null],
        [null, 30, 2023, 3],
      ],
    );
  });
});
