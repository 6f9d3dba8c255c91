import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addItems,
  changeQuery,
  moveItems,
  renameItem,
  removeItems,
} from '../../../../../src/core/savedQueries/edit.ts';
import { editRecords, buildTree } from '../../../../../src/core/savedQueries/records/recordEdit.ts';
import {
  decodeRecords,
  encodeRecords,
  mergeRecords,
  nextStamp,
  type Records,
  dropOldRemovals,
} from '../../../../../src/core/savedQueries/records/records.ts';
import type { SavedTree } from '../../../../../src/core/savedQueries/savedItem.ts';
import { allIds, maxDepth, findItem, walk } from '../../../../../src/core/savedQueries/walk.ts';
import {
  createFolder,
  createQuery,
  createIdGenerator,
  applyTreeEdit,
  formatTree,
  treeEdits,
  type TreeEdit,
} from '../trees.ts';
import { scaleRunCount } from '../../../../support/runCount.ts';

const noon = Date.UTC(2026, 10, 21, 12);

function edit(records: Records, change: (tree: SavedTree) => SavedTree, window = 'w1', now = noon): Records {
  return editRecords(records, change(buildTree(records)), nextStamp(records, now, window), now);
}

const start = edit(new Map(), () => [
  createQuery('a'),
  createFolder('f', [createQuery('b'), createQuery('c')]),
  createFolder('g', [createQuery('d')]),
]);

describe('records of saved queries', () => {
  it('restores the tree from its records', () => {
    fc.assert(
      fc.property(fc.array(treeEdits, { maxLength: 60 }), edits => {
        const newId = createIdGenerator();
        let records: Records = new Map();
        for (const treeEdit of edits) {
          const expected = applyTreeEdit(buildTree(records), treeEdit, newId);
          records = edit(records, () => expected);
          assert.deepEqual(buildTree(records), expected);
        }
        const text = JSON.stringify(encodeRecords(records));
        const decoded = decodeRecords(JSON.parse(text));
        assert.equal(JSON.stringify(encodeRecords(decoded.records)), text);
        assert.deepEqual(buildTree(decoded.records), buildTree(records));
      }),
    );
  });

  it('omits an item whose fields cannot be read', () => {
    const { items } = encodeRecords(start) as { items: Record<string, { item: Record<string, unknown> }> };
    const decodeChanged = (changes: Record<string, unknown>) => {
      const a = { ...items['a'], item: { ...items['a']?.item, ...changes } };
      const { records, unreadable } = decodeRecords({ version: 1, items: { ...items, a } });
      return [records.has('a'), records.size, unreadable];
    };
    const count = Object.keys(items).length;
    assert.deepEqual(decodeChanged({}), [true, count, 0]);
    for (const changes of [
      { query: 'no question' },
      { kind: 'board' },
      { name: 5 },
      { display: 'chart' },
      { analysis: { resample: 'decade' } },
      { alerts: [{}] },
    ])
      assert.deepEqual(decodeChanged(changes), [false, count - 1, 1], JSON.stringify(changes));
  });

  it('takes the last version of an item that two windows edited, and all other edits of both windows', () => {
    const firstWindow = edit(start, tree => renameItem(tree, 'd', 'Mine'), 'w1', noon + 1000);
    const renamed = edit(firstWindow, tree => renameItem(tree, 'b', 'Renamed'), 'w1', noon + 2000);
    const secondWindow = edit(start, tree => changeQuery(tree, 'b', { connection: 'Prod' }), 'w2', noon + 3000);
    const merged = buildTree(mergeRecords(renamed, secondWindow));
    assert.deepEqual(merged, buildTree(mergeRecords(secondWindow, renamed)));
    assert.deepEqual(findItem(merged, 'b'), createQuery('b', { connection: 'Prod' }));
    assert.equal(findItem(merged, 'd')?.name, 'Mine');
  });

  it('keeps items that two windows add to one folder at the same time', () => {
    const firstWindow = edit(start, tree => addItems(tree, [createQuery('x')], { folder: 'f' }), 'w1');
    const secondWindow = edit(start, tree => addItems(tree, [createQuery('y')], { folder: 'f' }), 'w2');
    assert.equal(formatTree(buildTree(mergeRecords(firstWindow, secondWindow))), 'a f(b c x y) g(d)');
  });

  it('prefers the later edit, also with an incorrect clock', () => {
    const firstWindow = edit(start, tree => renameItem(tree, 'a', 'First'), 'w2', noon + 1e9);
    const secondWindow = edit(firstWindow, tree => renameItem(tree, 'a', 'Second'), 'w1', noon - 1e9);
    assert.equal(findItem(buildTree(mergeRecords(firstWindow, secondWindow)), 'a')?.name, 'Second');
  });

  it('prefers the later of a concurrent edit and removal', () => {
    const removed = edit(start, tree => removeItems(tree, ['f', 'a']).tree, 'w1', noon + 5000);
    for (const [after, left] of [
      [4000, 'g(d)'],
      [6000, 'f(c) g(d)'],
    ] as const) {
      const renamed = edit(start, tree => renameItem(tree, 'c', 'Kept'), 'w2', noon + after);
      assert.equal(formatTree(buildTree(mergeRecords(removed, renamed))), left);
    }
  });

  it('keeps a folder that another window removes, if an item was added to it meanwhile', () => {
    const added = edit(start, tree => addItems(tree, [createQuery('x')], { folder: 'f' }), 'w2');
    const removed = edit(start, tree => removeItems(tree, ['f', 'a']).tree, 'w1', noon + 5000);
    const merged = mergeRecords(removed, added);
    assert.equal(formatTree(buildTree(merged)), 'f(x) g(d)');
    // The folder is visible, so that it can be removed again.
    assert.equal(formatTree(buildTree(edit(merged, tree => removeItems(tree, ['f']).tree))), 'g(d)');
  });

  it('shows all items that two windows move into each other', () => {
    const firstWindow = edit(start, tree => moveItems(tree, ['f'], { folder: 'g' }), 'w1');
    const secondWindow = edit(start, tree => moveItems(tree, ['g'], { folder: 'f' }), 'w2', noon + 1);
    const merged = mergeRecords(firstWindow, secondWindow);
    assert.deepEqual(buildTree(merged), buildTree(mergeRecords(secondWindow, firstWindow)));
    assert.equal(formatTree(buildTree(merged)), 'a g(d f(b c))');
    // The next edit removes the cycle.
    assert.equal(formatTree(buildTree(edit(merged, tree => moveItems(tree, ['f'], {})))), 'a g(d) f(b c)');
  });

  it('shows every folder of a very long chain or a cycle, at a limited depth', () => {
    const count = 20_000;
    const stamp = nextStamp(new Map(), noon, 'w1');
    const createChain = (first: string): Records =>
      new Map(
        Array.from({ length: count }, (_, n) => {
          const folder = n === 0 ? first : `f${n - 1}`;
          return [`f${n}`, { stamp, folder, order: n, item: createFolder(`f${n}`) }];
        }),
      );
    for (const first of ['', `f${count - 1}`]) {
      const locations = [...walk(buildTree(createChain(first)))];
      assert.equal(locations.length, count);
      assert.ok(locations.every(({ path }) => path.length < maxDepth));
    }
  });

  it('inserts between neighbors any number of times', () => {
    let records = edit(new Map(), () => [createQuery('first'), createQuery('last')]);
    const expected = ['first'];
    for (let n = 0; n < 200; n += 1) {
      records = edit(records, tree => [...tree.slice(0, -1), createQuery(`q${n}`), ...tree.slice(-1)]);
      expected.push(`q${n}`);
    }
    assert.equal(formatTree(buildTree(records)), [...expected, 'last'].join(' '));
  });

  it('writes only the inserted records', () => {
    const [a, b, c, d, ...added] = ['a', 'b', 'c', 'd', 'x', 'y'].map(id => createQuery(id));
    const previousRecords = edit(new Map(), () => [a, b, c, d].flatMap(item => item ?? []));
    const newRecords = edit(previousRecords, tree => [...tree.slice(0, 3), ...added, ...tree.slice(3)]);
    assert.equal(formatTree(buildTree(newRecords)), 'a b c x y d');
    assert.deepEqual(
      [...newRecords].filter(([id, record]) => previousRecords.get(id) !== record).map(([id]) => id),
      ['x', 'y'],
    );
  });

  it('removes only the records of old removals', () => {
    const removed = edit(start, tree => removeItems(tree, ['a']).tree, 'w1', noon);
    assert.ok(dropOldRemovals(removed, noon).has('a'));
    const forgotten = dropOldRemovals(removed, noon + 1);
    assert.ok(!forgotten.has('a'));
    assert.deepEqual(buildTree(forgotten), buildTree(removed));
  });

  it('converges in three windows after any edits in any order, and loses only removed items', () => {
    const act = fc.record({
      window: fc.nat(2),
      hear: fc.option(fc.nat(2), { nil: undefined }),
      step: treeEdits,
      drift: fc.integer({ min: -5000, max: 5000 }),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), acts => {
        const newId = createIdGenerator();
        const windows: Records[] = [start, start, start];
        const createdIds = new Set(allIds(buildTree(start)));
        const removed = new Set<string>();
        for (const { window, hear: heardWindow, step: treeEdit, drift } of acts) {
          const windowRecords = windows[window] as Records;
          const knownRecords =
            heardWindow === undefined ? windowRecords : mergeRecords(windowRecords, windows[heardWindow] as Records);
          const previousIds = allIds(buildTree(knownRecords));
          windows[window] = edit(
            knownRecords,
            tree => applyTreeEdit(tree, treeEdit, newId),
            `w${window}`,
            noon + drift,
          );
          const newIds = allIds(buildTree(windows[window]));
          for (const id of newIds) createdIds.add(id);
          for (const id of previousIds) if (!newIds.has(id)) removed.add(id);
        }
        const [a, b, c] = windows as [Records, Records, Records];
        const merged = mergeRecords(mergeRecords(a, b), c);
        for (const otherOrder of [
          mergeRecords(c, mergeRecords(b, a)),
          mergeRecords(mergeRecords(merged, b), mergeRecords(a, c)),
        ])
          assert.equal(JSON.stringify(encodeRecords(otherOrder)), JSON.stringify(encodeRecords(merged)));
        const visibleIds = allIds(buildTree(merged));
        assert.deepEqual(
          [...createdIds].filter(id => !visibleIds.has(id) && !removed.has(id)),
          [],
        );
      }),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('applies the edits of every window to its own items', () => {
    fc.assert(
      fc.property(fc.array(treeEdits, { maxLength: 15 }), fc.array(treeEdits, { maxLength: 15 }), (ours, theirs) => {
        const firstWindow = editInFolder('f', ours, 'w1');
        const secondWindow = editInFolder('g', theirs, 'w2');
        const merged = buildTree(mergeRecords(firstWindow, secondWindow));
        assert.deepEqual(findItem(merged, 'f'), findItem(buildTree(firstWindow), 'f'));
        assert.deepEqual(findItem(merged, 'g'), findItem(buildTree(secondWindow), 'g'));
      }),
    );
  });
});

/** Applies the edits of a window within one folder. */
function editInFolder(folder: string, edits: readonly TreeEdit[], window: string): Records {
  const newId = createIdGenerator(window);
  return edits.reduce((records, treeEdit) => {
    return edit(
      records,
      tree =>
        tree.map(item =>
          item.id === folder && item.kind === 'folder'
            ? { ...item, items: applyTreeEdit(item.items, treeEdit, newId) }
            : item,
        ),
      window,
    );
  }, start);
}
