import assert from 'node:assert/strict';
import { fileLimits, createPositionLookup } from '../../../../../src/core/savedQueries/file/fileProblem.ts';
import { assignIds } from '../../../../../src/core/savedQueries/file/fileNode.ts';
import { parseQueriesFile, type QueriesFile } from '../../../../../src/core/savedQueries/file/queriesFile.ts';
import { replacementBetween, editQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import { readAlerts } from '../../../../../src/core/savedQueries/file/readEntry.ts';
import type { SavedTree } from '../../../../../src/core/savedQueries/savedItem.ts';
import { allQueries, walk } from '../../../../../src/core/savedQueries/walk.ts';
import { aQuery } from '../trees.ts';
import { hostileQueriesFiles } from '../../../../hostile/queriesFiles.ts';

/** With this number of entries, an algorithm with quadratic time would need a minute. */
const manyEntries = 100_000;

const formatEntry = (name: string): string => `{ "name": "${name}", "dataset": "systemState", "range": "today" }`;
const formatFile = (...entries: string[]): string => `{ "queries": [${entries.join(', ')}] }`;

/** The reasons why some hostile files cannot be edited. The other files can. */
const expectedProblems: Readonly<Record<string, 'notJson' | 'isTooLarge'>> = {
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
const reverseLastThree = (tree: SavedTree): SavedTree => [...tree.slice(-3).reverse(), aQuery('new')];

const listCodes = ({ problems }: QueriesFile): string[] => problems.map(({ code }) => code);

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
        assert.ok(texts.every(member => member.length <= fileLimits.text));
      }
    });

    const problem = expectedProblems[name];
    if (problem)
      it(`does not edit a hostile file: ${name}`, () => {
        assert.deepEqual(editQueriesFile(text, reverseLastThree), { ok: false, problem });
      });
    else
      it(`keeps entries that an edit does not change: ${name}`, () => {
        const edited = editQueriesFile(text, reverseLastThree);
        assert.ok(edited.ok);
        const previousFile = parseQueriesFile(text);
        const newFile = parseQueriesFile(edited.text);
        assert.deepEqual(newFile.tree, edited.tree);
        assert.deepEqual(listCodes(newFile), listCodes(previousFile));
        // The edit removes no entry from so few, so it only inserts.
        const { start, end } = replacementBetween(text, edited.text);
        if (previousFile.tree.length <= 1) assert.equal(end - start, 0);
      });
  }

  it('does not read or edit a file that is too large, and explains why in one sentence', () => {
    const text = formatFile(formatEntry('A'), `${' '.repeat(fileLimits.characters)}${formatEntry('B')}`);
    const { tree, problems } = parseQueriesFile(text);
    assert.deepEqual([tree.length, problems.map(({ code }) => code)], [0, ['tooLarge']]);
    assert.deepEqual(
      editQueriesFile(text, () => []),
      { ok: false, problem: 'isTooLarge' },
    );
  });

  it('reads as many values as the limit, and no values from a file with one more', () => {
    const createFileWithValues = (count: number): string =>
      formatFile(formatEntry('A')).replace(/}$/, `, "x": [${'1,'.repeat(count - 1)}1]}`);
    const inA = (formatFile(formatEntry('A')).match(/[,{[]/g) ?? []).length + 1;
    const listProblemCodes = (count: number): string[] =>
      parseQueriesFile(createFileWithValues(count)).problems.map(({ code }) => code);
    assert.deepEqual(
      listProblemCodes(fileLimits.values - inA).filter(code => code === 'tooLarge'),
      [],
    );
    assert.deepEqual(listProblemCodes(fileLimits.values - inA + 1), ['tooLarge']);
  });

  it('reads entries up to the limit, and leaves the others in place', () => {
    const text = formatFile(...Array.from({ length: fileLimits.entries + 2 }, (_, n) => formatEntry(`Q${n}`)));
    const { tree, problems } = parseQueriesFile(text);
    assert.deepEqual([tree.length, problems.map(({ code }) => code)], [fileLimits.entries, ['tooMany']]);
    const edited = editQueriesFile(text, previousTree => previousTree.slice(1));
    assert.ok(edited.ok);
    assert.equal(edited.text, text.replace(`${formatEntry('Q0')},`, ''));
  });

  it('rejects an edit that makes the file too large to read', () => {
    const items = Array.from({ length: fileLimits.entries + 1 }, (_, n) => aQuery(`q${n}`));
    const fullFile = editQueriesFile(undefined, () => items.slice(1));
    assert.ok(fullFile.ok);
    assert.deepEqual(
      editQueriesFile(undefined, () => items),
      { ok: false, problem: 'tooLarge' },
    );
    const isTooLarge = items.slice(0, 2_400).map(item => ({ ...item, name: 'n'.repeat(190) }));
    assert.deepEqual(
      editQueriesFile(undefined, () => isTooLarge),
      { ok: false, problem: 'tooLarge' },
    );
  });

  it('reports a text that is too long, and reads the other entries', () => {
    const long = 'x'.repeat(fileLimits.text + 1);
    const { tree, problems } = parseQueriesFile(formatFile(formatEntry(long), formatEntry('B')));
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
    const claims = Array.from(
      { length: manyEntries },
      () => ({ writtenId: undefined, kind: 'query', name: 'A' }) as const,
    );
    assert.equal(new Set(assignIds(claims)).size, manyEntries);
  });

  it('assigns the ids of alerts in one pass', () => {
    const alerts = readAlerts(Array.from({ length: manyEntries }, () => ({ kind: 'late' })));
    assert.equal(new Set(alerts.map(alert => alert?.id)).size, manyEntries);
  });

  it('finds the lines of problems in one pass', () => {
    const positionAt = createPositionLookup('a\n'.repeat(manyEntries));
    let last = positionAt(0);
    for (let offset = 0; offset < 2 * manyEntries; offset++) last = positionAt(offset);
    assert.deepEqual(last, { line: manyEntries - 1, character: 1 });
  });

  it('counts lines like editors', () => {
    const positionAt = createPositionLookup('a\r\nb\rc\n');
    assert.deepEqual(
      [0, 2, 3, 5, 7].map(offset => [positionAt(offset).line, positionAt(offset).character]),
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
