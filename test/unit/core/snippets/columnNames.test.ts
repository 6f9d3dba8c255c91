import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { DuckdbNames } from '../../../../src/core/snippets/duckdbNames.ts';
import { dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { translateTransformations } from '../../../../src/core/snippets/panelTransformations.ts';
import { querySnippets } from '../../../../src/core/snippets/querySnippets.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { DerivedColumn } from '../../../../src/shared/derivedColumns.ts';
import { isCycle, type Resampling } from '../../../../src/shared/resampling.ts';
import { getCycleNames } from '../../../../src/core/bins/cycleNames.ts';
import { power } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { createFrame, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';
import { createSnippetQuery } from './questions.ts';
import {
  analyzeRows,
  assertSameRows,
  readRows,
  context as analysisContext,
  computeRowsInSql,
  type Cell,
} from './panelRows.ts';
import { jsonExpressions, programRows, runAndParseRows } from './programRows.ts';
import { has, python } from './tools.ts';

const hourMs = 3_600_000;
const start = Date.parse('2023-10-28T00:00Z');
const count = 60;
const timeZone = 'Africa/Johannesburg';
const context = { timeZone, locale: 'en', start, end: start + count * hourMs };

/** Names that the programs use for tables, columns, variables and arguments, and similar names. */
const names = [
  ...['step', 'bin', 'local', 'near', 'steps', 'grid', 'received', 'step of the panel', 'bin of the panel', 'rowid'],
  ...['part 1 of made', 'part 2 of made', 'PART 1 OF MADE', 'part of the share of_all', 'whole of the share of_all'],
  ...['instant', 'date', 'clock', 'value', 'part', 'text_order', 'Tariff_period', 'is_holiday', 'row', 'file', 'place'],
  ...[
    'index',
    'hour',
    'mean',
    'steps_1',
    'frame',
    'database',
    'names',
    'called',
    'key',
    'table',
    'dataset',
    'interval',
  ],
  ...['NaN', 'NULL', 'Infinity', 'true', 'select', 'WIND_MW', 'Wind_mw_1', 'TS', 'ts_1', 'Hours', 'of_hours', 'DAY'],
  ...[
    'wind_mwh',
    'wind_max_mw',
    'WIND_MAX_MW',
    'value_max',
    'MADE',
    'made_1',
    "it's",
    'a "b"',
    'a;b -- c',
    '$1',
    '{x}',
  ],
];

/** Creates hourly rows with the column `name`, and columns whose names differ from it only in case. */
function createHours(name: string): Frame {
  const rows = Array.from({ length: count }, (_, hour) => hour).filter(hour => hour % 11 !== 5);
  const similarNames = name.toLowerCase() === 'wind_mw' ? [] : ['WIND_mw'];
  const numbers = [name, ...similarNames, name.toUpperCase()].filter(
    (candidate, index, list) => list.indexOf(candidate) === index,
  );
  return createFrame(
    timeColumn(
      'ts',
      rows.map(hour => start + hour * hourMs),
    ),
    numberColumn(
      'wind_mw',
      rows.map(hour => (hour % 7 === 3 ? null : (hour * 37) % 101)),
      power,
    ),
    ...numbers.map((column, index) =>
      numberColumn(
        column,
        rows.map(hour => (hour % 13 === index ? null : ((hour * (53 + index)) % 97) - index)),
        power,
      ),
    ),
    textColumn(
      'Status',
      rows.map(hour => (hour % 9 === 2 ? null : `stage ${hour % 5}`)),
    ),
  );
}

const createDerivedColumns = (name: string): readonly DerivedColumn[] => [
  { name: 'made', formula: `min(wind_mw, mean("${name.replaceAll('"', '""')}", 6h)) + lag(wind_mw, 2h)` },
  { name: 'of_all', formula: `share(wind_mw, max("${name.replaceAll('"', '""')}", 50 MW))` },
  { name: 'Made', formula: `if(wind_mw > 50 MW, null, "${name.replaceAll('"', '""')}")` },
];

/** Creates rows, the transformations of a program, and the rows that it must return under its column names. */
function createTestCase(name: string, by: Resampling['by'] | undefined) {
  const frame = createHours(name);
  const names = by && isCycle(by) ? getCycleNames(by, analysisContext.locale, analysisContext.translate) : [];
  const span = { start, end: start + count * hourMs, intervalMs: hourMs };
  const resampling = by && { by, timeZone, label: timeZone, ...span, names };
  const derived = createDerivedColumns(name).filter(candidate =>
    frame.columns.every(column => column.name !== candidate.name),
  );
  const tableOptions = {
    filters: { [name]: '>5 or null', ts: '!22:00-03:00, !holiday', Status: '!2' },
    sort: [{ column: by ? 'wind_mw' : 'Status', descending: true }],
    ...(resampling && { resampling }),
  };
  const transformations = translateTransformations(
    frame,
    { derivation: { columns: derived, intervalMs: hourMs }, ...tableOptions },
    context,
  );
  const rows = analyzeRows(frame, tableOptions, timeZone, derived);
  const duckdbNames = new DuckdbNames(Object.keys(rows[0] ?? {}));
  const expected = rows.map((row): Record<string, Cell> =>
    Object.fromEntries(Object.entries(row).map(([column, cell]) => [duckdbNames.getName(column), cell])),
  );
  return { frame, transformations: transformations ?? assert.fail(), expected };
}

/** Returns the rows as a service sends them. */
function createJsonRows(frame: Frame): Record<string, Cell>[] {
  return readRows(frame).map(({ ts = null, ...row }) => ({ ts: new Date(Number(ts)).toISOString(), ...row }));
}

describe('columns whose names a program uses itself, or that differ only in case', () => {
  let database: DuckDBConnection;
  before(async () => {
    database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await database.run("SET TimeZone = 'UTC'");
  });
  after(() => database.closeSync());

  for (const [part, by] of ([undefined, 'day', 'hourOfDay', 'tariffPeriod'] as const).entries())
    it(`returns the correct values in SQL for ${by ?? 'hours'}`, async () => {
      // Each test covers a quarter of the names, unless the run count is scaled up.
      for (const name of names.filter((_, name) => (name + part) % 4 < scaleRunCount(4))) {
        const { frame, transformations, expected } = createTestCase(name, by);
        assert.deepEqual(transformations.notApplied, []);
        assertSameRows(await computeRowsInSql(database, frame, transformations), expected, `${name} ${String(by)}`);
      }
    });

  it('explains renamed columns in a comment of the program', () => {
    const { transformations } = createTestCase('WIND_MW', undefined);
    const note =
      'The column "WIND_MW" is called "WIND_MW_1" here, since DuckDB does not tell names apart by their case.';
    assert.ok(transformations.notes.includes(note), transformations.notes.join('\n'));
    const snippetQuery = createSnippetQuery('https://example.org', {}, { transformations });
    for (const language of ['python', 'typeScript'] as const)
      assert.ok(querySnippets[language].write(snippetQuery).includes(` ${note}\n`), language);
    assert.ok(!querySnippets.r.write(snippetQuery).includes(note));
    const data = { path: 'x', form: 'archive', timeColumn: 'ts', timeZone: 'UTC', transformations } as const;
    for (const engine of ['pandas', 'polars', 'duckdb'] as const)
      assert.equal(dataSnippets[engine].write(data).split(`# ${note}\n`).length, 2, engine);
  });

  it('selects the right column of a file that DuckDB reads', async () => {
    const folder = createTemporaryFolder();
    const columns = ['TS', 'ts', 'WIND_MW', 'wind_mw', 'wind_mw_1', 'step', 'hour_of_day', 'mean'];
    const cells = ['x', '2023-10-28T00:00:00Z', 1, 2, 3, 4, 5, 6];
    const csv = join(folder, 'x.csv');
    const json = join(folder, 'x.json');
    await writeFile(csv, `${columns.join()}\n${cells.join()}\n`);
    await writeFile(json, JSON.stringify([Object.fromEntries(columns.map((name, index) => [name, cells[index]]))]));
    for (const [form, path] of Object.entries({ csv, json }) as ['csv' | 'json', string][])
      for (const [valueColumn, value] of [
        ['WIND_MW', 1],
        ['wind_mw', 2],
        ['wind_mw_1', 3],
        ['hour_of_day', 5],
      ] as const) {
        const data = { path, form, columns, timeColumn: 'ts', valueColumn, timeZone };
        const statements = await database.extractStatements(dataSnippets.duckdb.write(data));
        let last: Record<string, unknown>[] = [];
        for (let index = 0; index < statements.count; index++)
          last = (await (await statements.prepare(index)).runAndReadAll()).getRowObjectsJson();
        assert.deepEqual(last, [{ hour_of_day: '2', mean: value, steps: '1' }], `${form} ${valueColumn}`);
      }
  });

  /** Writes the rows to a file as JSON lines. */
  async function writeJsonLines(frame: Frame): Promise<string> {
    const path = join(createTemporaryFolder(), 'rows.ndjson');
    await writeFile(
      path,
      createJsonRows(frame)
        .map(row => JSON.stringify(row))
        .join('\n'),
    );
    return path;
  }

  for (const engine of ['pandas', 'polars'] as const)
    it(`returns the correct values with ${engine}`, async function () {
      if (!(await has(python, '-c', `import ${engine}, duckdb, pyarrow`))) this.skip();
      for (const name of ['WIND_MW', 'TS', 'index', 'hour']) {
        const { frame, transformations, expected } = createTestCase(name, undefined);
        const path = await writeJsonLines(frame);
        const data = {
          path,
          form: 'ndjson',
          timeColumn: 'ts',
          valueColumn: name,
          timeZone,
          transformations,
        } as const;
        const actual = await runAndParseRows(dataSnippets[engine].write(data), jsonExpressions[engine]);
        assertSameRows(actual, expected, name);
      }
    });

  it('returns the correct values with DuckDB in Python', async function () {
    if (!(await has(python, '-c', 'import pandas, duckdb, pyarrow'))) this.skip();
    const { frame, transformations, expected } = createTestCase('WIND_MW', undefined);
    const lines = await writeJsonLines(frame);
    const path = join(createTemporaryFolder(), 'rows.arrow');
    const data = {
      path,
      form: 'arrow',
      timeColumn: 'ts',
      valueColumn: 'WIND_MW',
      timeZone,
      transformations,
    } as const;
    const program = `import json, pandas as pd
frame = pd.DataFrame([json.loads(line) for line in open(${JSON.stringify(lines)}, encoding="utf-8")])
frame["ts"] = pd.to_datetime(frame["ts"], utc=True)
frame.to_feather(${JSON.stringify(path)}, compression="uncompressed")
`;
    const actual = await runAndParseRows(
      `${program}${dataSnippets.duckdb.write(data)}`,
      'database.table("grid").df().to_json(orient="records", date_format="iso", double_precision=15)',
    );
    assertSameRows(actual, expected, 'WIND_MW');
  });

  for (const language of ['python', 'typeScript'] as const)
    it(`returns the correct values in a ${language} program that queries the service`, async function () {
      if (language === 'python' && !(await has(python, '-c', 'import requests, pandas, duckdb'))) this.skip();
      const { frame, transformations, expected } = createTestCase('WIND_MW', 'day');
      const service = createServer((_, response) => response.end(JSON.stringify({ data: createJsonRows(frame) })));
      await new Promise<void>(resolve => void service.listen(0, '127.0.0.1', resolve));
      try {
        const address = service.address();
        assert.ok(typeof address === 'object' && address);
        const snippetQuery = createSnippetQuery(
          `http://127.0.0.1:${address.port}`,
          { range: '2023-10-28..2023-10-30' },
          { transformations },
        );
        const code = querySnippets[language].write(snippetQuery);
        assertSameRows(await programRows[language](code, { GRID_DATA_API_KEY: 'key' }), expected, language);
      } finally {
        service.close();
      }
    });
});
