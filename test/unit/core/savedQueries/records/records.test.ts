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
import { aFolder, aQuery, counter, perform, shape, steps, type Step } from '../trees.ts';
import { manyRuns } from '../../../../support/manyRuns.ts';

const noon = Date.UTC(2026, 10, 21, 12);

function edit(records: Records, change: (tree: SavedTree) => SavedTree, window = 'w1', now = noon): Records {
  return editRecords(records, change(buildTree(records)), nextStamp(records, now, window), now);
}

const start = edit(new Map(), () => [
  aQuery('a'),
  aFolder('f', [aQuery('b'), aQuery('c')]),
  aFolder('g', [aQuery('d')]),
]);

describe('records of saved queries', () => {
  it('restores the tree from its records', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60 }), all => {
        const newId = counter();
        let records: Records = new Map();
        for (const step of all) {
          const wanted = perform(buildTree(records), step, newId);
          records = edit(records, () => wanted);
          assert.deepEqual(buildTree(records), wanted);
        }
        const text = JSON.stringify(encodeRecords(records));
        const decoded = decodeRecords(JSON.parse(text));
        assert.equal(JSON.stringify(encodeRecords(decoded.records)), text);
        assert.deepEqual(buildTree(decoded.records), buildTree(records));
      }),
    );
  });

  it('leaves out an item whose fields cannot be read', () => {
    const { items } = encodeRecords(start) as { items: Record<string, { item: Record<string, unknown> }> };
    const decodedWith = (changes: Record<string, unknown>) => {
      const a = { ...items['a'], item: { ...items['a']?.item, ...changes } };
      const { records, unreadable } = decodeRecords({ version: 1, items: { ...items, a } });
      return [records.has('a'), records.size, unreadable];
    };
    const count = Object.keys(items).length;
    assert.deepEqual(decodedWith({}), [true, count, 0]);
    for (const changes of [
      { query: 'no question' },
      { kind: 'board' },
      { name: 5 },
      { display: 'chart' },
      { analysis: { resample: 'decade' } },
      { alerts: [{}] },
    ])
      assert.deepEqual(decodedWith(changes), [false, count - 1, 1], JSON.stringify(changes));
  });

  it('takes of an item that two windows edited the last version, and of others what each window made of them', () => {
    const one = edit(start, tree => renameItem(tree, 'd', 'Mine'), 'w1', noon + 1000);
    const renamed = edit(one, tree => renameItem(tree, 'b', 'Renamed'), 'w1', noon + 2000);
    const two = edit(start, tree => changeQuery(tree, 'b', { connection: 'Prod' }), 'w2', noon + 3000);
    const merged = buildTree(mergeRecords(renamed, two));
    assert.deepEqual(merged, buildTree(mergeRecords(two, renamed)));
    assert.deepEqual(findItem(merged, 'b'), aQuery('b', { connection: 'Prod' }));
    assert.equal(findItem(merged, 'd')?.name, 'Mine');
  });

  it('keeps what two windows add to one folder at the same time', () => {
    const one = edit(start, tree => addItems(tree, [aQuery('x')], { folder: 'f' }), 'w1');
    const two = edit(start, tree => addItems(tree, [aQuery('y')], { folder: 'f' }), 'w2');
    assert.equal(shape(buildTree(mergeRecords(one, two))), 'a f(b c x y) g(d)');
  });

  it('takes the later edit, also with a wrong clock', () => {
    const one = edit(start, tree => renameItem(tree, 'a', 'First'), 'w2', noon + 1e9);
    const two = edit(one, tree => renameItem(tree, 'a', 'Second'), 'w1', noon - 1e9);
    assert.equal(findItem(buildTree(mergeRecords(one, two)), 'a')?.name, 'Second');
  });

  it('takes the later of an edit and a removal that did not know of each other', () => {
    const removed = edit(start, tree => removeItems(tree, ['f', 'a']).tree, 'w1', noon + 5000);
    for (const [after, left] of [
      [4000, 'g(d)'],
      [6000, 'f(c) g(d)'],
    ] as const) {
      const renamed = edit(start, tree => renameItem(tree, 'c', 'Kept'), 'w2', noon + after);
      assert.equal(shape(buildTree(mergeRecords(removed, renamed))), left);
    }
  });

  it('keeps what is put into a folder that another window removes, with the folder', () => {
    const added = edit(start, tree => addItems(tree, [aQuery('x')], { folder: 'f' }), 'w2');
    const removed = edit(start, tree => removeItems(tree, ['f', 'a']).tree, 'w1', noon + 5000);
    const merged = mergeRecords(removed, added);
    assert.equal(shape(buildTree(merged)), 'f(x) g(d)');
    // The folder is visible, so it can be removed again.
    assert.equal(shape(buildTree(edit(merged, tree => removeItems(tree, ['f']).tree))), 'g(d)');
  });

  it('shows all items that two windows move into each other', () => {
    const one = edit(start, tree => moveItems(tree, ['f'], { folder: 'g' }), 'w1');
    const two = edit(start, tree => moveItems(tree, ['g'], { folder: 'f' }), 'w2', noon + 1);
    const merged = mergeRecords(one, two);
    assert.deepEqual(buildTree(merged), buildTree(mergeRecords(two, one)));
    assert.equal(shape(buildTree(merged)), 'a g(d f(b c))');
    // The next edit leaves no circle behind.
    assert.equal(shape(buildTree(edit(merged, tree => moveItems(tree, ['f'], {})))), 'a g(d) f(b c)');
  });

  it('shows every folder of an endless chain or cycle, at a limited depth', () => {
    const count = 20_000;
    const stamp = nextStamp(new Map(), noon, 'w1');
    const chainFrom = (first: string): Records =>
      new Map(
        Array.from({ length: count }, (_, n) => {
          const folder = n === 0 ? first : `f${n - 1}`;
          return [`f${n}`, { stamp, folder, order: n, item: aFolder(`f${n}`) }];
        }),
      );
    for (const first of ['', `f${count - 1}`]) {
      const found = [...walk(buildTree(chainFrom(first)))];
      assert.equal(found.length, count);
      assert.ok(found.every(({ path }) => path.length < maxDepth));
    }
  });

  it('inserts between neighbors any number of times', () => {
    let records = edit(new Map(), () => [aQuery('first'), aQuery('last')]);
    const expected = ['first'];
    for (let n = 0; n < 200; n += 1) {
      records = edit(records, tree => [...tree.slice(0, -1), aQuery(`q${n}`), ...tree.slice(-1)]);
      expected.push(`q${n}`);
    }
    assert.equal(shape(buildTree(records)), [...expected, 'last'].join(' '));
  });

  it('writes only the inserted records', () => {
    const [a, b, c, d, ...added] = ['a', 'b', 'c', 'd', 'x', 'y'].map(id => aQuery(id));
    const before = edit(new Map(), () => [a, b, c, d].flatMap(item => item ?? []));
    const after = edit(before, tree => [...tree.slice(0, 3), ...added, ...tree.slice(3)]);
    assert.equal(shape(buildTree(after)), 'a b c x y d');
    assert.deepEqual(
      [...after].filter(([id, record]) => before.get(id) !== record).map(([id]) => id),
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

  it('converges in three windows whatever they edit and in any order, and loses only removed items', () => {
    const act = fc.record({
      window: fc.nat(2),
      hear: fc.option(fc.nat(2), { nil: undefined }),
      step: steps,
      drift: fc.integer({ min: -5000, max: 5000 }),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), acts => {
        const newId = counter();
        const windows: Records[] = [start, start, start];
        const made = new Set(allIds(buildTree(start)));
        const removed = new Set<string>();
        for (const { window, hear, step, drift } of acts) {
          const own = windows[window] as Records;
          const known = hear === undefined ? own : mergeRecords(own, windows[hear] as Records);
          const before = allIds(buildTree(known));
          windows[window] = edit(known, tree => perform(tree, step, newId), `w${window}`, noon + drift);
          const after = allIds(buildTree(windows[window]));
          for (const id of after) made.add(id);
          for (const id of before) if (!after.has(id)) removed.add(id);
        }
        const [a, b, c] = windows as [Records, Records, Records];
        const merged = mergeRecords(mergeRecords(a, b), c);
        for (const other of [
          mergeRecords(c, mergeRecords(b, a)),
          mergeRecords(mergeRecords(merged, b), mergeRecords(a, c)),
        ])
          assert.equal(JSON.stringify(encodeRecords(other)), JSON.stringify(encodeRecords(merged)));
        const shown = allIds(buildTree(merged));
        assert.deepEqual(
          [...made].filter(id => !shown.has(id) && !removed.has(id)),
          [],
        );
      }),
      { numRuns: manyRuns(300) },
    );
  });

  it('applies the edits of every window to its own items', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 15 }), fc.array(steps, { maxLength: 15 }), (ours, theirs) => {
        const one = steppedIn('f', ours, 'w1');
        const two = steppedIn('g', theirs, 'w2');
        const merged = buildTree(mergeRecords(one, two));
        assert.deepEqual(findItem(merged, 'f'), findItem(buildTree(one), 'f'));
        assert.deepEqual(findItem(merged, 'g'), findItem(buildTree(two), 'g'));
      }),
    );
  });
});

/** Steps inside one folder. */
function steppedIn(folder: string, all: readonly Step[], window: string): Records {
  const newId = counter(window);
  return all.reduce((records, step) => {
    return edit(
      records,
      tree =>
        tree.map(item =>
          item.id === folder && item.kind === 'folder' ? { ...item, items: perform(item.items, step, newId) } : item,
        ),
      window,
    );
  }, start);
}
