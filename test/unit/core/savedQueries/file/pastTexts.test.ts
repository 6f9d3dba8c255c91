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
import { scaleRunCount } from '../../../../support/runCount.ts';

/** Generates files as users may write them, with comments, white space, line ends and commas anywhere. */
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
    let gap = 0;
    let n = 0;
    const findNextGap = (): string => gaps[(gap += 1) % gaps.length] ?? '';
    const formatQuery = (): string =>
      `{${findNextGap()}"name": "Q${(n += 1)}",${findNextGap()}"dataset": "systemState", "range": "today"${findNextGap()}}`;
    const list = (entries: string[]): string =>
      `[${findNextGap()}${entries.map(entry => `${entry}${findNextGap()}`).join(`,${findNextGap()}`)}${trailing && entries.length > 0 ? ',' : ''}${findNextGap()}]`;
    const entries = shape.map(inner =>
      inner === 0
        ? formatQuery()
        : `{ "folder": "F${(n += 1)}",${findNextGap()}"queries": ${list(Array.from({ length: inner }, formatQuery))} }`,
    );
    const text = `${findNextGap()}{${findNextGap()}"queries":${findNextGap()}${list(entries)}${findNextGap()}}${findNextGap()}`;
    return (isMarked ? '// ours\n' : '') + text.replaceAll('\n', eol);
  });

function applyEdit(text: string, change: (tree: SavedTree) => SavedTree, past: EditHistory): string {
  const result = editQueriesFile(text, change);
  assert.ok(result.ok);
  const newText = past.before(text, result.tree)?.text ?? result.text;
  past.note(text, newText);
  return newText;
}

/** Selects the ids of some items by the bits of a number. */
function selectIds(tree: SavedTree, choice: number): string[] {
  const ids = [...allIds(tree)];
  return ids.filter((_, index) => ((choice >> (index % 16)) & 1) === 1).slice(0, 3);
}

describe('deleting in a file of queries', () => {
  it('deletes an entry with its comments and a comma, and keeps every other character', () => {
    fc.assert(
      fc.property(files, fc.nat({ max: 65_535 }), (text, choice) => {
        const { tree, blocks } = parseQueriesFile(text);
        const ids = selectIds(tree, choice);
        const result = editQueriesFile(text, tree => removeItems(tree, ids).tree);
        assert.ok(result.ok);
        assert.deepEqual(parseQueriesFile(result.text).tree, result.tree);
        const deletedBlocks = ids.flatMap(id => blocks.get(id) ?? []);
        const remainingText = Array.from(text)
          .filter(
            (_, index) => !deletedBlocks.some(block => index >= block.offset && index < block.offset + block.length),
          )
          .join('');
        const comments = /\/\/[^\r\n]*|\/\*[^]*?\*\//g;
        const removeComments = (source: string): string => source.replaceAll(comments, '').replaceAll(/[\s,]/g, '');
        assert.equal(removeComments(result.text), removeComments(remainingText));
        const isRetained = (comment: string): boolean => remainingText.includes(comment);
        assert.ok([...result.text.matchAll(comments)].every(([comment]) => isRetained(comment.trim())));
        if (ids.length === 0) assert.equal(result.text, text);
      }),
      { numRuns: scaleRunCount(500) },
    );
  });

  it('restores the exact text when deletions are undone in reverse order', () => {
    fc.assert(
      fc.property(files, fc.array(fc.nat({ max: 65_535 }), { maxLength: 4 }), (text, choices) => {
        const past = new EditHistory();
        const undone: ((text: string) => void)[] = [];
        let current = text;
        for (const choice of choices) {
          const previousText = current;
          const { tree, removed } = removeItems(
            parseQueriesFile(current).tree,
            selectIds(parseQueriesFile(current).tree, choice),
          );
          current = applyEdit(current, () => tree, past);
          undone.unshift(() => {
            current = applyEdit(current, tree => restoreItems(tree, removed), past);
            assert.equal(current, previousText);
          });
        }
        for (const undo of undone) undo(current);
        assert.equal(current, text);
      }),
      { numRuns: scaleRunCount(500) },
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
    const changedByOther = applyEdit(text, () => tree, past).replace('{', '{ /* another window */');
    const restored = applyEdit(changedByOther, tree => restoreItems(tree, removed), past);
    assert.deepEqual(parseQueriesFile(restored).tree, parseQueriesFile(text).tree);
    assert.match(restored, /another window/);
  });
});
