import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DataFile } from '../../../../src/core/snippets/dataFile.ts';
import { dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { has, python, run } from './tools.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const column = 'ts (Europe/Berlin)';
const data: DataFile = { path: 'day.xlsx', form: 'xlsx', timeColumn: column, timeZone: 'Europe/Berlin' };

/** Local times around the end of summer time, when two o'clock occurs twice, and their instants. */
const local = ['2023-10-29 01:00:00', '2023-10-29 02:00:00', '2023-10-29 02:00:00', '2023-10-29 03:00:00'];
const instants = ['2023-10-28T23:00:00Z', '2023-10-29T00:00:00Z', '2023-10-29T01:00:00Z', '2023-10-29T02:00:00Z'];

/** Runs a Python program on the data frame that pandas or polars would read from Excel, and returns its instants by value. */
async function runPython(
  text: string,
  reading: string,
  frame: string,
  print: string,
  order: readonly number[] = [0, 1, 2, 3],
): Promise<unknown> {
  assert.ok(text.includes(reading));
  const folder = createTemporaryFolder();
  const script = join(folder, 's.py');
  const dates = order.map(row => `datetime.fromisoformat("${local[row]}")`).join(', ');
  const program = text.replace(
    reading,
    `${frame}({${JSON.stringify(column)}: [${dates}], "v": [${order.join(', ')}]})`,
  );
  await writeFile(
    script,
    `from datetime import datetime\n${program}\nimport json\nprint("INSTANTS", json.dumps(${print}))\n`,
  );
  const { stdout, stderr } = await run(python, [script]);
  return JSON.parse(/^INSTANTS (.*)$/m.exec(stdout)?.[1] ?? assert.fail(stderr)) as unknown;
}

describe('the repeated hour in an Excel file', () => {
  it('keeps both instants in DuckDB', async () => {
    const database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const values = local.map((localTime, index) => `(TIMESTAMP '${localTime}', ${index})`);
    const text = dataSnippets.duckdb.write(data);
    const reading = `read_xlsx('day.xlsx', header = true)`;
    assert.ok(text.includes(reading));
    for (const rows of [values, values.toReversed()]) {
      await database.run(`CREATE OR REPLACE TABLE sheet AS FROM (VALUES ${rows.join(', ')}) AS sheet("${column}", v)`);
      await database.run(text.replace(reading, 'sheet').replace(/^(INSTALL|LOAD) excel;$/gm, ''));
      const reader = await database.runAndReadAll(`SELECT epoch_ms("${column}") FROM grid ORDER BY v`);
      assert.deepEqual(
        reader.getRows().map(([ms]) => Number(ms)),
        instants.map(instant => Date.parse(instant)),
      );
    }
    const columns = await database.runAndReadAll('FROM grid');
    assert.deepEqual(columns.columnNames(), [column, 'v']);
    database.closeSync();
  });

  it('keeps the repeated hour in every language', () => {
    assert.doesNotMatch(dataSnippets.pandas.write(data), /NaT/);
    assert.doesNotMatch(dataSnippets.polars.write(data), /ambiguous="null"/);
  });

  it('keeps both instants in pandas, where installed, also when one row is missing', async function () {
    if (!(await has(python, '-c', 'import pandas'))) this.skip();
    const text = dataSnippets.pandas.write(data);
    const reading = 'pd.read_excel("day.xlsx", keep_default_na=False, na_values=["", "NaN"])';
    const print = '[at.strftime("%Y-%m-%dT%H:%M:%SZ") for at in frame.sort_values("v").index]';
    assert.deepEqual(await runPython(text, reading, 'pd.DataFrame', print), instants);
    const newestFirst = await runPython(text, reading, 'pd.DataFrame', print, [3, 2, 1, 0]);
    assert.deepEqual(newestFirst, instants);
    const withMissingRow = text.replace('local = ', 'frame = frame.drop(2)\nlocal = ');
    assert.deepEqual(await runPython(withMissingRow, reading, 'pd.DataFrame', print), instants.toSpliced(2, 1));
  });

  it('keeps both instants in polars, where installed', async function () {
    if (!(await has(python, '-c', 'import polars'))) this.skip();
    const print = `frame.sort("v")["${column}"].dt.strftime("%Y-%m-%dT%H:%M:%SZ").to_list()`;
    const text = dataSnippets.polars.write(data);
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
    ])
      assert.deepEqual(await runPython(text, 'pl.read_excel("day.xlsx")', 'pl.DataFrame', print, order), instants);
  });
});
