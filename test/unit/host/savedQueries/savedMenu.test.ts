import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { commands, views } from '../../../../src/host/ids.ts';
import '../../../support/fakeVscode.ts';
import { aQuery } from '../../core/savedQueries/trees.ts';

const { SavedQueriesTreeDataProvider } =
  await import('../../../../src/host/savedQueries/savedQueriesTreeDataProvider.ts');

const root = join(import.meta.dirname, '../../../..');
const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>;
  };
};
const ofAlerts: readonly string[] = [commands.addAlert, commands.editAlerts, commands.snoozeAlerts];

/** The commands on alerts that the menu of a query's line has. */
function offered(query: SavedQuery): string[] {
  type Deps = ConstructorParameters<typeof SavedQueriesTreeDataProvider>[0];
  const deps = { stores: { list: () => [] }, statusOf: () => ({ now: Date.UTC(2026, 10, 23) }) } as unknown as Deps;
  type Node = Parameters<InstanceType<typeof SavedQueriesTreeDataProvider>['getTreeItem']>[0];
  const node = { kind: 'item', store: { key: 'personal' }, item: query } as unknown as Node;
  const { contextValue = '' } = new SavedQueriesTreeDataProvider(deps).getTreeItem(node);
  const items = (contributes.menus['view/item/context'] ?? []).filter(({ command }) => ofAlerts.includes(command));
  return items.flatMap(({ command, when }) => {
    const [clause = '', pattern = ''] = /^view == ([\w.]+) && viewItem =~ \/(.*)\/$/.exec(when)?.slice(1) ?? [];
    assert.equal(clause, views.savedQueries, when);
    return new RegExp(pattern).test(contextValue) ? [command] : [];
  });
}

describe('the menu of a saved query', () => {
  const on: Alert = { kind: 'late', id: 'a', on: true };
  const { addAlert, editAlerts, snoozeAlerts } = commands;

  it('has Edit and Snooze Alerts only where the query has alerts', () => {
    for (const keepFresh of [true, false])
      for (const alerts of [undefined, []])
        assert.deepEqual(offered(aQuery('a', { keepFresh, ...(alerts && { alerts }) })), [addAlert]);
    assert.deepEqual(offered(aQuery('a', { keepFresh: true, alerts: [on] })), [addAlert, editAlerts, snoozeAlerts]);
  });

  it('has no Snooze Alerts where none notifies', () => {
    const off = { ...on, on: false };
    assert.deepEqual(offered(aQuery('a', { keepFresh: true, alerts: [off] })), [addAlert, editAlerts]);
    assert.deepEqual(offered(aQuery('a', { alerts: [on] })), [addAlert, editAlerts]);
  });
});
