import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { queriedDatasets } from '../../../src/core/query/catalogue.ts';
import { parseRange } from '../../../src/core/range/parseRange.ts';
import { createBoard } from '../../../src/core/savedQueries/board.ts';
import { formatFile } from '../../../src/core/savedQueries/file/formatBlock.ts';
import { schemaProblems } from '../../../src/core/savedQueries/file/fileProblem.ts';
import { createQueriesSchema } from '../../l10n/queriesSchema.ts';
import { createFolder, createQuery } from '../core/savedQueries/trees.ts';
import { mistakes } from '../core/savedQueries/file/mistakes.ts';

const isValid = new Ajv({ strict: false, validateFormats: false }).compile(createQueriesSchema());

interface Schema {
  readonly properties: Readonly<Record<string, { readonly enum?: string[]; readonly examples?: string[] }>>;
}
const { definitions } = createQueriesSchema() as { definitions: Record<string, Schema> };

describe('the JSON schema of a queries file', () => {
  it('suggests every dataset, and only valid ranges', () => {
    const { dataset, range } = definitions['query']?.properties ?? {};
    assert.deepEqual(
      dataset?.enum,
      queriedDatasets.map(({ id }) => id),
    );
    assert.ok((range?.examples ?? []).length > 5);
    for (const example of range?.examples ?? []) assert.ok(parseRange(example).ok, example);
  });

  it('has every field that the extension writes', () => {
    const alerts = [{ id: 'x', kind: 'condition', condition: 'wind_mw > 1', on: false, snoozedUntil: 0 } as const];
    const query = {
      dataset: 'gridStress',
      range: 'today',
      interval: '1h',
      params: { components: 'true' },
      timeZone: 'Africa/Johannesburg',
    };
    const analysis = { derive: [{ name: 'a', formula: 'wind_mw' }], resample: 'month' } as const;
    const display = { tab: 'chart' };
    const full = createQuery('a', {
      query,
      connection: 'Prod',
      keepFresh: true,
      alerts,
      note: 'Mine',
      analysis,
      display,
    });
    assert.ok(isValid(JSON.parse(formatFile([full], { eol: '\n', indent: '' }))));
    const text = formatFile(
      [{ ...createFolder('f', [full]), note: 'Ours', board: createBoard({ groups: [{}] }, new Map([['a', 1]])) }],
      {
        eol: '\n',
        indent: '  ',
      },
    );
    const { queries } = JSON.parse(text) as { queries: [{ queries: [object] }] };
    assert.deepEqual(Object.keys(queries[0]), Object.keys(definitions['folder']?.properties ?? {}));
    assert.deepEqual(Object.keys(queries[0].queries[0]), Object.keys(definitions['query']?.properties ?? {}));
  });

  for (const [entry, ...problems] of mistakes) {
    it(`rejects an entry if the schema can express its problem: ${entry}`, () => {
      const file = {
        queries: [JSON.parse(entry) as unknown, { name: 'B', dataset: 'systemState', range: 'today', id: 'good' }],
      };
      const hasSchemaProblem = problems.some(problem =>
        (schemaProblems as ReadonlySet<string>).has(problem.split(' | ')[1] ?? ''),
      );
      assert.equal(isValid(file), !hasSchemaProblem, JSON.stringify(isValid.errors));
    });
  }

  it('accepts parameters that are booleans, numbers or strings, and any id', () => {
    const params = { components: true, n: 1, s: 'x' };
    assert.ok(isValid({ queries: [{ name: 'A', dataset: 'gridStress', range: 'today', params, id: 'any thing' }] }));
  });
});
