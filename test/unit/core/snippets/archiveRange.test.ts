import assert from 'node:assert/strict';
import { DuckDBInstance } from '@duckdb/node-api';
import { dataForms, type DataFile } from '../../../../src/core/snippets/dataFile.ts';
import { dataEngines, dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { has, python, runText } from './tools.ts';

/** A South African day, which begins two hours before the day in UTC. */
const archive: DataFile = {
  path: '/data/archive/0123456789abcdef',
  form: 'archive',
  timeColumn: 'ts',
  valueColumn: 'mw',
  timeZone: 'Africa/Johannesburg',
  requestedRange: { start: Date.UTC(2023, 3, 30, 22), end: Date.UTC(2023, 4, 1, 22), range: '2023-05-01' },
};
const start = '2023-04-30T22:00:00+00:00';
const end = '2023-05-01T22:00:00+00:00';

/** Extracts the SQL from the Python program, as Python parses its strings. */
function extractSql(program: string): string {
  const lines = program.split('\n').filter(line => /^ {4}"/.test(line));
  return lines.map(line => JSON.parse(line.trim()) as string).join('');
}

/** Returns the comments at the start of the program. */
function extractHeader(program: string): string {
  return program
    .split('\n')
    .slice(
      0,
      program.split('\n').findIndex(line => !line.startsWith('# ')),
    )
    .join('\n');
}

describe('code that reads the archive', () => {
  it('filters the range in DuckDB, including the start and excluding the end', async () => {
    const database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    try {
      // Three months of hours, in a time zone where a text without an offset would mean another instant.
      await database.run(`SET TimeZone = 'America/New_York'; CREATE TABLE arrow_table AS
        SELECT ts, 1.5 AS mw FROM range(TIMESTAMPTZ '2023-04-01 00:00:00+00', TIMESTAMPTZ '2023-07-01 00:00:00+00', INTERVAL 1 HOUR) t(ts)`);
      await database.run(extractSql(dataSnippets.duckdb.write(archive)));
      const reader = await database.runAndReadAll(
        'SELECT count(*)::INT AS n, epoch_ms(min(ts))::DOUBLE AS first, epoch_ms(max(ts))::DOUBLE AS last FROM grid',
      );
      const hour = 3_600_000;
      const expected = { n: 24, first: Date.parse(start), last: Date.parse(end) - hour };
      assert.deepEqual(reader.getRowObjectsJson(), [expected]);
    } finally {
      database.closeSync();
    }
  });

  it('writes the range and its instants in one comment', () => {
    for (const engine of dataEngines) {
      const program = dataSnippets[engine].write(archive);
      const head = extractHeader(program);
      assert.ok(
        head.includes(`# Only 2023-05-01 (Africa/Johannesburg): ${start} to ${end}, the end not included.`),
        head,
      );
      assert.ok(program.replace(head, '').includes(start) && program.replace(head, '').includes(end), program);
    }
  });

  it('states in a comment that a relative range is fixed', () => {
    const requestedRange = { start: Date.parse(start), end: Date.parse(end), range: 'last 24 hours' };
    for (const engine of dataEngines)
      assert.match(
        extractHeader(dataSnippets[engine].write({ ...archive, requestedRange })),
        /# Only last 24 hours \(Africa\/Johannesburg\): .*, as it was when this was copied: it does not move/,
      );
  });

  it('keeps a multi-line range within its comment', () => {
    const requestedRange = { start: 0, end: 1, range: 'a\nimport os' };
    for (const engine of dataEngines) {
      const program = dataSnippets[engine].write({ ...archive, requestedRange });
      assert.doesNotMatch(program, /^import os/m);
    }
  });

  it('generates valid Python', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const check = dataEngines
      .map(engine => `compile(${JSON.stringify(dataSnippets[engine].write(archive))}, "snippet", "exec")`)
      .join('\n');
    assert.equal((await runText(python, 's.py', check)).stderr, '');
  });

  it('filters rows only when it reads the archive, not a file', () => {
    for (const form of dataForms.filter(candidate => candidate !== 'archive'))
      for (const engine of dataEngines) assert.doesNotMatch(dataSnippets[engine].write({ ...archive, form }), /2023-0/);
  });
});
