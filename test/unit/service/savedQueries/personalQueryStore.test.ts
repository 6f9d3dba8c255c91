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
import { aFolder, aQuery, counter, perform, shape, steps } from '../../core/savedQueries/trees.ts';
import { FakeState } from '../storeFakes.ts';
import { FakeFile } from './fakes.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

interface Machine {
  readonly file: FakeFile;
  readonly state: FakeState;
  now: number;
}

function machine(): Machine {
  return { file: new FakeFile(), state: new FakeState(), now: Date.UTC(2026, 10, 21, 12) };
}

function window(at: Machine, windowId = 'w1', state: KeyValueStore = at.state): PersonalQueryStore {
  return new PersonalQueryStore({ file: at.file, state, clock: { now: () => at.now }, windowId });
}

async function filled(at: Machine): Promise<PersonalQueryStore> {
  const home = window(at);
  await home.edit(() => [aQuery('a'), aFolder('f', [aQuery('b'), aQuery('c')])]);
  return home;
}

describe('the personal store', () => {
  it('stores an edit in the file and in the state, from which the next window starts', async () => {
    const at = machine();
    const home = await filled(at);
    assert.equal(shape(home.tree()), 'a f(b c)');
    assert.deepEqual(window(at).tree(), home.tree());
    assert.equal(at.file.text, JSON.stringify(at.state.get(savedStateName)));
  });

  it('writes nothing when nothing is new', async () => {
    const at = machine();
    await window(at).refresh();
    assert.equal(at.file.text, undefined);
    assert.equal(at.state.get(savedStateName), undefined);
    const home = await filled(at);
    await home.refresh();
    await home.edit(tree => renameItem(tree, 'a', 'Query a'));
    assert.equal(at.file.changes, 1);
  });

  it('edits the newest tree, also after an unannounced change of another window', async () => {
    const at = machine();
    const one = await filled(at);
    // Its state is its own: what the other window wrote to globalState has not arrived.
    const two = window(at, 'w2', new FakeState());
    await two.edit(tree => renameItem(tree, 'b', 'By two'));
    await one.edit(tree => moveItems(tree, ['b'], {}));
    await two.refresh();
    assert.equal(shape(two.tree()), 'a f(c) b');
    assert.equal(findItem(one.tree(), 'b')?.name, 'By two');
    assert.deepEqual(two.tree(), one.tree());
  });

  it('notifies once of a change, and never without one', async () => {
    const at = machine();
    const one = await filled(at);
    const two = window(at, 'w2');
    await two.refresh();
    let told = 0;
    const listening = two.onDidChange(() => (told += 1));
    await one.edit(tree => renameItem(tree, 'a', 'New'));
    await two.refresh();
    await two.refresh();
    assert.equal(told, 1);
    listening.dispose();
    await two.edit(tree => renameItem(tree, 'a', 'Newer'));
    assert.equal(told, 1);
  });

  it('undoes a removal', async () => {
    const home = await filled(machine());
    const before = home.tree();
    let removed: RemovedItems = { items: [] };
    await home.edit(tree => {
      const result = removeItems(tree, ['f']);
      removed = result.removed;
      return result.tree;
    });
    assert.equal(shape(home.tree()), 'a');
    await home.edit(tree => restoreItems(tree, removed));
    assert.deepEqual(home.tree(), before);
  });

  it('merges the state that Settings Sync replaces, and writes it back', async () => {
    const here = machine();
    const there = machine();
    const one = await filled(here);
    await there.state.update(savedStateName, here.state.get(savedStateName));
    const two = window(there, 'w2');
    await two.refresh();
    await two.edit(tree => addItems(removeItems(tree, ['a']).tree, [aQuery('there')], { folder: 'f' }));
    await one.edit(tree => addItems(changeQuery(tree, 'b', { keepFresh: true }), [aQuery('here')], {}));
    // The other machine's value wins as a whole.
    await here.state.update(savedStateName, there.state.get(savedStateName));
    await one.refresh();
    assert.equal(shape(one.tree()), 'f(b c there) here');
    await there.state.update(savedStateName, here.state.get(savedStateName));
    await two.refresh();
    assert.deepEqual(two.tree(), one.tree());
    assert.deepEqual(findItem(two.tree(), 'b'), aQuery('b', { keepFresh: true }));
  });

  it('converges to the same tree for any edits of two windows and a second machine', async () => {
    const act = fc.record({
      who: fc.nat(2),
      what: fc.constantFrom('edit', 'edit', 'refresh', 'sync', 'overtake'),
      step: steps,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), async acts => {
        const [here, there] = [machine(), machine()];
        const newId = counter();
        const homes = [window(here, 'w0'), window(here, 'w1'), window(there, 'w2')] as const;
        const made = new Set<string>();
        const removed = new Set<string>();
        let old: unknown;
        for (const { who, what, step } of acts) {
          const at = who === 2 ? there : here;
          at.now += 1;
          if (what === 'refresh') await homes[who]?.refresh();
          else if (what === 'sync')
            await at.state.update(savedStateName, (who === 2 ? here : there).state.get(savedStateName));
          else if (what === 'overtake') {
            // A window that writes another name to globalState puts its old copy of ours back.
            const current = at.state.get(savedStateName);
            await at.state.update(savedStateName, old);
            old = current;
          } else {
            await homes[who]?.edit(tree => {
              const after = perform(tree, step, newId);
              const ids = allIds(after);
              for (const id of ids) made.add(id);
              for (const id of allIds(tree)) if (!ids.has(id)) removed.add(id);
              return after;
            });
          }
        }
        for (const home of homes) await home.refresh();
        await there.state.update(savedStateName, here.state.get(savedStateName));
        await homes[2].refresh();
        await here.state.update(savedStateName, there.state.get(savedStateName));
        for (const home of homes) await home.refresh();
        assert.deepEqual(homes[1].tree(), homes[0].tree());
        assert.deepEqual(homes[2].tree(), homes[0].tree());
        const shown = allIds(homes[0].tree());
        assert.deepEqual(
          [...made].filter(id => !shown.has(id) && !removed.has(id)),
          [],
        );
      }),
      { numRuns: manyRuns(150) },
    );
  });

  it('stores no key', async () => {
    const at = machine();
    const home = await filled(at);
    const outcome = await home.edit(tree => changeQuery(tree, 'a', { connection: 'sb_test_not4arealkey' }));
    assert.deepEqual(outcome, { ok: false, problem: 'keyLike', part: 'connection' });
    assert.ok(!(at.file.text ?? '').includes('sb_test') && !at.state.dump.includes('sb_test'));
  });

  it('reads what is valid of a damaged file, and sets the file aside', async () => {
    const at = machine();
    await filled(at);
    const broken = (at.file.text ?? '').replace('"range"', '"rage"');
    at.file.text = broken;
    const home = window(at, 'w2', new FakeState());
    await home.refresh();
    assert.equal(at.file.aside[0], broken);
    assert.equal(shape(home.tree()), 'f(b c)');
    assert.deepEqual(home.problems(), [{ problem: 'damaged', where: 'file', unreadable: 1, backupName: 'aside.json' }]);
    assert.doesNotThrow(() => JSON.parse(at.file.text ?? '') as unknown);
  });

  it('repairs a damaged file from the state', async () => {
    const at = machine();
    const before = (await filled(at)).tree();
    // A write that broke off, in a file system that keeps half of it.
    at.file.text = (at.file.text ?? '').slice(0, -40);
    const home = window(at, 'w2');
    await home.refresh();
    assert.deepEqual(home.tree(), before);
    assert.deepEqual(home.problems(), [
      { problem: 'damaged', where: 'file', unreadable: 'all', backupName: 'aside.json' },
    ]);
    assert.deepEqual(window(at, 'w3', new FakeState()).tree(), []);
    assert.equal(at.file.text, JSON.stringify(at.state.get(savedStateName)));
  });

  it('sets a damaged state aside under its own name, and keeps its valid items', async () => {
    const at = machine();
    await filled(at);
    const stored = at.state.get(savedStateName) as { items: Record<string, unknown> };
    const damaged = { ...stored, items: { ...stored.items, b: { item: 5 } } };
    await at.state.update(savedStateName, damaged);
    at.file.text = undefined;
    const home = window(at, 'w2');
    await home.refresh();
    assert.equal(shape(home.tree()), 'a f(c)');
    assert.deepEqual(home.problems(), [
      { problem: 'damaged', where: 'state', unreadable: 1, backupName: backupStateName },
    ]);
    assert.deepEqual(at.state.get(backupStateName), damaged);
  });

  it('shows what a later version wrote, and leaves it unchanged', async () => {
    const at = machine();
    await filled(at);
    const later = JSON.stringify({ ...(at.state.get(savedStateName) as object), version: 2 });
    at.file.text = later;
    const home = window(at, 'w2', new FakeState());
    assert.deepEqual(await home.edit(tree => renameItem(tree, 'a', 'x')), { ok: false, problem: 'newerVersion' });
    assert.equal(shape(home.tree()), 'a f(b c)');
    assert.equal(at.file.text, later);
    assert.deepEqual(home.problems(), [{ problem: 'newerVersion', where: 'file' }]);
  });

  it('continues with the state when the file is unusable, and writes the file later', async () => {
    const at = machine();
    const home = await filled(at);
    at.file.broken = 'EACCES';
    assert.equal((await home.edit(tree => renameItem(tree, 'a', 'Kept'))).ok, true);
    assert.deepEqual(home.problems(), [{ problem: 'fileUnusable', code: 'EACCES' }]);
    assert.equal(findItem(window(at).tree(), 'a')?.name, 'Kept');
    at.file.broken = undefined;
    await home.refresh();
    const other = window(at, 'w2', new FakeState());
    await other.refresh();
    assert.equal(findItem(other.tree(), 'a')?.name, 'Kept');
  });

  it('continues after an edit that throws', async () => {
    const home = await filled(machine());
    await assert.rejects(
      home.edit(() => {
        throw new RangeError('no');
      }),
      RangeError,
    );
    assert.equal((await home.edit(tree => renameItem(tree, 'a', 'x'))).ok, true);
  });

  it('keeps the state small: 2,000 queries in less than half a megabyte', async () => {
    const at = machine();
    const newId = counter('q7f3k');
    await window(at).edit(() =>
      Array.from({ length: 50 }, (_, n) =>
        aFolder(
          `f${n}`,
          Array.from({ length: 40 }, () => aQuery(newId())),
        ),
      ),
    );
    assert.ok((at.file.text ?? '').length < 512 * 1024, `${(at.file.text ?? '').length}`);
  });
});
