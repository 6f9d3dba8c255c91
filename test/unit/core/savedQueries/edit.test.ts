import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addItems,
  canMove,
  changeBoard,
  changeQuery,
  duplicateItems,
  moveItems,
  renameConnection,
  renameItem,
  removeItems,
  restoreItems,
} from '../../../../src/core/savedQueries/edit.ts';
import type { SavedTree } from '../../../../src/core/savedQueries/savedItem.ts';
import {
  allIds,
  allQueries,
  findLocation,
  findItem,
  findSelectedItems,
  walk,
} from '../../../../src/core/savedQueries/walk.ts';
import {
  createFolder,
  createQuery,
  copyName,
  createIdGenerator,
  applyTreeEdit,
  formatTree,
  treeEdits,
} from './trees.ts';

const tree: SavedTree = [
  createQuery('a'),
  createFolder('f', [createQuery('b'), createFolder('g', [createQuery('c')]), createQuery('d')]),
  createQuery('e'),
];

describe('a tree of saved queries', () => {
  it('finds items and their positions', () => {
    assert.equal(findItem(tree, 'c')?.name, 'Query c');
    assert.equal(findLocation(tree, 'c')?.folder, 'g');
    assert.equal(findLocation(tree, 'a')?.folder, undefined);
    assert.deepEqual(
      allQueries(tree).map(({ id }) => id),
      ['a', 'b', 'c', 'd', 'e'],
    );
  });

  it('ignores selected items inside a selected folder, and keeps the displayed order', () => {
    assert.equal(formatTree(findSelectedItems(tree, ['e', 'c', 'g', 'a'])), 'a g(c) e');
  });

  it('adds an item into a folder, before a sibling, or last if the sibling is gone', () => {
    assert.equal(formatTree(addItems(tree, [createQuery('x')], { folder: 'g', before: 'c' })), 'a f(b g(x c) d) e');
    assert.equal(formatTree(addItems(tree, [createQuery('x')], { before: 'gone' })), 'a f(b g(c) d) e x');
    assert.equal(formatTree(addItems(tree, [createQuery('x')], { folder: 'gone' })), 'a f(b g(c) d) e x');
  });

  it('renames an item, even to an existing name', () => {
    const renamed = renameItem(tree, 'c', 'Query a');
    assert.equal(findItem(renamed, 'c')?.name, 'Query a');
    assert.equal(renamed[0], tree[0]);
    assert.equal(renameItem(tree, 'gone', 'x'), tree);
    assert.equal(renameItem(tree, 'a', 'Query a'), tree);
  });

  it('changes the given fields of a query, and removes fields that become empty', () => {
    const fullQuery = createQuery('a', {
      connection: 'Home',
      keepFresh: true,
      alerts: [{ id: 'x', kind: 'condition', condition: 'wind_mw > 1', on: true }],
      note: 'Colder than the week before.',
      analysis: { resample: 'day' },
      display: { selectedColumn: 'wind_mw' },
      unknownFields: { later: 1 },
    });
    assert.deepEqual(changeQuery([fullQuery], 'a', { keepFresh: false }), [{ ...fullQuery, keepFresh: false }]);
    assert.deepEqual(renameConnection([fullQuery], 'home', 'Work'), [{ ...fullQuery, connection: 'Work' }]);
    const { alerts: _alerts, connection: _connection, ...withoutOptional } = fullQuery;
    assert.deepEqual(changeQuery([fullQuery], 'a', { alerts: [], connection: undefined }), [withoutOptional]);
  });

  it('keeps the board of a folder when it is renamed, moved, deleted or restored, and copies it with the ids of the copied queries', () => {
    const board = { orientation: 0, groups: [{ queries: ['b', 'c'] }, { queries: ['gone'], later: 1 }], later: true };
    const treeWithBoard = changeBoard(tree, 'f', board);
    const getBoard = (changed: SavedTree, id = 'f'): unknown => {
      const item = findItem(changed, id);
      return item?.kind === 'folder' ? item.board : undefined;
    };
    assert.deepEqual(getBoard(renameItem(treeWithBoard, 'f', 'x')), board);
    assert.deepEqual(getBoard(moveItems(treeWithBoard, ['f'], {})), board);
    const { tree: rest, removed } = removeItems(treeWithBoard, ['f']);
    assert.deepEqual(getBoard(restoreItems(rest, removed)), board);
    const copied = duplicateItems(treeWithBoard, ['f'], createIdGenerator(), copyName);
    assert.equal(formatTree(copied), 'a f(b g(c) d) n1(n2 n3(n4) n5) e');
    const groups = [{ queries: ['n2', 'n4'] }, { queries: ['gone'], later: 1 }];
    assert.deepEqual(getBoard(copied, 'n1'), { ...board, groups });
    assert.equal(changeBoard(tree, 'a', board), tree);
    const otherBoard = { orientation: 1, groups: [{ queries: ['c'] }] };
    assert.deepEqual(getBoard(changeBoard(treeWithBoard, 'f', otherBoard)), { ...otherBoard, later: true });
  });

  it('renames a connection in all queries, ignoring case, without other changes', () => {
    const createNamedQuery = (id: string, connection: string) => ({ ...createQuery(id), connection });
    const tree = [
      createNamedQuery('a', 'production '),
      createFolder('f', [createNamedQuery('b', 'Production')]),
      createNamedQuery('c', 'Test'),
      createQuery('d'),
    ];
    const renamed = renameConnection(tree, 'Production', 'Live');
    const names = allQueries(renamed).map(({ connection }) => connection);
    assert.deepEqual(names, ['Live', 'Live', 'Test', undefined]);
    assert.equal(renamed[2], tree[2]);
    assert.equal(renameConnection(tree, 'Gone', 'Live'), tree);
  });

  it('sets given fields, and removes undefined ones', () => {
    const set = changeQuery(tree, 'a', { connection: 'Prod', keepFresh: true });
    assert.deepEqual(findItem(set, 'a'), createQuery('a', { connection: 'Prod', keepFresh: true }));
    assert.deepEqual(changeQuery(set, 'a', { connection: undefined, keepFresh: undefined, alerts: [] }), tree);
  });

  it('inserts a duplicate after the original, with the next number', () => {
    const newId = createIdGenerator();
    const duplicated = duplicateItems(duplicateItems(tree, ['a', 'g'], newId, copyName), ['a'], newId, copyName);
    assert.equal(formatTree(duplicated), 'a n4 n1 f(b g(c) n2(n3) d) e');
    assert.deepEqual(
      ['n1', 'n4', 'n2'].map(id => findItem(duplicated, id)?.name),
      ['Query a copy', 'Query a copy 2', 'Folder g copy'],
    );
    assert.equal(findItem(duplicateItems(duplicated, ['n1'], newId, copyName), 'n5')?.name, 'Query a copy 3');
  });

  it('moves several items at once, in the displayed order', () => {
    assert.equal(formatTree(moveItems(tree, ['e', 'a'], { folder: 'f', before: 'd' })), 'f(b g(c) a e d)');
    assert.equal(formatTree(moveItems(tree, ['c', 'b'], {})), 'a f(g() d) e b c');
    assert.equal(formatTree(moveItems(tree, ['a', 'f'], { before: 'f' })), 'a f(b g(c) d) e');
  });

  it('does not move a folder into itself, or an item into a query', () => {
    assert.equal(canMove(tree, ['f'], { folder: 'g' }), false);
    assert.equal(canMove(tree, ['g'], { folder: 'g' }), false);
    assert.equal(canMove(tree, ['b'], { folder: 'a' }), false);
    assert.equal(canMove(tree, ['g'], { folder: 'f' }), true);
    assert.equal(moveItems(tree, ['f'], { folder: 'g' }), tree);
  });

  it('removes items, and restores them to their position', () => {
    const { tree: rest, removed } = removeItems(tree, ['a', 'b', 'g', 'c']);
    assert.equal(formatTree(rest), 'f(d) e');
    assert.deepEqual(restoreItems(rest, removed), tree);
    assert.equal(restoreItems(tree, removed), tree);
  });

  it('restores an item into a folder that was created again, or at the top if the folder is gone', () => {
    const { tree: rest, removed } = removeItems(tree, ['f']);
    const withNewFolder = addItems(rest, [createFolder('f', [createQuery('new')])], {});
    assert.equal(formatTree(restoreItems(withNewFolder, removed)), 'a e f(new b g(c) d)');
    const inner = removeItems(tree, ['c']);
    assert.equal(formatTree(restoreItems(removeItems(inner.tree, ['f']).tree, inner.removed)), 'a e c');
  });

  it('keeps every item once after any edits, and undoes every removal', () => {
    fc.assert(
      fc.property(
        fc.array(treeEdits, { maxLength: 40 }),
        fc.array(fc.nat(100), { maxLength: 5 }),
        (edits, selection) => {
          const newId = createIdGenerator();
          const last = edits.reduce<SavedTree>((current, edit) => applyTreeEdit(current, edit, newId), []);
          const ids = walk(last).map(({ item }) => item.id);
          assert.equal(new Set(ids).size, ids.length);
          const { tree: rest, removed } = removeItems(
            last,
            selection.flatMap(n => ids[n] ?? []),
          );
          assert.deepEqual(restoreItems(rest, removed), last);
        },
      ),
    );
  });

  it('loses no item by moving', () => {
    fc.assert(
      fc.property(fc.array(treeEdits, { maxLength: 30 }), treeEdits, (edits, move) => {
        const newId = createIdGenerator();
        const oldTree = edits.reduce<SavedTree>((current, edit) => applyTreeEdit(current, edit, newId), []);
        const newTree = applyTreeEdit(oldTree, { ...move, kind: 'move' }, newId);
        assert.deepEqual(new Set(allIds(newTree)), new Set(allIds(oldTree)));
      }),
    );
  });
});
