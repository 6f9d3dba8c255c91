import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SavedItem, SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { commands } from '../../../../src/host/ids.ts';
import '../../../support/fakeVscode.ts';
import { evaluateWhenClause } from '../../../support/whenClause.ts';
import { createFolder, createQuery } from '../../core/savedQueries/trees.ts';

const { SavedQueriesTreeDataProvider } =
  await import('../../../../src/host/savedQueries/savedQueriesTreeDataProvider.ts');

const root = join(import.meta.dirname, '../../../..');
const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>;
  };
};
const alertCommands: readonly string[] = [commands.addAlert, commands.editAlerts, commands.snoozeAlerts];

/** Returns the context value of a node, on which its menu depends. */
function getNodeContext(node: object): string {
  type Deps = ConstructorParameters<typeof SavedQueriesTreeDataProvider>[0];
  const deps = { stores: { list: () => [] }, getStatus: () => ({ now: Date.UTC(2026, 10, 23) }) } as unknown as Deps;
  type Node = Parameters<InstanceType<typeof SavedQueriesTreeDataProvider>['getTreeItem']>[0];
  return new SavedQueriesTreeDataProvider(deps).getTreeItem(node as Node).contextValue ?? '';
}

const getContextValue = (item: SavedItem): string => getNodeContext({ kind: 'item', store: { key: 'personal' }, item });

/** Returns the alert commands in the menu of a query. */
function listOfferedCommands(query: SavedQuery): string[] {
  const contextValue = getContextValue(query);
  const items = contributes.menus['gridData.watch'] ?? [];
  return items.flatMap(({ command, when }) =>
    alertCommands.includes(command) && evaluateWhenClause(when, { viewItem: contextValue }) ? [command] : [],
  );
}

describe('the menu of a saved query', () => {
  const on: Alert = { kind: 'late', id: 'a', on: true };
  const { addAlert, editAlerts, snoozeAlerts } = commands;

  it('has Edit and Snooze Alerts only if the query has alerts', () => {
    for (const keepFresh of [true, false])
      for (const alerts of [undefined, []])
        assert.deepEqual(listOfferedCommands(createQuery('a', { keepFresh, ...(alerts && { alerts }) })), [addAlert]);
    assert.deepEqual(listOfferedCommands(createQuery('a', { keepFresh: true, alerts: [on] })), [
      addAlert,
      editAlerts,
      snoozeAlerts,
    ]);
  });

  it('has no Add Alert for a range that gets no new hours', () => {
    const query = { ...createQuery('a').query, range: '2023-05' };
    assert.deepEqual(listOfferedCommands(createQuery('a', { query })), []);
    assert.deepEqual(listOfferedCommands(createQuery('a', { query, alerts: [on] })), [editAlerts]);
  });

  it('marks folders and stores without a query at any depth', () => {
    assert.equal(getContextValue(createFolder('f', [createFolder('g')])), 'savedFolder.empty');
    assert.equal(getContextValue(createFolder('f', [createFolder('g', [createQuery('a')])])), 'savedFolder');
    const store = (tree: readonly SavedItem[]) => ({
      kind: 'personal',
      key: 'personal',
      name: 'Personal',
      tree: () => tree,
    });
    assert.equal(getNodeContext({ kind: 'store', store: store([]) }), 'savedStore.personal.empty');
    assert.equal(getNodeContext({ kind: 'store', store: store([createQuery('a')]) }), 'savedStore.personal');
  });

  it('marks the first and the last of a list', () => {
    const tree = [createQuery('a'), createFolder('f', [createQuery('b')]), createQuery('c')];
    const store = { kind: 'personal', key: 'personal', name: 'Personal', tree: () => tree };
    const stores = { list: () => [store], load: async () => Promise.resolve() };
    type Deps = ConstructorParameters<typeof SavedQueriesTreeDataProvider>[0];
    const getStatus = () => ({ now: Date.UTC(2026, 10, 23) });
    const provider = new SavedQueriesTreeDataProvider({ stores, getStatus } as unknown as Deps);
    const top = provider.getChildren();
    const marks = (nodes: typeof top) => nodes.map(node => provider.getTreeItem(node).contextValue);
    assert.deepEqual(marks(top), ['savedQuery.open.first', 'savedFolder', 'savedQuery.open.last']);
    assert.deepEqual(marks(provider.getChildren(top[1])), ['savedQuery.open.first.last']);
  });

  it('has no Snooze Alerts if no alert notifies', () => {
    const off = { ...on, on: false };
    assert.deepEqual(listOfferedCommands(createQuery('a', { keepFresh: true, alerts: [off] })), [addAlert, editAlerts]);
    assert.deepEqual(listOfferedCommands(createQuery('a', { alerts: [on] })), [addAlert, editAlerts]);
  });
});
