import assert from 'node:assert/strict';
import { parseQueriesFile } from '../../../../src/core/savedQueries/file/queriesFile.ts';
import { editQueriesFile } from '../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import { changeBoard, renameItem } from '../../../../src/core/savedQueries/edit.ts';
import type { SavedTree } from '../../../../src/core/savedQueries/savedItem.ts';
import { arrangeBoard, createBoard, parseBoard, type EditorLayout } from '../../../../src/core/savedQueries/board.ts';

type Group = EditorLayout['groups'][number];

/** Formats the direction, and the share and queries of each group: "across .5(a b) .5(down .3(c) .7(d))". */
function formatLayout({ orientation, groups }: EditorLayout): string {
  const [direction, inner] = orientation === 0 ? (['across', 1] as const) : (['down', 0] as const);
  const formatGroup = ({ size, groups: children, queries = [] }: Group): string =>
    `${size}(${children ? formatLayout({ orientation: inner, groups: children }) : queries.join(' ')})`;
  return [direction, ...groups.map(formatGroup)].join(' ');
}

/** A layout as VS Code returns it, with sizes in pixels. */
const editorLayout = {
  orientation: 0,
  groups: [
    { size: 300 },
    { size: 900, groups: [{ size: 200 }, { size: 600, groups: [{ size: 450 }, { size: 450 }] }] },
  ],
};

describe('a board of saved queries', () => {
  it('creates a group for each query before the board is saved, in as many rows as columns', () => {
    const shapes = ['a', 'ab', 'abc', 'abcde'].map(ids =>
      formatLayout(arrangeBoard(undefined, Array.from(ids)).layout),
    );
    assert.deepEqual(shapes, [
      'down 1(a)',
      'across 0.5(a) 0.5(b)',
      'down 0.5(a) 0.5(across 0.5(b) 0.5(c))',
      'down 0.5(across 0.5(a) 0.5(b)) 0.5(across 0.333(c) 0.333(d) 0.333(e))',
    ]);
    const manyIds = Array.from({ length: 40 }, (_, index) => `q${index}`);
    const { columns } = arrangeBoard({ groups: 'none' }, manyIds);
    assert.deepEqual([columns.size, columns.get('q0'), columns.get('q8'), columns.get('q39')], [40, 1, 9, 9]);
  });

  it('restores the saved board, without the groups of other editors', () => {
    const columnById = new Map(Array.from('abcd').map((id, index) => [id, index + 1]));
    const saved = createBoard(editorLayout, columnById);
    const { layout, columns } = arrangeBoard(saved, Array.from('abcd'));
    assert.equal(formatLayout(layout), 'across 0.25(a) 0.75(down 0.25(b) 0.75(across 0.5(c) 0.5(d)))');
    assert.deepEqual(columns, columnById);
    assert.deepEqual(createBoard(layout, columns), saved);
    const arrange = (...positions: readonly (readonly [string, number])[]): string =>
      formatLayout(arrangeBoard(createBoard(editorLayout, new Map(positions)), Array.from('abcd')).layout);
    assert.equal(arrange(['a', 1], ['b', 1], ['c', 3]), 'across 0.25(a b) 0.75(c)');
    // A single remaining group replaces its parent and keeps its own orientation.
    assert.equal(arrange(['b', 3], ['c', 4]), 'across 0.5(b) 0.5(c)');
    assert.equal(arrange(['b', 2], ['a', 3], ['c', 4]), 'down 0.25(b) 0.75(across 0.5(a) 0.5(c))');
    assert.equal(createBoard(editorLayout, new Map()), undefined);
  });

  it('omits deleted queries, and shows new ones in the last group', () => {
    const saved = createBoard(editorLayout, new Map(Array.from('abcd').map((id, index) => [id, index + 1])));
    const { layout, columns } = arrangeBoard(saved, ['x', 'd', 'a', 'y']);
    assert.equal(formatLayout(layout), 'across 0.25(a) 0.75(d)');
    assert.deepEqual([...columns].sort(), [
      ['a', 1],
      ['d', 2],
      ['x', 2],
      ['y', 2],
    ]);
  });

  it('reads the valid part of a hostile layout, with at most one group per query', () => {
    const groups = Array.from({ length: 200 }, (_, index) => ({ size: -1, queries: ['a', 'b', `c${index}`, {}, 5] }));
    const { layout } = arrangeBoard(parseBoard({ orientation: '1', groups: [...groups, 7, null] }), ['b', 'a', 'c9']);
    assert.equal(formatLayout(layout), 'across 0.5(a b) 0.5(c9)');
    let deep: unknown = { queries: ['a'] };
    for (let depth = 0; depth < 100_000; depth += 1) deep = { groups: [deep] };
    assert.equal(parseBoard(deep), undefined);
    const sizes = [1e308, 1e308, 1e-9].map((size, index) => ({ size, queries: [Array.from('abc')[index]] }));
    assert.equal(
      formatLayout(arrangeBoard({ groups: sizes }, Array.from('abc')).layout),
      'across 0.333(a) 0.333(b) 0.333(c)',
    );
  });

  it('finds its queries in a file after they were renamed there by hand', () => {
    const queries = ['A', 'B'].map(name => ({ name, dataset: 'gridStress', range: 'today' }));
    const text = JSON.stringify({
      queries: [
        { folder: 'F', queries },
        { ...queries[0], name: 'C' },
      ],
    });
    const [folder] = parseQueriesFile(text).tree;
    assert.ok(folder?.kind === 'folder');
    const [a = '', b = ''] = folder.items.map(({ id }) => id);
    const board = { orientation: 0, groups: [{ queries: [b] }, { queries: [a] }] };
    const edits = editQueriesFile(text, tree => changeBoard(tree, folder.id, board));
    assert.ok(edits.ok);
    const renamed = edits.text.replace('"A"', '"Mix"').replace('"B"', '"Stress"');
    const [restored, otherFolder] = parseQueriesFile(renamed).tree;
    assert.ok(restored?.kind === 'folder' && !renamed.includes(otherFolder?.id ?? ''));
    assert.deepEqual(
      restored.items.map(({ id, name }) => [name, id]),
      [
        ['Mix', a],
        ['Stress', b],
      ],
    );
    assert.deepEqual(restored.board, board);
  });

  it('writes the board into a queries file, where its comments stay when its folder is renamed', () => {
    const text = '{ "queries": [\n  { "folder": "F", // mine\n    "queries": [] }\n] }';
    const id = parseQueriesFile(text).tree[0]?.id ?? '';
    const edited = (from: string, change: (tree: SavedTree) => SavedTree): string => {
      const edits = editQueriesFile(from, change);
      assert.ok(edits.ok);
      return edits.text;
    };
    const saved = edited(text, tree => changeBoard(tree, id, { orientation: 0, groups: [{ queries: ['a'] }] }));
    const boardText = '"board": { "orientation": 0, "groups": [{ "queries": ["a"] }] }';
    assert.equal(saved, text.replace('// mine', `// mine\n    ${boardText},`));
    const savedWithComment = saved.replace('"board": {', '"board": { /* kept */ "later": 1,');
    assert.ok(
      edited(savedWithComment, tree => renameItem(tree, id, 'G')).includes('"board": { /* kept */ "later": 1,'),
    );
  });
});
