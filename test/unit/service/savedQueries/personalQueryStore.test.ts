import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addItems,
  changeQuery,
  moveItems,
  renameItem,
  removeItems,
  restoreItems,
  type RemovedItems,
} from '../../../../src/core/savedQueries/edit.ts';
import { allIds, findItem } from '../../../../src/core/savedQueries/walk.ts';
import type { KeyValueStore } from '../../../../src/core/ports.ts';
import {
  backupStateName,
  PersonalQueryStore,
  savedStateName,
} from '../../../../src/service/savedQueries/personalQueryStore.ts';
import {
  aFolder,
  aQuery,
  createIdGenerator,
  applyTreeEdit,
  formatTree,
  treeEdits,
} from '../../core/savedQueries/trees.ts';
import { FakeState } from '../storeFakes.ts';
import { FakeFile } from './fakes.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

interface Machine {
  readonly file: FakeFile;
  readonly state: FakeState;
  now: number;
}

function createMachine(): Machine {
  return { file: new FakeFile(), state: new FakeState(), now: Date.UTC(2026, 10, 21, 12) };
}

function openWindow(computer: Machine, windowId = 'w1', state: KeyValueStore = computer.state): PersonalQueryStore {
  return new PersonalQueryStore({ file: computer.file, state, clock: { now: () => computer.now }, windowId });
}

async function filled(computer: Machine): Promise<PersonalQueryStore> {
  const home = openWindow(computer);
  await home.edit(() => [aQuery('a'), aFolder('f', [aQuery('b'), aQuery('c')])]);
  return home;
}

describe('the personal store', () => {
  it('stores an edit in the file and in the state, from which the next window starts', async () => {
    const computer = createMachine();
    const home = await filled(computer);
    assert.equal(formatTree(home.tree()), 'a f(b c)');
    assert.deepEqual(openWindow(computer).tree(), home.tree());
    assert.equal(computer.file.text, JSON.stringify(computer.state.get(savedStateName)));
  });

  it('does not write without a change', async () => {
    const computer = createMachine();
    await openWindow(computer).refresh();
    assert.equal(computer.file.text, undefined);
    assert.equal(computer.state.get(savedStateName), undefined);
    const home = await filled(computer);
    await home.refresh();
    await home.edit(tree => renameItem(tree, 'a', 'Query a'));
    assert.equal(computer.file.changes, 1);
  });

  it('edits the newest tree, also after another window changed it without a notification', async () => {
    const computer = createMachine();
    const first = await filled(computer);
    // The window has a separate state, which has not received the other window's change.
    const second = openWindow(computer, 'w2', new FakeState());
    await second.edit(tree => renameItem(tree, 'b', 'By two'));
    await first.edit(tree => moveItems(tree, ['b'], {}));
    await second.refresh();
    assert.equal(formatTree(second.tree()), 'a f(c) b');
    assert.equal(findItem(first.tree(), 'b')?.name, 'By two');
    assert.deepEqual(second.tree(), first.tree());
  });

  it('notifies once of a change, and never without one', async () => {
    const computer = createMachine();
    const first = await filled(computer);
    const second = openWindow(computer, 'w2');
    await second.refresh();
    let changeCount = 0;
    const listening = second.onDidChange(() => (changeCount += 1));
    await first.edit(tree => renameItem(tree, 'a', 'New'));
    await second.refresh();
    await second.refresh();
    assert.equal(changeCount, 1);
    listening.dispose();
    await second.edit(tree => renameItem(tree, 'a', 'Newer'));
    assert.equal(changeCount, 1);
  });

  it('undoes a removal', async () => {
    const home = await filled(createMachine());
    const previousTree = home.tree();
    let removed: RemovedItems = { items: [] };
    await home.edit(tree => {
      const result = removeItems(tree, ['f']);
      removed = result.removed;
      return result.tree;
    });
    assert.equal(formatTree(home.tree()), 'a');
    await home.edit(tree => restoreItems(tree, removed));
    assert.deepEqual(home.tree(), previousTree);
  });

  it('merges the state that Settings Sync replaces, and writes it back', async () => {
    const thisMachine = createMachine();
    const otherMachine = createMachine();
    const first = await filled(thisMachine);
    await otherMachine.state.update(savedStateName, thisMachine.state.get(savedStateName));
    const second = openWindow(otherMachine, 'w2');
    await second.refresh();
    await second.edit(tree => addItems(removeItems(tree, ['a']).tree, [aQuery('there')], { folder: 'f' }));
    await first.edit(tree => addItems(changeQuery(tree, 'b', { keepFresh: true }), [aQuery('here')], {}));
    // The other machine's value replaces the whole item.
    await thisMachine.state.update(savedStateName, otherMachine.state.get(savedStateName));
    await first.refresh();
    assert.equal(formatTree(first.tree()), 'f(b c there) here');
    await otherMachine.state.update(savedStateName, thisMachine.state.get(savedStateName));
    await second.refresh();
    assert.deepEqual(second.tree(), first.tree());
    assert.deepEqual(findItem(second.tree(), 'b'), aQuery('b', { keepFresh: true }));
  });

  it('converges to the same tree for any edits of two windows and a second machine', async () => {
    const act = fc.record({
      who: fc.nat(2),
      what: fc.constantFrom('edit', 'edit', 'refresh', 'sync', 'overtake'),
      step: treeEdits,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), async acts => {
        const thisMachine = createMachine();
        const otherMachine = createMachine();
        const newId = createIdGenerator();
        const homes = [
          openWindow(thisMachine, 'w0'),
          openWindow(thisMachine, 'w1'),
          openWindow(otherMachine, 'w2'),
        ] as const;
        const createdNames = new Set<string>();
        const removed = new Set<string>();
        let old: unknown;
        for (const { who, what, step } of acts) {
          const computer = who === 2 ? otherMachine : thisMachine;
          computer.now += 1;
          if (what === 'refresh') await homes[who]?.refresh();
          else if (what === 'sync')
            await computer.state.update(
              savedStateName,
              (who === 2 ? thisMachine : otherMachine).state.get(savedStateName),
            );
          else if (what === 'overtake') {
            // When a window writes another key of globalState, it also writes its old copy of this one.
            const current = computer.state.get(savedStateName);
            await computer.state.update(savedStateName, old);
            old = current;
          } else {
            await homes[who]?.edit(tree => {
              const newTree = applyTreeEdit(tree, step, newId);
              const ids = allIds(newTree);
              for (const id of ids) createdNames.add(id);
              for (const id of allIds(tree)) if (!ids.has(id)) removed.add(id);
              return newTree;
            });
          }
        }
        for (const home of homes) await home.refresh();
        await otherMachine.state.update(savedStateName, thisMachine.state.get(savedStateName));
        await homes[2].refresh();
        await thisMachine.state.update(savedStateName, otherMachine.state.get(savedStateName));
        for (const home of homes) await home.refresh();
        assert.deepEqual(homes[1].tree(), homes[0].tree());
        assert.deepEqual(homes[2].tree(), homes[0].tree());
        const visibleIds = allIds(homes[0].tree());
        assert.deepEqual(
          [...createdNames].filter(id => !visibleIds.has(id) && !removed.has(id)),
          [],
        );
      }),
      { numRuns: scaleRunCount(150) },
    );
  });

  it('stores no key', async () => {
    const computer = createMachine();
    const home = await filled(computer);
    const outcome = await home.edit(tree => changeQuery(tree, 'a', { connection: 'sb_test_not4arealkey' }));
    assert.deepEqual(outcome, { ok: false, problem: 'keyLike', fieldName: 'connection' });
    assert.ok(!(computer.file.text ?? '').includes('sb_test') && !computer.state.dump.includes('sb_test'));
  });

  it('reads the valid items of a damaged file, and backs up the file', async () => {
    const computer = createMachine();
    await filled(computer);
    const broken = (computer.file.text ?? '').replace('"range"', '"rage"');
    computer.file.text = broken;
    const home = openWindow(computer, 'w2', new FakeState());
    await home.refresh();
    assert.equal(computer.file.aside[0], broken);
    assert.equal(formatTree(home.tree()), 'f(b c)');
    assert.deepEqual(home.problems(), [{ problem: 'damaged', where: 'file', unreadable: 1, backupName: 'aside.json' }]);
    assert.doesNotThrow(() => JSON.parse(computer.file.text ?? '') as unknown);
  });

  it('repairs a damaged file from the state', async () => {
    const computer = createMachine();
    const previousTree = (await filled(computer)).tree();
    // The write was interrupted on a file system that stored half of it.
    computer.file.text = (computer.file.text ?? '').slice(0, -40);
    const home = openWindow(computer, 'w2');
    await home.refresh();
    assert.deepEqual(home.tree(), previousTree);
    assert.deepEqual(home.problems(), [
      { problem: 'damaged', where: 'file', unreadable: 'all', backupName: 'aside.json' },
    ]);
    assert.deepEqual(openWindow(computer, 'w3', new FakeState()).tree(), []);
    assert.equal(computer.file.text, JSON.stringify(computer.state.get(savedStateName)));
  });

  it('backs up a damaged state under another name, and keeps its valid items', async () => {
    const computer = createMachine();
    await filled(computer);
    const stored = computer.state.get(savedStateName) as { items: Record<string, unknown> };
    const damaged = { ...stored, items: { ...stored.items, b: { item: 5 } } };
    await computer.state.update(savedStateName, damaged);
    computer.file.text = undefined;
    const home = openWindow(computer, 'w2');
    await home.refresh();
    assert.equal(formatTree(home.tree()), 'a f(c)');
    assert.deepEqual(home.problems(), [
      { problem: 'damaged', where: 'state', unreadable: 1, backupName: backupStateName },
    ]);
    assert.deepEqual(computer.state.get(backupStateName), damaged);
  });

  it('shows items of a later version, and does not change them', async () => {
    const computer = createMachine();
    await filled(computer);
    const laterVersion = JSON.stringify({ ...(computer.state.get(savedStateName) as object), version: 2 });
    computer.file.text = laterVersion;
    const home = openWindow(computer, 'w2', new FakeState());
    assert.deepEqual(await home.edit(tree => renameItem(tree, 'a', 'x')), { ok: false, problem: 'newerVersion' });
    assert.equal(formatTree(home.tree()), 'a f(b c)');
    assert.equal(computer.file.text, laterVersion);
    assert.deepEqual(home.problems(), [{ problem: 'newerVersion', where: 'file' }]);
  });

  it('continues with the state when the file is unusable, and writes the file later', async () => {
    const computer = createMachine();
    const home = await filled(computer);
    computer.file.broken = 'EACCES';
    assert.equal((await home.edit(tree => renameItem(tree, 'a', 'Kept'))).ok, true);
    assert.deepEqual(home.problems(), [{ problem: 'fileUnusable', code: 'EACCES' }]);
    assert.equal(findItem(openWindow(computer).tree(), 'a')?.name, 'Kept');
    computer.file.broken = undefined;
    await home.refresh();
    const otherWindow = openWindow(computer, 'w2', new FakeState());
    await otherWindow.refresh();
    assert.equal(findItem(otherWindow.tree(), 'a')?.name, 'Kept');
  });

  it('continues after an edit that throws', async () => {
    const home = await filled(createMachine());
    await assert.rejects(
      home.edit(() => {
        throw new RangeError('no');
      }),
      RangeError,
    );
    assert.equal((await home.edit(tree => renameItem(tree, 'a', 'x'))).ok, true);
  });

  it('keeps the state small: 2,000 queries in less than half a megabyte', async () => {
    const computer = createMachine();
    const newId = createIdGenerator('q7f3k');
    await openWindow(computer).edit(() =>
      Array.from({ length: 50 }, (_, n) =>
        aFolder(
          `f${n}`,
          Array.from({ length: 40 }, () => aQuery(newId())),
        ),
      ),
    );
    assert.ok((computer.file.text ?? '').length < 512 * 1024, `${(computer.file.text ?? '').length}`);
  });
});
