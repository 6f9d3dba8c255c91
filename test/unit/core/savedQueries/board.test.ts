import assert from 'node:assert/strict';
import { parseQueriesFile } from '../../../../src/core/savedQueries/file/queriesFile.ts';
import { editQueriesFile } from '../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import { changeBoard, renameItem } from '../../../../src/core/savedQueries/edit.ts';
import type { SavedTree } from '../../../../src/core/savedQueries/savedItem.ts';
import { arrangeBoard, createBoard, parseBoard, type EditorLayout } from '../../../../src/core/savedQueries/board.ts';

type Group = EditorLayout['groups'][number];

/** Direction and shares with the queries of each group: "across .5(a b) .5(down .3(c) .7(d))". */
function shape({ orientation, groups }: EditorLayout): string {
  const [own, inner] = orientation === 0 ? (['across', 1] as const) : (['down', 0] as const);
  const text = ({ size, groups: within, queries = [] }: Group): string =>
    `${size}(${within ? shape({ orientation: inner, groups: within }) : queries.join(' ')})`;
  return [own, ...groups.map(text)].join(' ');
}

/** A layout as VS Code returns it: sizes are pixels. */
const answered = {
  orientation: 0,
  groups: [
    { size: 300 },
    { size: 900, groups: [{ size: 200 }, { size: 600, groups: [{ size: 450 }, { size: 450 }] }] },
  ],
};

describe('a board of saved queries', () => {
  it('has a group for each query before it was saved, in as many rows as columns', () => {
    const shapes = ['a', 'ab', 'abc', 'abcde'].map(ids => shape(arrangeBoard(undefined, Array.from(ids)).layout));
    assert.deepEqual(shapes, [
      'down 1(a)',
      'across 0.5(a) 0.5(b)',
      'down 0.5(a) 0.5(across 0.5(b) 0.5(c))',
      'down 0.5(across 0.5(a) 0.5(b)) 0.5(across 0.333(c) 0.333(d) 0.333(e))',
    ]);
    const many = Array.from({ length: 40 }, (_, index) => `q${index}`);
    const { columns } = arrangeBoard({ groups: 'none' }, many);
    assert.deepEqual([columns.size, columns.get('q0'), columns.get('q8'), columns.get('q39')], [40, 1, 9, 9]);
  });

  it('comes back as it was saved, without the groups of other editors', () => {
    const shown = new Map(Array.from('abcd').map((id, index) => [id, index + 1]));
    const saved = createBoard(answered, shown);
    const { layout, columns } = arrangeBoard(saved, Array.from('abcd'));
    assert.equal(shape(layout), 'across 0.25(a) 0.75(down 0.25(b) 0.75(across 0.5(c) 0.5(d)))');
    assert.deepEqual(columns, shown);
    assert.deepEqual(createBoard(layout, columns), saved);
    const some = (...of: readonly (readonly [string, number])[]): string =>
      shape(arrangeBoard(createBoard(answered, new Map(of)), Array.from('abcd')).layout);
    assert.equal(some(['a', 1], ['b', 1], ['c', 3]), 'across 0.25(a b) 0.75(c)');
    // A single remaining group replaces its parent and keeps its own orientation.
    assert.equal(some(['b', 3], ['c', 4]), 'across 0.5(b) 0.5(c)');
    assert.equal(some(['b', 2], ['a', 3], ['c', 4]), 'down 0.25(b) 0.75(across 0.5(a) 0.5(c))');
    assert.equal(createBoard(answered, new Map()), undefined);
  });

  it('leaves out queries that are gone, and shows new ones in the last group', () => {
    const saved = createBoard(answered, new Map(Array.from('abcd').map((id, index) => [id, index + 1])));
    const { layout, columns } = arrangeBoard(saved, ['x', 'd', 'a', 'y']);
    assert.equal(shape(layout), 'across 0.25(a) 0.75(d)');
    assert.deepEqual([...columns].sort(), [
      ['a', 1],
      ['d', 2],
      ['x', 2],
      ['y', 2],
    ]);
  });

  it('reads what is hostile as far as it is a layout, and no more than it has queries', () => {
    const groups = Array.from({ length: 200 }, (_, index) => ({ size: -1, queries: ['a', 'b', `c${index}`, {}, 5] }));
    const { layout } = arrangeBoard(parseBoard({ orientation: '1', groups: [...groups, 7, null] }), ['b', 'a', 'c9']);
    assert.equal(shape(layout), 'across 0.5(a b) 0.5(c9)');
    let deep: unknown = { queries: ['a'] };
    for (let depth = 0; depth < 100_000; depth += 1) deep = { groups: [deep] };
    assert.equal(parseBoard(deep), undefined);
    const sizes = [1e308, 1e308, 1e-9].map((size, index) => ({ size, queries: [Array.from('abc')[index]] }));
    assert.equal(shape(arrangeBoard({ groups: sizes }, Array.from('abc')).layout), 'across 0.333(a) 0.333(b) 0.333(c)');
  });

  it('finds its queries in a file after they were renamed there by hand', () => {
    const asked = ['A', 'B'].map(name => ({ name, dataset: 'gridStress', range: 'today' }));
    const text = JSON.stringify({
      queries: [
        { folder: 'F', queries: asked },
        { ...asked[0], name: 'C' },
      ],
    });
    const [folder] = parseQueriesFile(text).tree;
    assert.ok(folder?.kind === 'folder');
    const [a = '', b = ''] = folder.items.map(({ id }) => id);
    const board = { orientation: 0, groups: [{ queries: [b] }, { queries: [a] }] };
    const edits = editQueriesFile(text, tree => changeBoard(tree, folder.id, board));
    assert.ok(edits.ok);
    const renamed = edits.text.replace('"A"', '"Mix"').replace('"B"', '"Stress"');
    const [again, other] = parseQueriesFile(renamed).tree;
    assert.ok(again?.kind === 'folder' && !renamed.includes(other?.id ?? ''));
    assert.deepEqual(
      again.items.map(({ id, name }) => [name, id]),
      [
        ['Mix', a],
        ['Stress', b],
      ],
    );
    assert.deepEqual(again.board, board);
  });

  it('is written into a queries file, where comments in it stay while the name of its folder changes', () => {
    const text = '{ "queries": [\n  { "folder": "F", // mine\n    "queries": [] }\n] }';
    const id = parseQueriesFile(text).tree[0]?.id ?? '';
    const edited = (from: string, change: (tree: SavedTree) => SavedTree): string => {
      const edits = editQueriesFile(from, change);
      assert.ok(edits.ok);
      return edits.text;
    };
    const saved = edited(text, tree => changeBoard(tree, id, { orientation: 0, groups: [{ queries: ['a'] }] }));
    const written = '"board": { "orientation": 0, "groups": [{ "queries": ["a"] }] }';
    assert.equal(saved, text.replace('// mine', `// mine\n    ${written},`));
    const noted = saved.replace('"board": {', '"board": { /* kept */ "later": 1,');
    assert.ok(edited(noted, tree => renameItem(tree, id, 'G')).includes('"board": { /* kept */ "later": 1,'));
  });
});
