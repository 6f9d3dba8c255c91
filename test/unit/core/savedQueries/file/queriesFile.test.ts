import assert from 'node:assert/strict';
import { parseQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFile.ts';
import { fileProblemSentences } from '../../../../../src/core/savedQueries/file/fileProblem.ts';
import { maxDepth } from '../../../../../src/core/savedQueries/walk.ts';
import { shape } from '../trees.ts';
import { mistakes } from './mistakes.ts';

const good = '{ "name": "Good", "dataset": "systemState", "range": "today", "id": "good" }';

/** The problems of a file with this entry before a good one, each with the text it is about. */
function problemsOf(entry: string): string[] {
  const text = `{ "queries": [${entry}, ${good}] }`;
  const { tree, problems } = parseQueriesFile(text);
  assert.ok(shape(tree).split(/[ ()]/).includes('good'), shape(tree));
  return problems.map(({ code, severity, offset, length, part }) => {
    return [severity, code, ...(part === undefined ? [] : [part]), text.slice(offset, offset + length)].join(' | ');
  });
}

describe('reading a file of queries', () => {
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

  it('reads whose days a range has, those of UTC where it does not say', () => {
    const zoneOf = (timeZone: string): string | undefined => {
      const entry = `{ "name": "Monthly report", "dataset": "systemState", "range": "2024-W12"${timeZone} }`;
      const [item] = parseQueriesFile(`{ "queries": [${entry}] }`).tree;
      return item?.kind === 'query' ? item.query.timeZone : undefined;
    };
    assert.equal(zoneOf(''), 'UTC');
    assert.equal(zoneOf(', "timeZone": "sast"'), 'Africa/Johannesburg');
    assert.equal(zoneOf(', "timeZone": "Europe/London"'), 'Europe/London');
  });

  it('reads nothing from a missing file, an empty one and an empty object', () => {
    for (const text of [undefined, '', ' \n', '{}', '// nothing yet'])
      assert.deepEqual(parseQueriesFile(text), { tree: [], problems: [], blocks: new Map() });
  });

  for (const [entry, ...expected] of mistakes) {
    it(`explains what is wrong with ${entry}`, () => {
      const found = problemsOf(entry);
      // The copy that comes second is the one told of.
      assert.deepEqual(found, expected);
    });
  }

  it('keeps an entry with a key out of the tree', () => {
    const text = '{ "queries": [{ "name": "A", "dataset": "systemState", "range": "today", "key": "x" }] }';
    assert.deepEqual(parseQueriesFile(text).tree, []);
  });

  it('reports where JSON ends, and reads what precedes it', () => {
    const { tree, problems } = parseQueriesFile(`{ "queries": [${good}, { "name": `);
    assert.equal(tree[0]?.id, 'good');
    assert.equal(problems.find(({ code }) => code === 'notJson')?.severity, 'error');
    assert.deepEqual(
      parseQueriesFile('{ "queries": {} }').problems.map(({ code, offset }) => [code, offset]),
      [['notQueries', 13]],
    );
    assert.equal(parseQueriesFile('[]').problems[0]?.code, 'notQueries');
  });

  it('reads folders up to the maximum depth, and refuses deeper ones', () => {
    const deep = (n: number): string =>
      `{ "queries": [${'{ "folder": "F", "queries": ['.repeat(n)}${']}'.repeat(n)}] }`;
    assert.deepEqual(parseQueriesFile(deep(maxDepth)).problems, []);
    assert.deepEqual(
      parseQueriesFile(deep(maxDepth + 1)).problems.map(({ code }) => code),
      ['tooDeep'],
    );
    assert.ok(parseQueriesFile(deep(20_000)).problems.length > 0);
  });

  it('recognizes an entry without id when others come and go', () => {
    const entry = (name: string): string => `{ "name": "${name}", "dataset": "systemState", "range": "today" }`;
    const one = parseQueriesFile(`{ "queries": [${entry('A')}, ${entry('A')}, ${entry('B')}] }`).tree;
    const two = parseQueriesFile(`{ "queries": [${entry('B')}, ${good}, ${entry('A')}] }`).tree;
    assert.equal(new Set(one.map(({ id }) => id)).size, 3);
    assert.equal(one[2]?.id, two[0]?.id);
    assert.equal(one[0]?.id, two[2]?.id);
  });

  it('writes each message as a full sentence', () => {
    for (const [code, sentence] of Object.entries(fileProblemSentences))
      assert.match(sentence, /^[A-Z"'{].*[.)]$/s, code);
  });
});
