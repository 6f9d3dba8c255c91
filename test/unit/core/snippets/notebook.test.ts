import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { dataForms, type DataFile } from '../../../../src/core/snippets/dataFile.ts';
import { formatNotebook } from '../../../../src/core/snippets/notebook.ts';
import { has, python, run, runText } from './tools.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectFormat } from '../../../../src/core/snippets/exportedData.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

/** The part of nbformat.v4.5.schema.json that covers the generated cells. */
const source = { type: 'array', items: { type: 'string' } };
const id = { type: 'string', pattern: '^[a-zA-Z0-9-_]+$', minLength: 1, maxLength: 64 };
const cell = { metadata: { type: 'object' }, source, id };
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['metadata', 'nbformat_minor', 'nbformat', 'cells'],
  properties: {
    nbformat: { const: 4 },
    nbformat_minor: { const: 5 },
    metadata: {
      type: 'object',
      properties: {
        kernelspec: { type: 'object', required: ['name', 'display_name'] },
        language_info: { type: 'object', required: ['name'] },
      },
    },
    cells: {
      type: 'array',
      items: {
        oneOf: [
          {
            type: 'object',
            additionalProperties: false,
            required: ['id', 'cell_type', 'metadata', 'source'],
            properties: { ...cell, cell_type: { const: 'markdown' } },
          },
          {
            type: 'object',
            additionalProperties: false,
            required: ['id', 'cell_type', 'metadata', 'source', 'outputs', 'execution_count'],
            properties: {
              ...cell,
              cell_type: { const: 'code' },
              outputs: { type: 'array' },
              execution_count: { type: ['integer', 'null'], minimum: 0 },
            },
          },
        ],
      },
    },
  },
};

interface Notebook {
  readonly cells: readonly { readonly id: string; readonly cell_type: string; readonly source: readonly string[] }[];
}

const csv: DataFile = { path: '/data/day.csv', form: 'csv', timeColumn: 'ts', timeZone: 'Africa/Johannesburg' };

function createNotebook(data: DataFile, title = 'day.csv'): Notebook {
  return JSON.parse(formatNotebook(data, 'day.csv', title)) as Notebook;
}

function joinCode({ cells }: Notebook): string {
  return cells.map(({ cell_type: type, source: lines }) => (type === 'code' ? lines.join('') : '')).join('\n');
}

describe('a notebook', () => {
  it('matches the schema of nbformat 4.5 for every format', () => {
    const validate = new Ajv2020().compile(schema);
    for (const form of dataForms) {
      const notebook = createNotebook({ ...csv, form });
      assert.ok(validate(notebook), JSON.stringify(validate.errors));
      const ids = notebook.cells.map(notebookCell => notebookCell.id);
      assert.equal(new Set(ids).size, ids.length);
    }
  });

  it('keeps the line ends of a cell', () => {
    const { cells } = createNotebook(csv);
    for (const { source: lines } of cells) {
      for (const line of lines.slice(0, -1)) assert.match(line, /^[^\n]*\n$/);
      assert.doesNotMatch(lines.at(-1) ?? '', /\n/);
    }
  });

  it('escapes any file name in the title', () => {
    const [title] = createNotebook(csv, '[x](http://x) <img> *a*\n# b.csv').cells;
    assert.equal(title?.source[0], '# `[x](http://x)` \\<img\\> \\*a\\* # `b.csv`\n');
  });

  it('reads the file in its own folder, and contains no API key', () => {
    const code = joinCode(createNotebook(csv));
    assert.match(code, /pd\.read_csv\("day\.csv", .*\*\*exact\)/);
    assert.doesNotMatch(code, /key|environ|http/i);
  });

  it('generates valid Python for every format', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const script = dataForms.map(form => joinCode(createNotebook({ ...csv, form }))).join('\n');
    const { stderr } = await runText(python, 's.py', script, {}, '-m', 'py_compile');
    assert.equal(stderr, '');
  });

  it('runs where pandas and matplotlib are installed', async function () {
    if (!(await has(python, '-c', 'import pandas, matplotlib'))) this.skip();
    const rows = Array.from({ length: 48 }, (_, hour) => `${new Date(hour * 3_600_000).toISOString()},${hour}.5`);
    const folder = createTemporaryFolder();
    await writeFile(join(folder, 'day.csv'), ['ts,residual_demand_mw', ...rows].join('\n'));
    const script = joinCode(createNotebook(csv)).replace('"day.csv"', JSON.stringify(join(folder, 'day.csv')));
    await writeFile(join(folder, 's.py'), script);
    const { stdout, stderr } = await run(python, [join(folder, 's.py')], { MPLBACKEND: 'agg' });
    assert.match(stdout, /hour\n0 +34\.5\n1 +35\.5\n2 +12\.5\n/, stderr);
  });
});

describe('the header of a file', () => {
  it('states its dialect, its comments and its columns', () => {
    assert.deepEqual(
      detectFormat('\uFEFF# System state; a, b, c\r\nts;wind_mw;"residual_demand_mw (MW)"\r\n1;2;3', 'csv'),
      {
        timeColumn: 'ts',
        valueColumn: 'residual_demand_mw (MW)',
        dialect: 'semicolon',
        hasComments: true,
      },
    );
    const tsv = { valueColumn: 'value', dialect: 'standard', hasComments: false };
    const when = 'hour\twhen\tvalue\n1\t2023-05-01T00:00:00+02:00\t2';
    assert.deepEqual(detectFormat(when, 'tsv'), { ...tsv, timeColumn: 'when' });
    assert.deepEqual(detectFormat('hour\tvalue\n1\t2', 'tsv'), { ...tsv, timeColumn: undefined });
    assert.deepEqual(detectFormat('', 'parquet'), { timeColumn: 'ts' });
  });
});
