import assert from 'node:assert/strict';
import { has, python } from '../../core/snippets/tools.ts';
import { checkFile } from './realWorldFiles/checkFile.ts';
import { writtenFiles } from './realWorldFiles/writtenFiles.ts';

describe('texts and workbooks that pandas, DuckDB, polars, openpyxl and csv write', () => {
  it('reads the same cells as these programs', async function () {
    if (!(await has(python, '-c', 'import pandas, duckdb, polars, openpyxl'))) this.skip();
    const files = await writtenFiles(python);
    assert.ok(files.length > 100);
    const differences: string[] = [];
    for (const file of files)
      await checkFile(file).catch((error: unknown) => {
        differences.push(`${file.title}: ${error instanceof Error ? error.message.slice(0, 400) : String(error)}`);
      });
    assert.deepEqual(differences, []);
  });
});
