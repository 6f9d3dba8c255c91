import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../src/service/dataFile/readDataFile.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { has, python, run } from '../../core/snippets/tools.ts';
import { valueAt } from '../export/anyFrame.ts';

interface Expected {
  /** The expected columns of each file. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly cells: Readonly<Record<string, readonly unknown[]>>;
}

describe('the same table, written by pyarrow, pandas, polars and DuckDB', () => {
  it('reads the same cells from each of 70 files, if these programs are installed', async function () {
    if (!(await has(python, '-c', 'import duckdb, pandas, polars, pyarrow'))) return this.skip();
    const folder = createTemporaryFolder();
    const { code, stderr } = await run(python, [join(import.meta.dirname, 'files', 'variants.py'), folder]);
    assert.equal(code, 0, stderr);
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
    assert.ok(Object.keys(expected.files).length >= 70);
    for (const [name, columns] of Object.entries(expected.files)) {
      const request = { name, options: { timeZone: 'UTC' }, sidecar: undefined };
      const file = await readDataFile(createBytesSource(readFileSync(join(folder, name))), request, () => undefined);
      assert.ok(file.kind === 'table', name);
      const { frame, omitted } = file.table;
      assert.deepEqual([frame?.columns.map(column => column.name), omitted], [columns, []], name);
      for (const column of frame?.columns ?? []) {
        const cells = Array.from({ length: frame?.rowCount ?? 0 }, (_, row) => valueAt(column, row));
        const plain = cells.map(cell => (cell instanceof Date ? cell.getTime() : cell));
        assert.deepEqual(plain, expected.cells[column.name], `${name}: ${column.name}`);
      }
    }
  });
});
