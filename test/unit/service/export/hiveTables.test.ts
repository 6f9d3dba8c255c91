import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { systemClock } from '../../../../src/host/systemPorts.ts';
import { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import { exportArchive } from '../../../../src/service/export/exportArchive.ts';
import { writeHive } from '../../../../src/service/export/hiveFolder.ts';
import { duckDb } from './readers.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const clock = { sleep: () => Promise.resolve() };
const hourMs = 3_600_000;
const source = 'https://api.example.test';

describe('a hive-partitioned folder as a table', () => {
  it('gives a column one type in all months, even if it is empty in one', async () => {
    const deps = { folder: createTemporaryFolder(), clock: systemClock, logger: console, maxBytes: () => 1e9 };
    const archive = new FileArchive(deps);
    const folder = createTemporaryFolder();
    const key = { source, dataset: 'other', interval: '1h', params: {} };
    const january = Date.UTC(2023, 0, 1);
    const february = Date.UTC(2023, 1, 1);
    for (const [from, more] of [
      [january, { load: null, state: null }],
      [february, { load: 5, state: 'on' }],
    ] as const) {
      const frame = recordsToFrame([{ ts: new Date(from).toISOString(), empty: null, ...more }]);
      const span = { start: from, end: from + hourMs };
      assert.ok(await archive.merge(key, hourMs, span, { frame, requestedAt: 1, meta: {} }));
    }
    await exportArchive({ archive, folder, clock, now: february + hourMs });
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.parquet'));
    const types = files.sort().map(file => {
      const { schema } = parquetMetadata(new Uint8Array(readFileSync(join(folder, file))).buffer);
      return schema.slice(1).map(({ name, type }) => `${name} ${type}`);
    });
    // A column without any value has no type yet.
    assert.deepEqual(types, [
      ['ts INT64', 'load DOUBLE', 'state BYTE_ARRAY'],
      ['ts INT64', 'load DOUBLE', 'state BYTE_ARRAY'],
    ]);
  });

  it('writes the SQL that defines the tables, with the columns of all months', async function () {
    const runSql = await duckDb();
    const quoted = join(createTemporaryFolder(), "it's");
    const key = { source, dataset: 'systemState', interval: '1h', params: { part: 'a' } };
    const records = [
      { ts: '2023-01-30T00:00:00Z', wind_mw: 1, 'a "b"': null },
      { ts: '2023-02-28T00:00:00Z', 'a "b"': true },
    ];
    await writeHive({ folder: quoted, series: [{ ...key, frame: recordsToFrame(records) }], clock });
    const sql = (engine: string) => readFileSync(`${quoted}/_systemState_part_a_1h.${engine}.sql`, 'utf8');
    const tablePath = `${quoted.replaceAll('\\', '/')}/dataset=systemState%3Fpart%3Da/interval=1h`;
    assert.equal(
      sql('spark'),
      `DROP TABLE IF EXISTS systemState_part_a_1h;
CREATE TABLE systemState_part_a_1h (
  \`ts\` TIMESTAMP,
  \`wind_mw\` DOUBLE,
  \`a "b"\` BOOLEAN,
  \`year\` INT,
  \`month\` INT
) USING parquet PARTITIONED BY (year, month) LOCATION '${tablePath.replace("'", "\\'")}';
MSCK REPAIR TABLE systemState_part_a_1h;
`,
    );
    assert.match(sql('trino'), /^ {2}"ts" TIMESTAMP\(3\),\n.*\n {2}"a ""b""" BOOLEAN,$/m);
    assert.ok(sql('trino').includes(`external_location = 'file://${tablePath.replace("'", "''")}'`));
    if (!runSql) this.skip();
    await runSql(sql('duckdb'));
    const rows = await runSql('SELECT year, month, "a ""b""" FROM "systemState_part_a_1h" ORDER BY ts');
    assert.deepEqual(rows.rows, [
      [2023, 1, null],
      [2023, 2, true],
    ]);
  });
});
