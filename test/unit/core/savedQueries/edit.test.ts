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
import { aFolder, aQuery, copyName, counter, perform, shape, steps } from './trees.ts';

const tree: SavedTree = [
  aQuery('a'),
  aFolder('f', [aQuery('b'), aFolder('g', [aQuery('c')]), aQuery('d')]),
  aQuery('e'),
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
    assert.equal(shape(findSelectedItems(tree, ['e', 'c', 'g', 'a'])), 'a g(c) e');
  });

  it('adds into a folder, before a sibling, and last when the sibling is gone', () => {
    assert.equal(shape(addItems(tree, [aQuery('x')], { folder: 'g', before: 'c' })), 'a f(b g(x c) d) e');
    assert.equal(shape(addItems(tree, [aQuery('x')], { before: 'gone' })), 'a f(b g(c) d) e x');
    assert.equal(shape(addItems(tree, [aQuery('x')], { folder: 'gone' })), 'a f(b g(c) d) e x');
  });

  it('renames, also to a name that is there', () => {
    const renamed = renameItem(tree, 'c', 'Query a');
    assert.equal(findItem(renamed, 'c')?.name, 'Query a');
    assert.equal(renamed[0], tree[0]);
    assert.equal(renameItem(tree, 'gone', 'x'), tree);
    assert.equal(renameItem(tree, 'a', 'Query a'), tree);
  });

  it('keeps all else of a query that is changed, and takes away what the change empties', () => {
    const whole = aQuery('a', {
      connection: 'Home',
      keepFresh: true,
      alerts: [{ id: 'x', kind: 'condition', condition: 'wind_mw > 1', on: true }],
      note: 'Colder than the week before.',
      analysis: { resample: 'day' },
      display: { chosen: 'wind_mw' },
      unknownFields: { later: 1 },
    });
    assert.deepEqual(changeQuery([whole], 'a', { keepFresh: false }), [{ ...whole, keepFresh: false }]);
    assert.deepEqual(renameConnection([whole], 'home', 'Work'), [{ ...whole, connection: 'Work' }]);
    const { alerts: _alerts, connection: _connection, ...rest } = whole;
    assert.deepEqual(changeQuery([whole], 'a', { alerts: [], connection: undefined }), [rest]);
  });

  it('keeps the board of a folder through rename, move, deletion and its undo, and gives a copy the ids of the copied queries', () => {
    const board = { orientation: 0, groups: [{ queries: ['b', 'c'] }, { queries: ['gone'], later: 1 }], later: true };
    const kept = changeBoard(tree, 'f', board);
    const boardIn = (changed: SavedTree, id = 'f'): unknown => {
      const item = findItem(changed, id);
      return item?.kind === 'folder' ? item.board : undefined;
    };
    assert.deepEqual(boardIn(renameItem(kept, 'f', 'x')), board);
    assert.deepEqual(boardIn(moveItems(kept, ['f'], {})), board);
    const { tree: rest, removed } = removeItems(kept, ['f']);
    assert.deepEqual(boardIn(restoreItems(rest, removed)), board);
    const copied = duplicateItems(kept, ['f'], counter(), copyName);
    assert.equal(shape(copied), 'a f(b g(c) d) n1(n2 n3(n4) n5) e');
    const groups = [{ queries: ['n2', 'n4'] }, { queries: ['gone'], later: 1 }];
    assert.deepEqual(boardIn(copied, 'n1'), { ...board, groups });
    assert.equal(changeBoard(tree, 'a', board), tree);
    const other = { orientation: 1, groups: [{ queries: ['c'] }] };
    assert.deepEqual(boardIn(changeBoard(kept, 'f', other)), { ...other, later: true });
  });

  it('renames a connection in all queries, ignoring case, and changes nothing else', () => {
    const named = (id: string, connection: string) => ({ ...aQuery(id), connection });
    const tree = [named('a', 'production '), aFolder('f', [named('b', 'Production')]), named('c', 'Test'), aQuery('d')];
    const after = renameConnection(tree, 'Production', 'Live');
    const names = allQueries(after).map(({ connection }) => connection);
    assert.deepEqual(names, ['Live', 'Live', 'Test', undefined]);
    assert.equal(after[2], tree[2]);
    assert.equal(renameConnection(tree, 'Gone', 'Live'), tree);
  });

  it('changes what is given, and takes away what is undefined', () => {
    const set = changeQuery(tree, 'a', { connection: 'Prod', keepFresh: true });
    assert.deepEqual(findItem(set, 'a'), aQuery('a', { connection: 'Prod', keepFresh: true }));
    assert.deepEqual(changeQuery(set, 'a', { connection: undefined, keepFresh: undefined, alerts: [] }), tree);
  });

  it('duplicates beside the original, with the next number', () => {
    const newId = counter();
    const twice = duplicateItems(duplicateItems(tree, ['a', 'g'], newId, copyName), ['a'], newId, copyName);
    assert.equal(shape(twice), 'a n4 n1 f(b g(c) n2(n3) d) e');
    assert.deepEqual(
      ['n1', 'n4', 'n2'].map(id => findItem(twice, id)?.name),
      ['Query a copy', 'Query a copy 2', 'Folder g copy'],
    );
    assert.equal(findItem(duplicateItems(twice, ['n1'], newId, copyName), 'n5')?.name, 'Query a copy 3');
  });

  it('moves many at once, in the order shown', () => {
    assert.equal(shape(moveItems(tree, ['e', 'a'], { folder: 'f', before: 'd' })), 'f(b g(c) a e d)');
    assert.equal(shape(moveItems(tree, ['c', 'b'], {})), 'a f(g() d) e b c');
    assert.equal(shape(moveItems(tree, ['a', 'f'], { before: 'f' })), 'a f(b g(c) d) e');
  });

  it('moves no folder into itself, and nothing into a query', () => {
    assert.equal(canMove(tree, ['f'], { folder: 'g' }), false);
    assert.equal(canMove(tree, ['g'], { folder: 'g' }), false);
    assert.equal(canMove(tree, ['b'], { folder: 'a' }), false);
    assert.equal(canMove(tree, ['g'], { folder: 'f' }), true);
    assert.equal(moveItems(tree, ['f'], { folder: 'g' }), tree);
  });

  it('removes items, and restores them in place', () => {
    const { tree: rest, removed } = removeItems(tree, ['a', 'b', 'g', 'c']);
    assert.equal(shape(rest), 'f(d) e');
    assert.deepEqual(restoreItems(rest, removed), tree);
    assert.equal(restoreItems(tree, removed), tree);
  });

  it('restores an item into a folder that was created again, and at the top when it is gone', () => {
    const { tree: rest, removed } = removeItems(tree, ['f']);
    const remade = addItems(rest, [aFolder('f', [aQuery('new')])], {});
    assert.equal(shape(restoreItems(remade, removed)), 'a e f(new b g(c) d)');
    const inner = removeItems(tree, ['c']);
    assert.equal(shape(restoreItems(removeItems(inner.tree, ['f']).tree, inner.removed)), 'a e c');
  });

  it('keeps every item once through any edits, and undoes every removal', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), fc.array(fc.nat(100), { maxLength: 5 }), (all, picked) => {
        const newId = counter();
        const last = all.reduce<SavedTree>((now, step) => perform(now, step, newId), []);
        const ids = walk(last).map(({ item }) => item.id);
        assert.equal(new Set(ids).size, ids.length);
        const { tree: rest, removed } = removeItems(
          last,
          picked.flatMap(n => ids[n] ?? []),
        );
        assert.deepEqual(restoreItems(rest, removed), last);
      }),
    );
  });

  it('loses no item by moving', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 30 }), steps, (all, step) => {
        const newId = counter();
        const before = all.reduce<SavedTree>((now, one) => perform(now, one, newId), []);
        const after = perform(before, { ...step, what: 'move' }, newId);
        assert.deepEqual(new Set(allIds(after)), new Set(allIds(before)));
      }),
    );
  });
});
