import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportOptions } from '../../../../../src/shared/importOptions.ts';
import { createTemporaryFolder } from '../../../../support/temporaryFolder.ts';
import { run } from '../../../core/snippets/tools.ts';
import type { Cell, RealWorldFile } from './realWorldFile.ts';

/** A cell as `write.py` prints it. */
type PrintedCell = string | number | boolean | null | { readonly time: string } | { readonly number: string };

interface PrintedFile {
  readonly title: string;
  readonly file: string;
  readonly options: ImportOptions;
  readonly times: readonly PrintedCell[];
  readonly columns: Readonly<Record<string, readonly PrintedCell[]>>;
}

/** The files that `write.py` writes with other programs, and the cells that these programs read from them. */
export async function writtenFiles(python: string): Promise<RealWorldFile[]> {
  const folder = createTemporaryFolder();
  const { stdout, stderr, code } = await run(python, [join(import.meta.dirname, 'write.py'), folder]);
  assert.equal(code, 0, stderr);
  return (JSON.parse(stdout) as PrintedFile[]).map(({ title, file, options, times, columns }) => ({
    title: `${file} ${title}`,
    name: file,
    content: readFileSync(join(folder, file)),
    options,
    // The row numbers that pandas writes into JSON.
    optional: ['index'],
    times: times.map(toInstant),
    columns: Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells.map(toCell)])),
  }));
}

function toCell(cell: PrintedCell): Cell {
  if (cell === null || typeof cell !== 'object') return cell;
  return 'time' in cell ? new Date(cell.time) : Number(cell.number);
}

function toInstant(cell: PrintedCell): Date | null {
  const value = toCell(cell);
  assert.ok(value === null || value instanceof Date);
  return value;
}
