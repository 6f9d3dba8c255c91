import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataFile } from '../../../../src/core/snippets/dataFile.ts';
import { dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { has, python, run } from './tools.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const hostile = '/it is [1-2] *? {a,b}/day.csv';
const csv: DataFile = { path: hostile, form: 'csv', timeColumn: 'ts', timeZone: 'UTC' };

describe('a path that looks like a glob', () => {
  it('escapes a glob-like path for Spark', () => {
    const extractPath = (path: string): unknown => {
      const text = dataSnippets.spark.write({ ...csv, path });
      return JSON.parse(/spark\.read\.csv\(("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? 'null');
    };
    assert.equal(extractPath('/a [1]/b{c}*?\\d.csv'), '/a \\[1\\]/b\\{c\\}\\*\\?\\\\d.csv');
    assert.equal(extractPath('C:\\a [1]\\b{c}.csv'), 'C:/a ?1?/b?c?.csv');
    assert.equal(extractPath('\\\\server\\a\\b.csv'), '//server/a/b.csv');
  });

  it('reads a glob-like path in polars as bytes', () => {
    for (const form of ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'arrow'] as const) {
      const text = dataSnippets.polars.write({ ...csv, form });
      assert.match(text, /from pathlib import Path\n[^]*\(Path\("[^"]*"\)\.read_bytes\(\)/);
      if (form === 'arrow') continue;
      assert.doesNotMatch(dataSnippets.polars.write({ ...csv, form, path: '/day.csv' }), /Path/);
    }
  });

  it('reads exactly a glob-like path with polars, where installed', async function () {
    if (!(await has(python, '-c', 'import polars'))) this.skip();
    const folder = createTemporaryFolder();
    const path = join(folder, hostile);
    const otherFile = join(folder, '/it is 1 *? {a,b}/day.csv');
    for (const file of [path, otherFile]) {
      await mkdir(dirname(file));
      await writeFile(file, `ts,v\n2023-05-01T00:00:00Z,${file === path ? 1 : 2}\n`);
    }
    const script = join(folder, 's.py');
    await writeFile(script, `${dataSnippets.polars.write({ ...csv, path })}\nprint("ROWS", frame["v"].to_list())\n`);
    const { stdout, stderr } = await run(python, [script]);
    assert.match(stdout, /ROWS \[1\]/, stderr);
  });
});
