import assert from 'node:assert/strict';
import { parseQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFile.ts';
import { fileProblemSentences } from '../../../../../src/core/savedQueries/file/fileProblem.ts';
import { maxDepth } from '../../../../../src/core/savedQueries/walk.ts';
import { formatTree } from '../trees.ts';
import { mistakes } from './mistakes.ts';

const validEntry = '{ "name": "Good", "dataset": "systemState", "range": "today", "id": "good" }';

/** Lists the problems of a file that has this entry before a valid one. Each problem includes the text at its position. */
function listProblems(entry: string): string[] {
  const text = `{ "queries": [${entry}, ${validEntry}] }`;
  const { tree, problems } = parseQueriesFile(text);
  assert.ok(formatTree(tree).split(/[ ()]/).includes('good'), formatTree(tree));
  return problems.map(({ code, severity, offset, length, part }) => {
    return [severity, code, ...(part === undefined ? [] : [part]), text.slice(offset, offset + length)].join(' | ');
  });
}

describe('parseQueriesFile', () => {
  it('reads comments, folders, defaults and all fields', () => {
    const { tree, problems, blocks } = parseQueriesFile(`\uFEFF// ours
      { "queries": [
        { "folder": "Morning", "id": "m", "queries": [
          { "name": "Stress", "dataset": "gridStress", "range": "last 24 hours", "interval": "1h", "id": "s",
            "params": { "components": true }, "connection": "Prod", "keepFresh": true,
            "alerts": [{ "kind": "condition", "condition": "value >= 0.6", "id": "x", "snoozedUntil": "2026-11-21T12:00:00.000Z" }, { "kind": "late", "on": false }],
            "analysis": { "derive": [/* both */ { "name": "re_mw", "formula": "wind_mw + pv_mw" }], "resample": "month" } },
        ] }, /* one more */ { "folder": "Empty", "id": "e" }
      ] }`);
    assert.deepEqual(problems, []);
    const alerts = [
      { id: 'x', kind: 'condition', condition: 'value >= 0.6', on: true, snoozedUntil: Date.UTC(2026, 10, 21, 12) },
      { id: '["late"]', kind: 'late', on: false },
    ];
    const query = {
      dataset: 'gridStress',
      range: 'last 24 hours',
      interval: '1h',
      params: { components: 'true' },
      timeZone: 'UTC',
    };
    const analysis = { derive: [{ name: 're_mw', formula: 'wind_mw + pv_mw' }], resample: 'month' };
    const stress = {
      kind: 'query',
      id: 's',
      name: 'Stress',
      query,
      connection: 'Prod',
      keepFresh: true,
      alerts,
      analysis,
    };
    assert.deepEqual(tree, [
      { kind: 'folder', id: 'm', name: 'Morning', items: [stress] },
      { kind: 'folder', id: 'e', name: 'Empty', items: [] },
    ]);
    assert.deepEqual([...blocks.keys()], ['m', 's', 'e']);
  });

  it('reads the time zone of a query, with UTC as the default', () => {
    const readZone = (timeZone: string): string | undefined => {
      const entry = `{ "name": "Monthly report", "dataset": "systemState", "range": "2024-W12"${timeZone} }`;
      const [item] = parseQueriesFile(`{ "queries": [${entry}] }`).tree;
      return item?.kind === 'query' ? item.query.timeZone : undefined;
    };
    assert.equal(readZone(''), 'UTC');
    assert.equal(readZone(', "timeZone": "sast"'), 'Africa/Johannesburg');
    assert.equal(readZone(', "timeZone": "Europe/London"'), 'Europe/London');
  });

  it('reads no queries from a missing file, an empty file or an empty object', () => {
    for (const text of [undefined, '', ' \n', '{}', '// nothing yet'])
      assert.deepEqual(parseQueriesFile(text), { tree: [], problems: [], blocks: new Map() });
  });

  for (const [entry, ...expected] of mistakes) {
    it(`explains the problem of ${entry}`, () => {
      const problems = listProblems(entry);
      assert.deepEqual(problems, expected);
    });
  }

  it('skips an entry that contains a key', () => {
    const text = '{ "queries": [{ "name": "A", "dataset": "systemState", "range": "today", "key": "x" }] }';
    assert.deepEqual(parseQueriesFile(text).tree, []);
  });

  it('reports an error where the JSON becomes invalid, and reads the entries before it', () => {
    const { tree, problems } = parseQueriesFile(`{ "queries": [${validEntry}, { "name": `);
    assert.equal(tree[0]?.id, 'good');
    assert.equal(problems.find(({ code }) => code === 'notJson')?.severity, 'error');
    assert.deepEqual(
      parseQueriesFile('{ "queries": {} }').problems.map(({ code, offset }) => [code, offset]),
      [['notQueries', 13]],
    );
    assert.equal(parseQueriesFile('[]').problems[0]?.code, 'notQueries');
  });

  it('reads folders up to the maximum depth, and rejects deeper ones', () => {
    const nestFolders = (n: number): string =>
      `{ "queries": [${'{ "folder": "F", "queries": ['.repeat(n)}${']}'.repeat(n)}] }`;
    assert.deepEqual(parseQueriesFile(nestFolders(maxDepth)).problems, []);
    assert.deepEqual(
      parseQueriesFile(nestFolders(maxDepth + 1)).problems.map(({ code }) => code),
      ['tooDeep'],
    );
    assert.ok(parseQueriesFile(nestFolders(20_000)).problems.length > 0);
  });

  it('gives an entry without an id the same id after other entries were added and removed', () => {
    const formatEntry = (name: string): string => `{ "name": "${name}", "dataset": "systemState", "range": "today" }`;
    const firstTree = parseQueriesFile(
      `{ "queries": [${formatEntry('A')}, ${formatEntry('A')}, ${formatEntry('B')}] }`,
    ).tree;
    const secondTree = parseQueriesFile(
      `{ "queries": [${formatEntry('B')}, ${validEntry}, ${formatEntry('A')}] }`,
    ).tree;
    assert.equal(new Set(firstTree.map(({ id }) => id)).size, 3);
    assert.equal(firstTree[2]?.id, secondTree[0]?.id);
    assert.equal(firstTree[0]?.id, secondTree[2]?.id);
  });

  it('has a full sentence for each problem', () => {
    for (const [code, sentence] of Object.entries(fileProblemSentences))
      assert.match(sentence, /^[A-Z"'{].*[.)]$/s, code);
  });
});
