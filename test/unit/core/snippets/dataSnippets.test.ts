import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataForms, createPandasReader, type DataFile } from '../../../../src/core/snippets/dataFile.ts';
import { dataEngines, dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import { has, python, run, runText } from './tools.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const data: DataFile = {
  path: `/data/it's "a" $day\\.csv`,
  form: 'csv',
  timeColumn: 'ts',
  valueColumn: 'residual_demand_mw',
  timeZone: 'Africa/Johannesburg',
};

const variants: readonly DataFile[] = dataForms.flatMap(form => [
  { ...data, form },
  { ...data, form, valueColumn: undefined, dialect: 'semicolon', hasComments: true },
  { ...data, form, timeColumn: undefined },
]);

describe('dataSnippets', () => {
  it('generates valid Python for every format and program, except for DuckDB SQL', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const texts = variants.flatMap(variant =>
      dataEngines
        .filter(engine => dataSnippets[engine].editorLanguage(variant) === 'python')
        .map(engine => dataSnippets[engine].write(variant)),
    );
    assert.ok(texts.length > 3 * variants.length);
    const check = texts.map(text => `compile(${JSON.stringify(text)}, "snippet", "exec")`).join('\n');
    assert.equal((await runText(python, 's.py', check)).stderr, '');
  });

  it('sets the separator and the decimal comma for polars only if the file has them', () => {
    const writePolars = (dialect: DataFile['dialect']) => dataSnippets.polars.write({ ...data, form: 'csv', dialect });
    assert.match(writePolars('semicolon'), /, separator=";", decimal_comma=True/);
    assert.doesNotMatch(writePolars('standard'), /separator|decimal_comma/);
  });

  it('generates code without a key and without requests', () => {
    for (const variant of variants)
      for (const engine of dataEngines) {
        const text = dataSnippets[engine].write(variant);
        assert.doesNotMatch(text, /GRID_DATA_API_KEY|X-API-KEY|https?:/);
        if (variant.timeColumn === undefined) assert.doesNotMatch(text, /\bts\b|Africa|undefined|hour/);
        else assert.match(text, /Africa\/Johannesburg/);
      }
  });

  it('generates code that does not group daily rows by hour', () => {
    for (const variant of variants)
      for (const engine of dataEngines) {
        const text = dataSnippets[engine].write({ ...variant, isDaily: true });
        assert.doesNotMatch(text, /hour of the day|hours of the day|hour_of_day|groupby|group_by|groupBy/);
        assert.match(text, /describe\(\)|summary\(\)|SUMMARIZE/);
        if (variant.timeColumn !== undefined) assert.match(text, /"ts" has the start of each day in UTC\./);
      }
  });

  it('generates Python instead of SQL for formats that DuckDB cannot read', () => {
    const pythonForms = dataForms.filter(form => dataSnippets.duckdb.editorLanguage({ ...data, form }) === 'python');
    assert.deepEqual(pythonForms, ['arrow', 'archive']);
  });

  it('generates pandas code that reads decimals exactly', () => {
    // Newer versions read decimals exactly by default, and will reject the option.
    for (const form of ['csv', 'tsv'] as const) {
      const code = dataSnippets.pandas.write({ ...data, form });
      assert.match(code, /< \(3, 1\).*\nexact = \{"float_precision": "round_trip"\} if old else \{\}\n.*, \*\*exact\)/);
    }
    // read_json reads decimals exactly only with an option that fails for 1e-300, so the code does not use it.
    for (const form of ['json', 'ndjson'] as const)
      assert.doesNotMatch(dataSnippets.pandas.write({ ...data, form }), /read_json/);
  });

  it('generates polars code that reads Arrow files into memory without the option memory_map', () => {
    for (const form of ['arrow', 'archive'] as const) {
      const code = dataSnippets.polars.write({ ...data, form });
      assert.match(code, /read_bytes\(\)\)/);
      assert.doesNotMatch(code, /memory_map/);
    }
  });

  it('generates Python that reads all digits and very small numbers from JSON', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const records = [
      { ts: '2023-05-01T00:00:00Z', v: 1e-300 },
      { ts: '2023-05-01T01:00:00Z', v: 123456.7890123456 },
    ];
    const folder = createTemporaryFolder();
    for (const [form, text] of [
      ['json', JSON.stringify(records)],
      ['ndjson', records.map(record => `${JSON.stringify(record)}\n\n`).join('')],
    ] as const) {
      const path = join(folder, `it's a "day".${form}`);
      await writeFile(path, text);
      const { imports, lines } = createPandasReader({ ...data, form, path, timeColumn: undefined });
      // Replaces pandas, which may not be installed, with a stub that returns the rows.
      const pandasStub = 'import types\npd = types.SimpleNamespace(DataFrame=lambda rows: rows)';
      const importsWithoutPandas = imports.filter(line => !line.includes('pandas'));
      const script = [
        ...importsWithoutPandas,
        pandasStub,
        ...lines,
        'print(json.dumps([row["v"] for row in frame]))',
      ].join('\n');
      const { stdout, stderr } = await runText(python, 's.py', script);
      assert.deepEqual(JSON.parse(stdout), [1e-300, 123456.7890123456], stderr);
    }
  });

  it('generates pandas code that reads every text format, if pandas is installed', async function () {
    if (!(await has(python, '-c', 'import pandas'))) this.skip();
    const instants = Array.from({ length: 48 }, (_, hour) =>
      new Date(hour * 3_600_000 + 7_200_000).toISOString().replace('.000Z', '+02:00'),
    );
    const createLines = (separator: string, comma = '.'): string[] => [
      ['ts', 'residual_demand_mw', 'wind_mw'].join(separator),
      ...instants.map((ts, hour) => [ts, `${hour}${comma}5`, ''].join(separator)),
    ];
    const records = instants.map((ts, hour) => ({ ts, residual_demand_mw: hour + 0.5, wind_mw: null }));
    const files: readonly (readonly [Partial<DataFile> & Pick<DataFile, 'form'>, string])[] = [
      [{ form: 'csv' }, createLines(',').join('\r\n')],
      [{ form: 'csv', dialect: 'semicolon', hasComments: true }, ['# a; b', ...createLines(';', ',')].join('\r\n')],
      [{ form: 'tsv' }, createLines('\t').join('\n')],
      [{ form: 'json' }, JSON.stringify(records)],
      [{ form: 'ndjson' }, records.map(record => `${JSON.stringify(record)}\n`).join('')],
    ];
    const folder = createTemporaryFolder();
    for (const [options, text] of files) {
      const path = join(folder, `it's a "day".${options.form}`);
      await writeFile(path, text);
      const script = join(folder, 's.py');
      const summary = 'print("INDEX", frame.index.dtype, frame.index[0].isoformat())';
      await writeFile(script, `${dataSnippets.pandas.write({ ...data, ...options, path })}\n${summary}\n`);
      const { stdout, stderr } = await run(python, [script]);
      assert.match(stdout, /INDEX datetime64\[\w+, UTC\] 1970-01-01T00:00:00\+00:00/, stderr);
      assert.match(stdout, /hour\n0 +34\.5\n1 +35\.5\n2 +12\.5\n/, stderr);
    }
  });
});
