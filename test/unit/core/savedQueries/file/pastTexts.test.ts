import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFile.ts';
import {
  replacementBetween,
  editQueriesFile,
  EditHistory,
} from '../../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import { removeItems, restoreItems } from '../../../../../src/core/savedQueries/edit.ts';
import type { SavedTree } from '../../../../../src/core/savedQueries/savedItem.ts';
import { allIds } from '../../../../../src/core/savedQueries/walk.ts';
import { manyRuns } from '../../../../support/manyRuns.ts';

/** A file as somebody may have written it: comments, blanks, tabs, line ends and commas anywhere. */
const files = fc
  .record({
    eol: fc.constantFrom('\n', '\r\n'),
    gaps: fc.array(
      fc.constantFrom(
        '',
        ' ',
        '\t',
        '\n',
        '\n\n',
        ' // one, two\n',
        ' /* a { comment } */ ',
        '\n\t// above\n\t',
        '  \n',
      ),
      { minLength: 80, maxLength: 80 },
    ),
    shape: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 }),
    trailing: fc.boolean(),
    isMarked: fc.boolean(),
  })
  .map(({ eol, gaps, shape, trailing, isMarked }) => {
    let [gap, n] = [0, 0];
    const blank = (): string => gaps[(gap += 1) % gaps.length] ?? '';
    const query = (): string =>
      `{${blank()}"name": "Q${(n += 1)}",${blank()}"dataset": "systemState", "range": "today"${blank()}}`;
    const list = (entries: string[]): string =>
      `[${blank()}${entries.map(entry => `${entry}${blank()}`).join(`,${blank()}`)}${trailing && entries.length > 0 ? ',' : ''}${blank()}]`;
    const entries = shape.map(inner =>
      inner === 0
        ? query()
        : `{ "folder": "F${(n += 1)}",${blank()}"queries": ${list(Array.from({ length: inner }, query))} }`,
    );
    const text = `${blank()}{${blank()}"queries":${blank()}${list(entries)}${blank()}}${blank()}`;
    return (isMarked ? '// ours\n' : '') + text.replaceAll('\n', eol);
  });

function edited(text: string, change: (tree: SavedTree) => SavedTree, past: EditHistory): string {
  const result = editQueriesFile(text, change);
  assert.ok(result.ok);
  const next = past.before(text, result.tree)?.text ?? result.text;
  past.note(text, next);
  return next;
}

/** The ids of some items, chosen by a number. */
function someIds(tree: SavedTree, choice: number): string[] {
  const ids = [...allIds(tree)];
  return ids.filter((_, index) => ((choice >> (index % 16)) & 1) === 1).slice(0, 3);
}

describe('deleting in a file of queries', () => {
  it('deletes an entry with its comments and a comma, and leaves every other character', () => {
    fc.assert(
      fc.property(files, fc.nat({ max: 65_535 }), (text, choice) => {
        const { tree, blocks } = parseQueriesFile(text);
        const ids = someIds(tree, choice);
        const result = editQueriesFile(text, before => removeItems(before, ids).tree);
        assert.ok(result.ok);
        assert.deepEqual(parseQueriesFile(result.text).tree, result.tree);
        const gone = ids.flatMap(id => blocks.get(id) ?? []);
        const rest = Array.from(text)
          .filter((_, at) => !gone.some(block => at >= block.offset && at < block.offset + block.length))
          .join('');
        const comments = /\/\/[^\r\n]*|\/\*[^]*?\*\//g;
        const bare = (one: string): string => one.replaceAll(comments, '').replaceAll(/[\s,]/g, '');
        assert.equal(bare(result.text), bare(rest));
        const isLeft = (comment: string): boolean => rest.includes(comment);
        assert.ok([...result.text.matchAll(comments)].every(([comment]) => isLeft(comment.trim())));
        if (ids.length === 0) assert.equal(result.text, text);
      }),
      { numRuns: manyRuns(500) },
    );
  });

  it('undoes deletions to the exact text, last one first', () => {
    fc.assert(
      fc.property(files, fc.array(fc.nat({ max: 65_535 }), { maxLength: 4 }), (text, choices) => {
        const past = new EditHistory();
        const undone: ((text: string) => void)[] = [];
        let now = text;
        for (const choice of choices) {
          const before = now;
          const { tree, removed } = removeItems(
            parseQueriesFile(now).tree,
            someIds(parseQueriesFile(now).tree, choice),
          );
          now = edited(now, () => tree, past);
          undone.unshift(() => {
            now = edited(now, rest => restoreItems(rest, removed), past);
            assert.equal(now, before);
          });
        }
        for (const undo of undone) undo(now);
        assert.equal(now, text);
      }),
      { numRuns: manyRuns(500) },
    );
  });

  it('undoes a deletion with an edit of the deleted part only', () => {
    const past = new EditHistory();
    const query = '{ "name": "A", "dataset": "systemState", "range": "today" }';
    const text = `{ "queries": [ ${query} ] }`;
    past.note(text, '{ "queries": [ ] }');
    assert.equal(past.before('{ "queries": [ ] }', parseQueriesFile(text).tree)?.text, text);
    assert.deepEqual(replacementBetween('{ "queries": [ ] }', text), { start: 15, end: 15, content: `${query} ` });
  });

  it('undoes a deletion in the tree when something else changed meanwhile', () => {
    const past = new EditHistory();
    const text = '{ "queries": [ { "name": "A", "dataset": "systemState", "range": "today" } /* ours */ ] }';
    const { tree, removed } = removeItems(parseQueriesFile(text).tree, [...allIds(parseQueriesFile(text).tree)]);
    const without = edited(text, () => tree, past).replace('{', '{ /* another window */');
    const back = edited(without, rest => restoreItems(rest, removed), past);
    assert.deepEqual(parseQueriesFile(back).tree, parseQueriesFile(text).tree);
    assert.match(back, /another window/);
  });
});
