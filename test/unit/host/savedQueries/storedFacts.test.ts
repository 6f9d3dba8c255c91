import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { changeQuery, removeItems } from '../../../../src/core/savedQueries/edit.ts';
import { contextKeys } from '../../../../src/host/ids.ts';
import { PinnedStress } from '../../../../src/host/watch/watching.ts';
import { WatchConsent } from '../../../../src/host/watch/watchConsent.ts';
import { Connections } from '../../../../src/service/connections/connections.ts';
import { PersonalQueryStore, savedStateName } from '../../../../src/service/savedQueries/personalQueryStore.ts';
import { workspaceFiles } from '../../../support/fakeVscode.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { createQuery } from '../../core/savedQueries/trees.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { FakeFile } from '../../service/savedQueries/fakes.ts';
import { createWatchedItem } from '../watch/fakes.ts';

const { readStoredFacts } = await import('../../../../src/host/savedQueries/storedFacts.ts');

/** The storage of a machine, written by the classes of the extension. */
class Storage {
  readonly state = new FakeState();
  readonly workspaceState = new FakeState();
  readonly file = new FakeFile();
  readonly folder = createTemporaryFolder();
  readonly queries = new PersonalQueryStore({
    file: this.file,
    state: this.state,
    clock: { now: () => Date.UTC(2026, 10, 23) },
    windowId: 'w1',
  });

  async facts(): ReturnType<typeof readStoredFacts> {
    if (this.file.text !== undefined) {
      mkdirSync(join(this.folder, 'savedQueries'), { recursive: true });
      writeFileSync(join(this.folder, 'savedQueries', 'savedQueries.json'), this.file.text);
    }
    const context = {
      globalState: createMemento(this.state),
      workspaceState: createMemento(this.workspaceState),
      globalStorageUri: { fsPath: this.folder },
    };
    return readStoredFacts(context as unknown as vscode.ExtensionContext);
  }

  async isWatching(): Promise<boolean> {
    return (await this.facts()).isWatching;
  }
}

function createMemento(state: FakeState): Pick<vscode.Memento, 'get'> {
  return { get: (name: string, otherwise?: unknown) => state.get(name) ?? otherwise };
}

describe('the facts that are read from storage before the app is loaded', () => {
  let storage: Storage;
  beforeEach(() => {
    storage = new Storage();
    workspaceFiles.clear();
  });

  const save = async (): Promise<unknown> => storage.queries.edit(() => [createQuery('a')]);
  const refresh = async (keepFresh: boolean): Promise<unknown> =>
    storage.queries.edit(tree => changeQuery(tree, 'a', { keepFresh }));

  it('returns facts that start no watch and hide commands that need a connection, a run or a saved query', async () => {
    assert.deepEqual(await storage.facts(), {
      isWatching: false,
      keys: {
        [contextKeys.noConnection]: true,
        [contextKeys.hasRecent]: false,
        [contextKeys.hasSaved]: false,
        [contextKeys.hasWatched]: false,
        [contextKeys.hasAlerts]: false,
        [contextKeys.walkthrough]: false,
      },
    });
  });

  it('returns facts that show commands that need a connection, a run or a saved query once there is one', async () => {
    const secrets = { get: async () => Promise.resolve(undefined), store: async () => {}, delete: async () => {} };
    const connections = new Connections({ state: storage.state, secrets, newId: () => 'one' });
    await connections.add({
      name: 'One',
      baseUrl: 'https://one.example',
      service: 'other',
      state: 'works',
      key: 'k'.repeat(20),
    });
    await save();
    const { isWatching, keys } = await storage.facts();
    assert.equal(isWatching, false);
    const { noConnection, hasRecent, hasSaved } = contextKeys;
    assert.deepEqual([keys[noConnection], keys[hasRecent], keys[hasSaved]], [false, true, true]);
  });

  it('returns facts that show saved queries if a workspace folder has a queries file', async () => {
    workspaceFiles.add('/folder/.vscode/grid-queries.json');
    assert.equal((await storage.facts()).keys[contextKeys.hasSaved], true);
  });

  it('returns facts that show Disable Hourly Refresh and Edit Alerts if a saved query has them', async () => {
    const { hasWatched, hasAlerts } = contextKeys;
    const known = async (): Promise<unknown> => {
      const { keys } = await storage.facts();
      return [keys[hasWatched], keys[hasAlerts]];
    };
    await save();
    assert.deepEqual(await known(), [false, false]);
    await storage.queries.edit(tree => changeQuery(tree, 'a', { alerts: [{ id: 'one', kind: 'late', on: true }] }));
    assert.deepEqual(await known(), [false, true]);
    await refresh(true);
    assert.deepEqual(await known(), [true, true]);
    await storage.queries.edit(tree => removeItems(tree, ['a']).tree);
    assert.deepEqual(await known(), [false, false]);
    workspaceFiles.add('/folder/.vscode/grid-queries.json');
    assert.deepEqual(await known(), [true, true]);
  });

  it('starts watching if the latest stress index is pinned', async () => {
    const pin = new PinnedStress(storage.state);
    await pin.pin('one');
    assert.equal(await storage.isWatching(), true);
    await pin.pin(undefined);
    assert.equal(await storage.isWatching(), false);
  });

  it('starts watching if a query of a workspace file was approved, but not if consent was declined', async () => {
    const consent = new WatchConsent(storage.workspaceState);
    const item = createWatchedItem('file/a', { keepFresh: true }, 'workspace');
    await consent.saveDecisions([{ item, allowed: false }]);
    assert.equal(await storage.isWatching(), false);
    await consent.saveDecisions([{ item, allowed: true }]);
    assert.equal(await storage.isWatching(), true);
  });

  it('keeps watching while a saved query is refreshed hourly, until that is disabled or the query is deleted', async () => {
    await save();
    assert.equal(await storage.isWatching(), false);
    await refresh(true);
    assert.equal(await storage.isWatching(), true);
    await refresh(false);
    assert.equal(await storage.isWatching(), false);
    await refresh(true);
    await storage.queries.edit(tree => removeItems(tree, ['a']).tree);
    assert.equal(await storage.isWatching(), false);
  });

  it('watches queries that another window or machine refreshes', async () => {
    await save();
    await refresh(true);
    const synced = storage.state.get(savedStateName);
    await storage.state.update(savedStateName, undefined);
    assert.equal(await storage.isWatching(), true, 'read from the file');
    storage.file.text = undefined;
    rmSync(join(storage.folder, 'savedQueries'), { recursive: true });
    assert.equal(await storage.isWatching(), false);
    await storage.state.update(savedStateName, synced);
    assert.equal(await storage.isWatching(), true, 'read from the state');
  });

  it('leaves damaged data to the app', async () => {
    storage.file.text = '{"items":';
    assert.equal(await storage.isWatching(), true);
  });
});
