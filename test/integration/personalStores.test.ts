import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Connection } from '../../src/core/connections/connection.ts';
import type { KeyValueStore } from '../../src/core/ports.ts';
import { addItems, renameItem } from '../../src/core/savedQueries/edit.ts';
import type { SavedQuery, SavedTree } from '../../src/core/savedQueries/savedItem.ts';
import { ConnectionChoices } from '../../src/host/connections/connectionChoices.ts';
import { Deletions } from '../../src/host/savedQueries/deletions.ts';
import { updateRenamedConnection } from '../../src/host/savedQueries/updateRenamedConnection.ts';
import { createPersonalStore, PersonalStores } from '../../src/host/savedQueries/personalStores.ts';
import { deleteItems, moveTo } from '../../src/host/savedQueries/savedEdits.ts';
import type { QueryStore } from '../../src/host/savedQueries/queryStore.ts';
import { systemClock as clock } from '../../src/host/systemPorts.ts';
import { Emitter } from '../../src/service/emitter.ts';
import type { RecentRun } from '../../src/service/savedQueries/recentRuns.ts';
import { until } from '../support/until.ts';
import { captureShownTexts } from './screen.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const stress: SavedQuery = {
  kind: 'query',
  id: 'stress',
  name: 'Stress',
  query: { dataset: 'gridStress', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' },
};

describe('personal saved queries on disk', () => {
  let root: string;
  const windows: PersonalStores[] = [];

  beforeEach(() => (root = createTemporaryFolder()));
  afterEach(() => {
    for (const window of windows.splice(0)) window.dispose();
  });

  it('shows the edits of another window, and preserves the edits of both', async () => {
    const firstWindow = open('aaaa1111');
    const secondWindow = open('bbbb2222');
    await Promise.all([add(firstWindow, 'a'), add(secondWindow, 'b'), add(firstWindow, 'c')]);
    await until(
      'the edits of both windows',
      () => [listIds(firstWindow), listIds(secondWindow)],
      both => both.every(ids => ids.length === 3),
    );
    assert.deepEqual(listIds(firstWindow), listIds(secondWindow));
    await Promise.all([
      firstWindow.personal.edit(tree => renameItem(tree, 'a', 'Renamed here')),
      secondWindow.personal.edit(tree => renameItem(tree, 'b', 'Renamed there')),
    ]);
    await until(
      'the names of both windows',
      () => [listNames(firstWindow), listNames(secondWindow)],
      ([here, there]) => Boolean(here?.includes('Renamed there') && there?.includes('Renamed here')),
    );
  });

  it('restores saved queries after a restart, also on a machine that has only the synced ones', async () => {
    const state = fakeState();
    await add(open('aaaa1111', state), 'a');
    await until('the synced queries', () => state.get('savedQueries'));
    const restarted = open('bbbb2222');
    await restarted.personal.refresh();
    assert.deepEqual(listIds(restarted), ['a']);
    await rm(join(root, 'savedQueries'), { recursive: true });
    const synced = open('cccc3333', state);
    assert.deepEqual(listIds(synced), ['a'], 'available before the file is read');
  });

  it('restores a damaged file from the synced queries, and keeps a copy of it', async () => {
    const state = fakeState();
    const firstWindow = open('aaaa1111', state);
    await add(firstWindow, 'a');
    await add(firstWindow, 'b');
    await until('the synced queries', () => state.get('savedQueries'));
    const path = join(root, 'savedQueries', 'savedQueries.json');
    const fullText = await readFile(path, 'utf8');
    await writeFile(path, fullText.slice(0, -20));
    const secondWindow = open('bbbb2222', state);
    await secondWindow.personal.refresh();
    assert.deepEqual(listIds(secondWindow), ['a', 'b']);
    assert.equal(secondWindow.personal.problems()[0]?.problem, 'damaged');
    const copyName = (await readdir(join(root, 'savedQueries'))).find(name => name.includes('damaged'));
    assert.equal(await readFile(join(root, 'savedQueries', copyName ?? ''), 'utf8'), fullText.slice(0, -20));
  });

  it('offers to open the copy of a damaged file', async () => {
    const { showWarningMessage } = vscode.window;
    const warnings: unknown[][] = [];
    const recordAndAccept = async (...args: unknown[]): Promise<unknown> => {
      warnings.push(args);
      return Promise.resolve(args[1]);
    };
    vscode.window.showWarningMessage = recordAndAccept;
    // Collects the text of each active editor, since the other window may open the same copy again.
    const openedTexts: (string | undefined)[] = [];
    const subscription = vscode.window.onDidChangeActiveTextEditor(editor =>
      openedTexts.push(editor?.document.getText()),
    );
    try {
      await add(open('aaaa1111'), 'a');
      const path = join(root, 'savedQueries', 'savedQueries.json');
      const damaged = (await readFile(path, 'utf8')).slice(0, -20);
      await writeFile(path, damaged);
      open('bbbb2222');
      await until(
        'the damaged file in an editor',
        () => openedTexts,
        texts => texts.includes(damaged),
      );
      assert.equal(warnings[0]?.[1], 'Open Backup File');
      const unreadable = fakeState();
      await unreadable.update('savedQueries', 'no records');
      open('cccc3333', unreadable);
      await until(
        'the synced text in an editor',
        () => openedTexts,
        texts => texts.includes('"no records"'),
      );
    } finally {
      subscription.dispose();
      vscode.window.showWarningMessage = showWarningMessage;
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('updates a renamed connection in personal queries, and offers to update shared files that use the old name', async () => {
    const { showInformationMessage } = vscode.window;
    let choice: string | undefined;
    const respond = async (): Promise<unknown> => Promise.resolve(choice);
    vscode.window.showInformationMessage = respond;
    try {
      const personal = createPersonalStore(open('aaaa1111').personal);
      await personal.edit(tree => addItems(tree, [{ ...stress, connection: 'Old' }], {}));
      const shared = createMemoryStore([{ ...stress, connection: 'OLD' }]);
      const state = fakeState();
      const renamed: Connection = {
        id: 'one',
        name: 'New',
        service: 'other',
        baseUrl: 'https://api.example.org',
        keyPrefix: 'sb_test_',
        state: 'works',
      };
      const connections = { active: () => undefined, findByName: () => undefined, findById: () => renamed };
      const choices = new ConnectionChoices({ connections, state });
      const stores = { settle: async () => Promise.resolve(), list: (): QueryStore[] => [personal, shared] };
      const report = (error: unknown): void => assert.fail(String(error));
      await updateRenamedConnection(renamed, 'Old', { stores, choices, report });
      assert.deepEqual([readConnection(personal), readConnection(shared)], ['New', 'OLD']);
      assert.deepEqual(state.get('connectionChoices'), { OLD: 'one' });
      choice = 'Change File';
      await updateRenamedConnection(renamed, 'old', { stores, choices, report });
      await until(
        'the connection in the file',
        () => readConnection(shared),
        name => name === 'New',
      );
    } finally {
      vscode.window.showInformationMessage = showInformationMessage;
    }
  });

  it('lists the recent runs of all windows', async () => {
    const firstWindow = open('aaaa1111');
    const secondWindow = open('bbbb2222');
    await Promise.all([firstWindow.recent.add(run('1', 1)), secondWindow.recent.add(run('2', 2))]);
    await until(
      'the runs of both windows',
      () => [firstWindow.recent.list(), secondWindow.recent.list()],
      lists => lists.every(runs => runs.length === 2),
    );
    assert.deepEqual(
      firstWindow.recent.list().map(({ id }) => id),
      ['2', '1'],
    );
  });

  it('moves queries unchanged to another store, with a new id if theirs is in use', async () => {
    const personal = createPersonalStore(open('aaaa1111').personal);
    await personal.edit(tree => addItems(tree, [stress, { ...stress, id: 'two', name: 'Two' }], {}));
    const target = createMemoryStore([{ ...stress, name: 'Another' }]);
    const entries = personal.tree().map(item => ({ store: personal, item }));
    await moveTo(entries, { store: target, before: 'stress' }, () => 'fresh');
    assert.deepEqual(personal.tree(), []);
    assert.deepEqual(
      target.tree().map(({ id, name }) => [id, name]),
      [
        ['fresh', 'Stress'],
        ['two', 'Two'],
        ['stress', 'Another'],
      ],
    );
  });

  it('keeps queries in place when the other store rejects them', async () => {
    const personal = createPersonalStore(open('aaaa1111').personal);
    await personal.edit(tree => addItems(tree, [stress], {}));
    const target = { ...createMemoryStore([]), edit: async () => Promise.reject(new Error('rejected')) };
    const entries = personal.tree().map(item => ({ store: personal, item }));
    await assert.rejects(
      moveTo(entries, { store: target }, () => 'fresh'),
      /rejected/,
    );
    assert.deepEqual(personal.tree(), [stress]);
  });

  it('restores deleted queries of every store in place', async () => {
    const personal = createPersonalStore(open('aaaa1111').personal);
    await personal.edit(tree => addItems(tree, [stress, { ...stress, id: 'two' }], {}));
    const otherStore = createMemoryStore([{ ...stress, id: 'three' }]);
    const [first] = personal.tree();
    const [third] = otherStore.tree();
    assert.ok(first && third);
    const undo = await deleteItems([
      { store: personal, item: first },
      { store: otherStore, item: third },
    ]);
    assert.deepEqual([personal.tree().length, otherStore.tree().length], [1, 0]);
    await undo();
    assert.deepEqual(
      personal.tree().map(({ id }) => id),
      ['stress', 'two'],
    );
    assert.equal(otherStore.tree().length, 1);
  });

  it('restores deleted queries once when Undo is pressed twice, and again after a failure', async () => {
    const deletions = new Deletions({ batch: async act => act() });
    const undone: string[] = [];
    const undo = (name: string) => async (): Promise<void> => Promise.resolve(void undone.push(name));
    const failing = async (): Promise<void> => Promise.reject(new Error('the disk is full'));
    const outcomes = [failing, undo('last')];
    await captureShownTexts(async () => {
      await deletions.add({ message: 'first', undo: undo('first') });
      await deletions.add({ message: 'last', undo: async () => outcomes.shift()?.() });
    });
    await assert.rejects(deletions.undo(1), /the disk is full/);
    await Promise.all([deletions.undo(1), deletions.undo(1)]);
    assert.deepEqual(undone, ['last']);
    await deletions.undo(undefined);
    await deletions.undo(undefined);
    assert.deepEqual(undone, ['last', 'first']);
  });

  function open(windowId: string, state: KeyValueStore = fakeState()): PersonalStores {
    const folder = (name: string): vscode.Uri => vscode.Uri.file(join(root, name));
    const logError = (error: unknown): void => assert.fail(String(error));
    const window = new PersonalStores({ folder, state, clock, random: Math.random, windowId, logError });
    windows.push(window);
    return window;
  }
});

async function add({ personal }: PersonalStores, id: string): Promise<void> {
  const outcome = await personal.edit(tree => addItems(tree, [{ ...stress, id, name: id }], {}));
  assert.equal(outcome.ok, true);
}

function listIds({ personal }: PersonalStores): string[] {
  return personal.tree().map(({ id }) => id);
}

function listNames({ personal }: PersonalStores): string[] {
  return personal.tree().map(({ name }) => name);
}

function readConnection(store: QueryStore): string | undefined {
  const [item] = store.tree();
  return item?.kind === 'query' ? item.connection : undefined;
}

function run(id: string, at: number): RecentRun {
  return {
    id,
    at,
    query: stress.query,
    connection: { id: 'one', name: 'Grid' },
    requestsSpent: 1,
    outcome: { kind: 'rows', rows: 24 },
  };
}

function createMemoryStore(items: SavedTree): QueryStore {
  let tree = items;
  return {
    key: 'memory',
    kind: 'workspace',
    name: 'Memory',
    onDidChange: new Emitter().event,
    tree: () => tree,
    edit: async change => {
      tree = change(tree);
      return Promise.resolve();
    },
  };
}

function fakeState(): KeyValueStore {
  const values = new Map<string, unknown>();
  return {
    get: name => values.get(name),
    update: async (name, value) => Promise.resolve(void values.set(name, value)),
  };
}
