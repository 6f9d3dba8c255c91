import assert from 'node:assert/strict';
import { fileLimits, createPositionLookup } from '../../../../../src/core/savedQueries/file/fileProblem.ts';
import { assignIds } from '../../../../../src/core/savedQueries/file/fileNode.ts';
import { parseQueriesFile, type QueriesFile } from '../../../../../src/core/savedQueries/file/queriesFile.ts';
import { replacementBetween, editQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import { readAlerts } from '../../../../../src/core/savedQueries/file/readEntry.ts';
import type { SavedTree } from '../../../../../src/core/savedQueries/savedItem.ts';
import { allQueries, walk } from '../../../../../src/core/savedQueries/walk.ts';
import { createQuery } from '../trees.ts';
import { hostileQueriesFiles } from '../../../../hostile/queriesFiles.ts';

/** The number of entries with which an algorithm of quadratic time would need a minute. */
const manyEntries = 100_000;

const formatEntry = (name: string): string => `{ "name": "${name}", "dataset": "systemState", "range": "today" }`;
const formatFile = (...entries: string[]): string => `{ "queries": [${entries.join(', ')}] }`;

/** The reasons why some hostile files cannot be edited. All other files can be edited. */
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
const reverseLastThree = (tree: SavedTree): SavedTree => [...tree.slice(-3).reverse(), createQuery('new')];

const listCodes = ({ problems }: QueriesFile): string[] => problems.map(({ code }) => code);

describe('a hostile queries file', () => {
  for (const { name, text } of hostileQueriesFiles) {
    it(`is read within the limits: ${name}`, () => {
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
      it(`is not edited: ${name}`, () => {
        assert.deepEqual(editQueriesFile(text, reverseLastThree), { ok: false, problem });
      });
    else
      it(`keeps the entries that an edit does not change: ${name}`, () => {
        const edited = editQueriesFile(text, reverseLastThree);
        assert.ok(edited.ok);
        const previousFile = parseQueriesFile(text);
        const newFile = parseQueriesFile(edited.text);
        assert.deepEqual(newFile.tree, edited.tree);
        assert.deepEqual(listCodes(newFile), listCodes(previousFile));
        // With so few entries, the edit only adds one.
        const { start, end } = replacementBetween(text, edited.text);
        if (previousFile.tree.length <= 1) assert.equal(end - start, 0);
      });
  }

  it('is neither read nor edited if it is too large, and has one problem that says so', () => {
    const text = formatFile(formatEntry('A'), `${' '.repeat(fileLimits.characters)}${formatEntry('B')}`);
    const { tree, problems } = parseQueriesFile(text);
    assert.deepEqual([tree.length, problems.map(({ code }) => code)], [0, ['tooLarge']]);
    assert.deepEqual(
      editQueriesFile(text, () => []),
      { ok: false, problem: 'isTooLarge' },
    );
  });

  it('is read up to the maximum number of values, and not at all with one more', () => {
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

  it('is read up to the maximum number of entries, and keeps the others when it is edited', () => {
    const text = formatFile(...Array.from({ length: fileLimits.entries + 2 }, (_, n) => formatEntry(`Q${n}`)));
    const { tree, problems } = parseQueriesFile(text);
    assert.deepEqual([tree.length, problems.map(({ code }) => code)], [fileLimits.entries, ['tooMany']]);
    const edited = editQueriesFile(text, previousTree => previousTree.slice(1));
    assert.ok(edited.ok);
    assert.equal(edited.text, text.replace(`${formatEntry('Q0')},`, ''));
  });

  it('cannot be edited if the edit would make it too large to read', () => {
    const items = Array.from({ length: fileLimits.entries + 1 }, (_, n) => createQuery(`q${n}`));
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

  it('is read without an entry whose text is too long, which is reported', () => {
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

  it('gets ids for 100,000 entries in linear time', () => {
    const claims = Array.from(
      { length: manyEntries },
      () => ({ writtenId: undefined, kind: 'query', name: 'A' }) as const,
    );
    assert.equal(new Set(assignIds(claims)).size, manyEntries);
  });

  it('gets ids for its alerts in linear time', () => {
    const alerts = readAlerts(Array.from({ length: manyEntries }, () => ({ kind: 'late' })));
    assert.equal(new Set(alerts.map(alert => alert?.id)).size, manyEntries);
  });

  it('gets the lines of its problems in linear time', () => {
    const positionAt = createPositionLookup('a\n'.repeat(manyEntries));
    let last = positionAt(0);
    for (let offset = 0; offset < 2 * manyEntries; offset++) last = positionAt(offset);
    assert.deepEqual(last, { line: manyEntries - 1, character: 1 });
  });

  it('has the same line numbers as in an editor', () => {
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
