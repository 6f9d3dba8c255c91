import assert from 'node:assert/strict';
import { fileLimits, createPositionLookup } from '../../../../../src/core/savedQueries/file/fileProblem.ts';
import { assignIds } from '../../../../../src/core/savedQueries/file/fileNode.ts';
import { parseQueriesFile, type QueriesFile } from '../../../../../src/core/savedQueries/file/queriesFile.ts';
import { replacementBetween, editQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import { readAlerts } from '../../../../../src/core/savedQueries/file/readEntry.ts';
import type { SavedTree } from '../../../../../src/core/savedQueries/savedItem.ts';
import { allQueries, walk } from '../../../../../src/core/savedQueries/walk.ts';
import { aQuery } from '../trees.ts';
import { hostileQueriesFiles } from '../../../../hostile/files.ts';

/** So many that an algorithm of quadratic time would take a minute. */
const many = 100_000;

const entry = (name: string): string => `{ "name": "${name}", "dataset": "systemState", "range": "today" }`;
const fileOf = (...entries: string[]): string => `{ "queries": [${entries.join(', ')}] }`;

/** Why a hostile file cannot be edited; the others can. */
const refusals: Readonly<Record<string, 'notJson' | 'isTooLarge'>> = {
  '612 kB of equal names': 'isTooLarge',
  '150 kB of problems': 'isTooLarge',
  '390 kB that are no JSON': 'isTooLarge',
  '390 kB of values': 'isTooLarge',
  '40,000 fields in one entry': 'isTooLarge',
  'folders in folders': 'notJson',
  'objects in objects': 'isTooLarge',
  'lists in lists': 'isTooLarge',
  'nothing but brackets': 'isTooLarge',
  'a comment without end': 'notJson',
  'a file of 20 MB': 'isTooLarge',
};

/** Keeps the last three entries in reverse order, and adds one. */
const changed = (tree: SavedTree): SavedTree => [...tree.slice(-3).reverse(), aQuery('new')];

const codesOf = ({ problems }: QueriesFile): string[] => problems.map(({ code }) => code);

describe('a hostile file of queries', () => {
  for (const { name, text } of hostileQueriesFiles) {
    it(`reads a hostile file within limits: ${name}`, () => {
      const { tree, problems } = parseQueriesFile(text);
      assert.ok(problems.length <= fileLimits.problems);
      for (const { part = '' } of problems) assert.ok(part.length <= fileLimits.text);
      const items = walk(tree);
      assert.ok(items.length <= fileLimits.entries);
      assert.ok(items.every(({ item }) => item.name.length <= fileLimits.text));
      for (const { query, connection = '' } of allQueries(tree)) {
        const { range, interval, params } = query;
        const texts = [range, interval, connection, ...Object.keys(params), ...Object.values(params)];
        assert.ok(texts.every(one => one.length <= fileLimits.text));
      }
    });

    const refusal = refusals[name];
    if (refusal)
      it(`refuses to edit a hostile file: ${name}`, () => {
        assert.deepEqual(editQueriesFile(text, changed), { ok: false, problem: refusal });
      });
    else
      it(`keeps entries that an edit does not concern: ${name}`, () => {
        const edited = editQueriesFile(text, changed);
        assert.ok(edited.ok);
        const before = parseQueriesFile(text);
        const after = parseQueriesFile(edited.text);
        assert.deepEqual(after.tree, edited.tree);
        assert.deepEqual(codesOf(after), codesOf(before));
        // The change removes none of so few entries, so the edit only inserts.
        const { start, end } = replacementBetween(text, edited.text);
        if (before.tree.length <= 1) assert.equal(end - start, 0);
      });
  }

  it('leaves a file that is too large alone, and explains why in one sentence', () => {
    const text = fileOf(entry('A'), `${' '.repeat(fileLimits.characters)}${entry('B')}`);
    const { tree, problems } = parseQueriesFile(text);
    assert.deepEqual([tree.length, problems.map(({ code }) => code)], [0, ['tooLarge']]);
    assert.deepEqual(
      editQueriesFile(text, () => []),
      { ok: false, problem: 'isTooLarge' },
    );
  });

  it('reads as many values as the limit says, and none of a file with one more', () => {
    const withValues = (count: number): string =>
      fileOf(entry('A')).replace(/}$/, `, "x": [${'1,'.repeat(count - 1)}1]}`);
    const inA = (fileOf(entry('A')).match(/[,{[]/g) ?? []).length + 1;
    const codes = (count: number): string[] => parseQueriesFile(withValues(count)).problems.map(({ code }) => code);
    assert.deepEqual(
      codes(fileLimits.values - inA).filter(code => code === 'tooLarge'),
      [],
    );
    assert.deepEqual(codes(fileLimits.values - inA + 1), ['tooLarge']);
  });

  it('reads entries up to the limit, and leaves the others in place', () => {
    const text = fileOf(...Array.from({ length: fileLimits.entries + 2 }, (_, n) => entry(`Q${n}`)));
    const { tree, problems } = parseQueriesFile(text);
    assert.deepEqual([tree.length, problems.map(({ code }) => code)], [fileLimits.entries, ['tooMany']]);
    const edited = editQueriesFile(text, before => before.slice(1));
    assert.ok(edited.ok);
    assert.equal(edited.text, text.replace(`${entry('Q0')},`, ''));
  });

  it('refuses an edit that makes the file too large to read', () => {
    const items = Array.from({ length: fileLimits.entries + 1 }, (_, n) => aQuery(`q${n}`));
    const full = editQueriesFile(undefined, () => items.slice(1));
    assert.ok(full.ok);
    assert.deepEqual(
      editQueriesFile(undefined, () => items),
      { ok: false, problem: 'tooLarge' },
    );
    const wide = items.slice(0, 2_400).map(item => ({ ...item, name: 'n'.repeat(190) }));
    assert.deepEqual(
      editQueriesFile(undefined, () => wide),
      { ok: false, problem: 'tooLarge' },
    );
  });

  it('reports a text that is too long, and reads the other entries', () => {
    const long = 'x'.repeat(fileLimits.text + 1);
    const { tree, problems } = parseQueriesFile(fileOf(entry(long), entry('B')));
    assert.deepEqual(
      problems.map(({ code, part }) => [code, part]),
      [['tooLong', 'name']],
    );
    assert.deepEqual(
      tree.map(({ name }) => name),
      ['B'],
    );
  });

  it('assigns ids in one pass over the entries', () => {
    const claims = Array.from({ length: many }, () => ({ written: undefined, kind: 'query', name: 'A' }) as const);
    assert.equal(new Set(assignIds(claims)).size, many);
  });

  it('assigns the ids of alerts in one pass', () => {
    const alerts = readAlerts(Array.from({ length: many }, () => ({ kind: 'late' })));
    assert.equal(new Set(alerts.map(alert => alert?.id)).size, many);
  });

  it('finds the lines of problems in one pass', () => {
    const at = createPositionLookup('a\n'.repeat(many));
    let last = at(0);
    for (let offset = 0; offset < 2 * many; offset++) last = at(offset);
    assert.deepEqual(last, { line: many - 1, character: 1 });
  });

  it('counts lines as editors do', () => {
    const at = createPositionLookup('a\r\nb\rc\n');
    assert.deepEqual(
      [0, 2, 3, 5, 7].map(offset => [at(offset).line, at(offset).character]),
      [
        [0, 0],
        [0, 2],
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    );
  });
});
