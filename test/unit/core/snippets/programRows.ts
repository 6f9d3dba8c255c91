import assert from 'node:assert/strict';
import type { Cell } from './panelRows.ts';
import { python, runText } from './tools.ts';

/** Cells as programs print them in JSON. */
function cellsPrinted(json: string): Record<string, Cell>[] {
  const rows = JSON.parse(json) as Record<string, Cell | boolean>[];
  return rows.map(row => {
    const cells = Object.entries(row).map(([name, cell]): [string, Cell] => [
      name,
      ['ts', 'day'].includes(name) ? Date.parse(String(cell)) : typeof cell === 'boolean' ? Number(cell) : cell,
    ]);
    return Object.fromEntries(cells);
  });
}

/** Returns the final rows of a Python program. */
export async function rowsPrinted(code: string, print: string, env: Record<string, string> = {}) {
  const ran = await runText(python, 's.py', `${code}\nprint("ROWS", ${print})\n`, env);
  assert.deepEqual([ran.stderr, ran.code], ['', 0]);
  return cellsPrinted(ran.stdout.slice(ran.stdout.lastIndexOf('ROWS ') + 5));
}

/** Python expressions for the rows of a data frame as JSON. */
export const asJson = {
  pandas: 'frame.reset_index().to_json(orient="records", date_format="iso", double_precision=15)',
  polars: 'frame.write_json()',
};

/** Runs the programs that query a service. */
export const programRows = {
  python: (code: string, env: Record<string, string>) => rowsPrinted(code, asJson.pandas, env),
  typeScript: async (code: string, env: Record<string, string>) => {
    // The program is written to a folder without packages.
    const found = JSON.stringify(import.meta.resolve('@duckdb/node-api'));
    const ran = await runText(process.execPath, 's.mts', code.replace("'@duckdb/node-api'", found), env);
    assert.deepEqual([ran.stderr, ran.code], ['', 0]);
    return cellsPrinted(ran.stdout);
  },
} as const;
