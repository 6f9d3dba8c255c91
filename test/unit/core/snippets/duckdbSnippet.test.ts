import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { decode } from '../../../../src/core/decode/decode.ts';
import { parseInstant } from '../../../../src/core/time/instant.ts';
import { generateRecords, type GridRecord } from '../../../../src/core/frame/records.ts';
import type { DataFile, DataForm } from '../../../../src/core/snippets/dataFile.ts';
import { dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { quoteForSql } from '../../../../src/core/snippets/quote.ts';
import { startSandbox } from '../../../../src/sandbox/embedded.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const zone = 'Africa/Johannesburg';

/** Fetches a winter day of the sandbox as the extension decodes it, with a null where a service may have one. */
async function fetchDay(): Promise<GridRecord[]> {
  const sandbox = await startSandbox();
  const { value: key } = sandbox.createKey('duckdb');
  const address = `${sandbox.baseUrl}/api/v1/grid/system-state?start=2023-07-01T00:00:00Z&end=2023-07-02T00:00:00Z`;
  const body: unknown = await (await fetch(address, { headers: { 'X-API-KEY': key } })).json();
  await sandbox.close();
  const { frame } = decode([body]);
  assert.ok(frame);
  const rows = [...generateRecords(frame)].map((row, hour) => (hour === 3 ? { ...row, wind_mw: null } : row));
  assert.equal(rows.length, 24);
  return rows;
}

/** Formats an instant in the time zone of the export. */
function formatInSast(ts: unknown): string {
  const ms = parseInstant(String(ts)) ?? assert.fail();
  return new Date(ms + 2 * 3_600_000).toISOString().replace('.000Z', '+02:00');
}

describe('reading data with DuckDB', () => {
  let rows: GridRecord[];
  let folder: string;
  let database: DuckDBConnection;

  before(async () => {
    rows = await fetchDay();
    database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  });
  beforeEach(() => (folder = createTemporaryFolder()));
  after(() => database.closeSync());

  async function readLastResult(script: string): Promise<Record<string, unknown>[]> {
    const statements = await database.extractStatements(script);
    let rowsOfStatement: Record<string, unknown>[] = [];
    for (let index = 0; index < statements.count; index++) {
      const statement = await statements.prepare(index);
      rowsOfStatement = (await statement.runAndReadAll()).getRowObjectsJson();
    }
    return rowsOfStatement;
  }

  /** Runs the snippet, and compares its table and its means with the rows. */
  async function assertReads(form: DataForm, path: string, options: Partial<DataFile> = {}): Promise<void> {
    const data = { path, form, timeColumn: 'ts', valueColumn: 'residual_demand_mw', timeZone: zone, ...options };
    const means = await readLastResult(dataSnippets.duckdb.write(data));
    const table = form === 'hive' ? 'grid_files' : 'grid';
    const typeResult = await database.runAndReadAll(`SELECT typeof(ts) AS type FROM ${table} LIMIT 1`);
    assert.deepEqual(typeResult.getRowObjects(), [{ type: 'TIMESTAMP WITH TIME ZONE' }]);
    const columns = Object.keys(rows[0] ?? {}).filter(name => name !== 'ts');
    const reader = await database.runAndReadAll(
      `SELECT epoch_ms(ts) AS ms, ${columns.map(name => `${name}::DOUBLE AS ${name}`).join(', ')} FROM ${table} ORDER BY ts`,
    );
    assert.deepEqual(
      reader.getRowObjectsJson().map(({ ms, ...otherFields }) => ({ ...otherFields, ts: Number(ms) })),
      rows.map(row => ({ ...row, ts: parseInstant(String(row['ts'])) })),
    );
    // The first hour of the day in UTC is the third in South Africa.
    assert.equal(means.length, 24);
    const third = means.find(({ hour_of_day: hour }) => Number(hour) === 2);
    assert.equal(third?.['mean'], rows[0]?.['residual_demand_mw']);
  }

  async function writeFolderFile(name: string, text: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  }

  function formatDelimited(separator: string, cell: (value: unknown) => string, before = ''): string {
    const names = Object.keys(rows[0] ?? {});
    const lines = rows.map(row =>
      names.map(name => cell(name === 'ts' ? formatInSast(row[name]) : row[name])).join(separator),
    );
    return `${before}${[names.join(separator), ...lines].join('\r\n')}\r\n`;
  }
  const formatUnquoted = (value: unknown): string => (value === null ? '' : JSON.stringify(value).replaceAll('"', ''));

  it('reads an exported CSV file', async () =>
    assertReads('csv', await writeFolderFile("it's a day.csv", formatDelimited(',', formatUnquoted))));

  it('reads only the folder whose name looks like a glob', async () => {
    const text = formatDelimited(',', formatUnquoted);
    const hostile = "it's [1-2] *? {a,b}";
    const otherFolders = ["it's [1-2] xx {a,b}", "it's 1 *? {a,b}"];
    for (const name of [hostile, ...otherFolders]) await mkdir(join(folder, name));
    for (const folderName of otherFolders) await writeFolderFile(join(folderName, '[ab].csv'), 'ts\n1');
    await writeFolderFile(join(hostile, 'a.csv'), 'ts\n1');
    const path = await writeFolderFile(join(hostile, '[ab].csv'), text);
    await assertReads('csv', path);
    await assertReads('hive', await createHiveFolder(join(folder, hostile)));
  });

  it('reads data without a time column', async () => {
    const path = await writeFolderFile('day.csv', formatDelimited(',', formatUnquoted).replace(/^[^,\n]*,/gm, ''));
    const data = { path, form: 'csv', timeColumn: undefined, timeZone: zone } as const;
    const summary = await readLastResult(dataSnippets.duckdb.write(data));
    const columns = Object.keys(rows[0] ?? {}).filter(name => name !== 'ts');
    assert.deepEqual(
      summary.map(({ column_name: name, count }) => [name, Number(count)]),
      columns.map(name => [name, rows.length]),
    );
  });

  it('reads CSV with semicolons, decimal commas and comments', async () => {
    const text = formatDelimited(
      ';',
      value => (typeof value === 'number' ? formatUnquoted(value).replace('.', ',') : formatUnquoted(value)),
      '# a; b\r\n# c\r\n',
    );
    await assertReads('csv', await writeFolderFile('day.csv', text), { dialect: 'semicolon', hasComments: true });
  });

  it('reads an exported TSV file', async () =>
    assertReads('tsv', await writeFolderFile('day.tsv', formatDelimited('\t', formatUnquoted))));

  it('reads JSON, with instants in either format', async () => {
    await assertReads('json', await writeFolderFile('day.json', JSON.stringify(rows)));
    const local = rows.map(row => ({ ...row, ts: formatInSast(row['ts']) }));
    await assertReads('json', await writeFolderFile('local.json', JSON.stringify(local)));
  });

  it('reads an exported NDJSON file', async () => {
    await assertReads(
      'ndjson',
      await writeFolderFile('day.ndjson', rows.map(row => `${JSON.stringify(row)}\n`).join('')),
    );
  });

  async function createHiveFolder(inside: string): Promise<string> {
    const json = await writeFolderFile('hive.json', JSON.stringify(rows));
    const hive = join(inside, 'hive');
    await database.run(
      `COPY (SELECT * REPLACE (ts::TIMESTAMPTZ AS ts), 'systemState' AS dataset, '1h' AS "interval", 2023 AS year, '07' AS month
       FROM read_json('${json}'))
       TO ${quoteForSql(hive)} (FORMAT parquet, PARTITION_BY (dataset, "interval", year, month))`,
    );
    return hive;
  }

  it('reads Parquet, and a folder of it', async () => {
    const json = await writeFolderFile('day.json', JSON.stringify(rows));
    const parquet = join(folder, 'day.parquet');
    await database.run(
      `COPY (SELECT * REPLACE (ts::TIMESTAMPTZ AS ts) FROM read_json('${json}')) TO '${parquet}' (FORMAT parquet)`,
    );
    await assertReads('parquet', parquet);
    await assertReads('hive', await createHiveFolder(folder));
  });
});
