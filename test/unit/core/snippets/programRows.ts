import assert from 'node:assert/strict';
import type { Cell } from './panelRows.ts';
import { python, runText } from './tools.ts';

/** Parses the cells that programs print as JSON. */
function parsePrintedRows(json: string): Record<string, Cell>[] {
  const rows = JSON.parse(json) as Record<string, Cell | boolean>[];
  return rows.map(row => {
    const cells = Object.entries(row).map(([name, cell]): [string, Cell] => [
      name,
      ['ts', 'day'].includes(name) ? Date.parse(String(cell)) : typeof cell === 'boolean' ? Number(cell) : cell,
    ]);
    return Object.fromEntries(cells);
  });
}

/** Runs a Python program and returns its final rows. */
export async function runAndParseRows(code: string, print: string, env: Record<string, string> = {}) {
  const run = await runText(python, 's.py', `${code}\nprint("ROWS", ${print})\n`, env);
  assert.deepEqual([run.stderr, run.code], ['', 0]);
  return parsePrintedRows(run.stdout.slice(run.stdout.lastIndexOf('ROWS ') + 5));
}

/** Python expressions that format the rows of a data frame as JSON. */
export const jsonExpressions = {
  pandas: 'frame.reset_index().to_json(orient="records", date_format="iso", double_precision=15)',
  polars: 'frame.write_json()',
};

/** Runs the programs that query a service. */
export const programRows = {
  python: (code: string, env: Record<string, string>) => runAndParseRows(code, jsonExpressions.pandas, env),
  typeScript: async (code: string, env: Record<string, string>) => {
    // The program is written to a folder without packages.
    const moduleUrl = JSON.stringify(import.meta.resolve('@duckdb/node-api'));
    const run = await runText(process.execPath, 's.mts', code.replace("'@duckdb/node-api'", moduleUrl), env);
    assert.deepEqual([run.stderr, run.code], ['', 0]);
    return parsePrintedRows(run.stdout);
  },
} as const;
