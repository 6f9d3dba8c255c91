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
  createFolder,
  createQuery,
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

function openWindow(machine: Machine, windowId = 'w1', state: KeyValueStore = machine.state): PersonalQueryStore {
  return new PersonalQueryStore({ file: machine.file, state, clock: { now: () => machine.now }, windowId });
}

async function createFilledStore(machine: Machine): Promise<PersonalQueryStore> {
  const store = openWindow(machine);
  await store.edit(() => [createQuery('a'), createFolder('f', [createQuery('b'), createQuery('c')])]);
  return store;
}

describe('PersonalQueryStore', () => {
  it('writes edits to the file and to the state, from which a new window reads them', async () => {
    const machine = createMachine();
    const store = await createFilledStore(machine);
    assert.equal(formatTree(store.tree()), 'a f(b c)');
    assert.deepEqual(openWindow(machine).tree(), store.tree());
    assert.equal(machine.file.text, JSON.stringify(machine.state.get(savedStateName)));
  });

  it('writes only if the tree changes', async () => {
    const machine = createMachine();
    await openWindow(machine).refresh();
    assert.equal(machine.file.text, undefined);
    assert.equal(machine.state.get(savedStateName), undefined);
    const store = await createFilledStore(machine);
    await store.refresh();
    await store.edit(tree => renameItem(tree, 'a', 'Query a'));
    assert.equal(machine.file.changes, 1);
  });

  it('applies an edit to the newest tree, even if another window has just changed it', async () => {
    const machine = createMachine();
    const first = await createFilledStore(machine);
    // The second window has its own state, which does not contain the change of the first window.
    const second = openWindow(machine, 'w2', new FakeState());
    await second.edit(tree => renameItem(tree, 'b', 'By two'));
    await first.edit(tree => moveItems(tree, ['b'], {}));
    await second.refresh();
    assert.equal(formatTree(second.tree()), 'a f(c) b');
    assert.equal(findItem(first.tree(), 'b')?.name, 'By two');
    assert.deepEqual(second.tree(), first.tree());
  });

  it('fires onDidChange once for each change', async () => {
    const machine = createMachine();
    const first = await createFilledStore(machine);
    const second = openWindow(machine, 'w2');
    await second.refresh();
    let changeCount = 0;
    const subscription = second.onDidChange(() => (changeCount += 1));
    await first.edit(tree => renameItem(tree, 'a', 'New'));
    await second.refresh();
    await second.refresh();
    assert.equal(changeCount, 1);
    subscription.dispose();
    await second.edit(tree => renameItem(tree, 'a', 'Newer'));
    assert.equal(changeCount, 1);
  });

  it('restores removed items', async () => {
    const store = await createFilledStore(createMachine());
    const previousTree = store.tree();
    let removed: RemovedItems = { items: [] };
    await store.edit(tree => {
      const result = removeItems(tree, ['f']);
      removed = result.removed;
      return result.tree;
    });
    assert.equal(formatTree(store.tree()), 'a');
    await store.edit(tree => restoreItems(tree, removed));
    assert.deepEqual(store.tree(), previousTree);
  });

  it('merges the state of another machine after Settings Sync, and writes the result', async () => {
    const thisMachine = createMachine();
    const otherMachine = createMachine();
    const first = await createFilledStore(thisMachine);
    await otherMachine.state.update(savedStateName, thisMachine.state.get(savedStateName));
    const second = openWindow(otherMachine, 'w2');
    await second.refresh();
    await second.edit(tree => addItems(removeItems(tree, ['a']).tree, [createQuery('there')], { folder: 'f' }));
    await first.edit(tree => addItems(changeQuery(tree, 'b', { keepFresh: true }), [createQuery('here')], {}));
    // Settings Sync replaces the whole value with that of the other machine.
    await thisMachine.state.update(savedStateName, otherMachine.state.get(savedStateName));
    await first.refresh();
    assert.equal(formatTree(first.tree()), 'f(b c there) here');
    await otherMachine.state.update(savedStateName, thisMachine.state.get(savedStateName));
    await second.refresh();
    assert.deepEqual(second.tree(), first.tree());
    assert.deepEqual(findItem(second.tree(), 'b'), createQuery('b', { keepFresh: true }));
  });

  it('has the same tree in all windows after any edits in two windows and on a second machine', async () => {
    const anyAction = fc.record({
      windowIndex: fc.nat(2),
      kind: fc.constantFrom('edit', 'edit', 'refresh', 'sync', 'overwrite'),
      step: treeEdits,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { maxLength: 30 }), async actions => {
        const thisMachine = createMachine();
        const otherMachine = createMachine();
        const newId = createIdGenerator();
        const stores = [
          openWindow(thisMachine, 'w0'),
          openWindow(thisMachine, 'w1'),
          openWindow(otherMachine, 'w2'),
        ] as const;
        const createdIds = new Set<string>();
        const removed = new Set<string>();
        let staleState: unknown;
        for (const { windowIndex, kind, step } of actions) {
          const machine = windowIndex === 2 ? otherMachine : thisMachine;
          machine.now += 1;
          if (kind === 'refresh') await stores[windowIndex]?.refresh();
          else if (kind === 'sync')
            await machine.state.update(
              savedStateName,
              (windowIndex === 2 ? thisMachine : otherMachine).state.get(savedStateName),
            );
          else if (kind === 'overwrite') {
            // When a window writes another key of globalState, it also writes its old value of this key.
            const current = machine.state.get(savedStateName);
            await machine.state.update(savedStateName, staleState);
            staleState = current;
          } else {
            await stores[windowIndex]?.edit(tree => {
              const newTree = applyTreeEdit(tree, step, newId);
              const ids = allIds(newTree);
              for (const id of ids) createdIds.add(id);
              for (const id of allIds(tree)) if (!ids.has(id)) removed.add(id);
              return newTree;
            });
          }
        }
        for (const store of stores) await store.refresh();
        await otherMachine.state.update(savedStateName, thisMachine.state.get(savedStateName));
        await stores[2].refresh();
        await thisMachine.state.update(savedStateName, otherMachine.state.get(savedStateName));
        for (const store of stores) await store.refresh();
        assert.deepEqual(stores[1].tree(), stores[0].tree());
        assert.deepEqual(stores[2].tree(), stores[0].tree());
        const visibleIds = allIds(stores[0].tree());
        assert.deepEqual(
          [...createdIds].filter(id => !visibleIds.has(id) && !removed.has(id)),
          [],
        );
      }),
      { numRuns: scaleRunCount(150) },
    );
  });

  it('rejects an edit that contains something like an API key', async () => {
    const machine = createMachine();
    const store = await createFilledStore(machine);
    const outcome = await store.edit(tree => changeQuery(tree, 'a', { connection: 'sb_test_not4arealkey' }));
    assert.deepEqual(outcome, { ok: false, problem: 'keyLike', fieldName: 'connection' });
    assert.ok(!(machine.file.text ?? '').includes('sb_test') && !machine.state.dump.includes('sb_test'));
  });

  it('reads the valid items of a damaged file, and creates a backup', async () => {
    const machine = createMachine();
    await createFilledStore(machine);
    const broken = (machine.file.text ?? '').replace('"range"', '"rage"');
    machine.file.text = broken;
    const store = openWindow(machine, 'w2', new FakeState());
    await store.refresh();
    assert.equal(machine.file.aside[0], broken);
    assert.equal(formatTree(store.tree()), 'f(b c)');
    assert.deepEqual(store.problems(), [
      { problem: 'damaged', where: 'file', unreadable: 1, backupName: 'aside.json' },
    ]);
    assert.doesNotThrow(() => JSON.parse(machine.file.text ?? '') as unknown);
  });

  it('restores a damaged file from the state', async () => {
    const machine = createMachine();
    const previousTree = (await createFilledStore(machine)).tree();
    // The file is incomplete, as after an interrupted write.
    machine.file.text = (machine.file.text ?? '').slice(0, -40);
    const store = openWindow(machine, 'w2');
    await store.refresh();
    assert.deepEqual(store.tree(), previousTree);
    assert.deepEqual(store.problems(), [
      { problem: 'damaged', where: 'file', unreadable: 'all', backupName: 'aside.json' },
    ]);
    assert.deepEqual(openWindow(machine, 'w3', new FakeState()).tree(), []);
    assert.equal(machine.file.text, JSON.stringify(machine.state.get(savedStateName)));
  });

  it('reads the valid items of a damaged state, and creates a backup under another name', async () => {
    const machine = createMachine();
    await createFilledStore(machine);
    const stored = machine.state.get(savedStateName) as { items: Record<string, unknown> };
    const damaged = { ...stored, items: { ...stored.items, b: { item: 5 } } };
    await machine.state.update(savedStateName, damaged);
    machine.file.text = undefined;
    const store = openWindow(machine, 'w2');
    await store.refresh();
    assert.equal(formatTree(store.tree()), 'a f(c)');
    assert.deepEqual(store.problems(), [
      { problem: 'damaged', where: 'state', unreadable: 1, backupName: backupStateName },
    ]);
    assert.deepEqual(machine.state.get(backupStateName), damaged);
  });

  it('reads a file of a later version, and rejects edits of it', async () => {
    const machine = createMachine();
    await createFilledStore(machine);
    const laterVersion = JSON.stringify({ ...(machine.state.get(savedStateName) as object), version: 2 });
    machine.file.text = laterVersion;
    const store = openWindow(machine, 'w2', new FakeState());
    assert.deepEqual(await store.edit(tree => renameItem(tree, 'a', 'x')), { ok: false, problem: 'newerVersion' });
    assert.equal(formatTree(store.tree()), 'a f(b c)');
    assert.equal(machine.file.text, laterVersion);
    assert.deepEqual(store.problems(), [{ problem: 'newerVersion', where: 'file' }]);
  });

  it('uses the state if the file is unusable, and writes the file when it is usable again', async () => {
    const machine = createMachine();
    const store = await createFilledStore(machine);
    machine.file.broken = 'EACCES';
    assert.equal((await store.edit(tree => renameItem(tree, 'a', 'Kept'))).ok, true);
    assert.deepEqual(store.problems(), [{ problem: 'fileUnusable', code: 'EACCES' }]);
    assert.equal(findItem(openWindow(machine).tree(), 'a')?.name, 'Kept');
    machine.file.broken = undefined;
    await store.refresh();
    const otherWindow = openWindow(machine, 'w2', new FakeState());
    await otherWindow.refresh();
    assert.equal(findItem(otherWindow.tree(), 'a')?.name, 'Kept');
  });

  it('applies further edits after one that throws', async () => {
    const store = await createFilledStore(createMachine());
    await assert.rejects(
      store.edit(() => {
        throw new RangeError('no');
      }),
      RangeError,
    );
    assert.equal((await store.edit(tree => renameItem(tree, 'a', 'x'))).ok, true);
  });

  it('needs less than half a megabyte for 2,000 queries', async () => {
    const machine = createMachine();
    const newId = createIdGenerator('q7f3k');
    await openWindow(machine).edit(() =>
      Array.from({ length: 50 }, (_, n) =>
        createFolder(
          `f${n}`,
          Array.from({ length: 40 }, () => createQuery(newId())),
        ),
      ),
    );
    assert.ok((machine.file.text ?? '').length < 512 * 1024, `${(machine.file.text ?? '').length}`);
  });
});
