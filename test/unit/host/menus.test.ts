import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commands, views } from '../../../src/host/ids.ts';
import { evaluateWhenClause, listContextKeys, type WhenContext } from '../../support/whenClause.ts';

interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Contributes {
  readonly commands: readonly { readonly command: string; readonly title: string }[];
  readonly menus: Readonly<Record<string, readonly Entry[]>>;
}

const root = dirname(dirname(dirname(import.meta.dirname)));
const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { contributes: Contributes };
const strings = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

const maxEntries = 12;
const positionSuffixes = ['', '.first', '.last', '.first.last'];
const querySuffixes = [
  '',
  '.open',
  '.open.fresh',
  '.open.fresh.alerts',
  '.open.fresh.alerts.live',
  '.alerts',
  '.fresh.alerts.live',
];

/** The context values of the tree items of each view. */
const viewItems: Readonly<Record<string, readonly string[]>> = {
  [views.connections]: ['sandbox', 'powerSignals', 'other'].flatMap(service =>
    ['', '.active', '.dashboard', '.active.dashboard'].map(suffix => `connection.${service}${suffix}`),
  ),
  [views.savedQueries]: [
    ...['savedFolder', 'savedFolder.empty', ...querySuffixes.map(suffix => `savedQuery${suffix}`)].flatMap(item =>
      positionSuffixes.map(suffix => item + suffix),
    ),
    ...['savedStore.personal', 'savedStore.workspace'].flatMap(nodeKind => [nodeKind, `${nodeKind}.empty`]),
  ],
  [views.recent]: ['recentRun'],
};

/** Returns the visible entries of a menu, except buttons. */
function listEntries(menu: string, context: WhenContext): readonly Entry[] {
  return (contributes.menus[menu] ?? []).filter(
    ({ when, group = '' }) => !/^(inline|navigation)(@|$)/.test(group) && evaluateWhenClause(when, context),
  );
}

/** Returns the commands in the context menu of a tree item and in its submenus. */
function listCommands(context: WhenContext, menu = 'view/item/context'): string[] {
  return listEntries(menu, context).flatMap(({ command, submenu = '' }) => command ?? listCommands(context, submenu));
}

function createContexts(): WhenContext[] {
  return Object.entries(viewItems).flatMap(([view, items]) =>
    items.flatMap(viewItem => [true, false].map(listMultiSelection => ({ view, viewItem, listMultiSelection }))),
  );
}

const formatContext = (context: WhenContext): string => JSON.stringify(context);
const savedItem = (viewItem: string): WhenContext => ({ view: views.savedQueries, viewItem });

describe('the menus of package.json', () => {
  it('has at most twelve entries in each context menu and submenu of a tree item, and no empty submenu', () => {
    for (const context of createContexts()) {
      const entries = listEntries('view/item/context', context);
      assert.ok(entries.length <= maxEntries, `${entries.length} entries for ${formatContext(context)}`);
      for (const { submenu } of entries) {
        if (submenu === undefined) continue;
        const { length } = listEntries(submenu, context);
        assert.ok(length > 0 && length <= maxEntries, `${submenu} for ${formatContext(context)}`);
      }
    }
  });

  for (const menu of ['view/title', 'editor/title'])
    it(`has at most twelve visible entries in the menu ${menu}, for any combination of context keys`, () => {
      const entries = contributes.menus[menu] ?? [];
      const flags = listContextKeys(entries.map(({ when }) => when)).filter(key => key !== 'view');
      for (const view of Object.values(views))
        for (let bits = 0; bits < 2 ** flags.length; bits++) {
          const states = Object.fromEntries(flags.map((flag, index) => [flag, (bits & (2 ** index)) !== 0]));
          assert.ok(listEntries(menu, { ...states, view }).length <= maxEntries, formatContext({ ...states, view }));
        }
    });

  it('has each command only once in the context menu of a tree item', () => {
    for (const context of createContexts()) {
      const commandIds = listCommands(context);
      assert.equal(new Set(commandIds).size, commandIds.length, formatContext(context));
    }
  });

  it('does not offer to run or export an empty folder or store', () => {
    const queryCommands = [commands.runSavedQuery, commands.openBoard, commands.exportSavedData, commands.exportReport];
    for (const nodeKind of ['savedFolder', 'savedStore.personal', 'savedStore.workspace']) {
      const empty = listCommands(savedItem(`${nodeKind}.empty`));
      assert.deepEqual(
        queryCommands.filter(command => empty.includes(command)),
        [],
        nodeKind,
      );
      assert.ok(empty.includes(commands.newSavedQuery), nodeKind);
      const filled = listCommands(savedItem(nodeKind));
      for (const command of [commands.runSavedQuery, commands.exportReport])
        assert.ok(filled.includes(command), nodeKind);
    }
    assert.ok(listCommands(savedItem('savedFolder.last')).includes(commands.openBoard));
  });

  it('offers to enable hourly refresh and to add alerts only for queries with an open-ended range', () => {
    const { keepFresh, stopKeepingFresh, moveRefresh, addAlert, editAlerts, snoozeAlerts } = commands;
    const watchCommands: readonly string[] = [
      keepFresh,
      moveRefresh,
      addAlert,
      editAlerts,
      snoozeAlerts,
      stopKeepingFresh,
    ];
    const listWatchCommands = (suffix: string): string[] =>
      listCommands(savedItem(`savedQuery${suffix}`)).filter(command => watchCommands.includes(command));
    assert.deepEqual(listWatchCommands(''), []);
    assert.deepEqual(listWatchCommands('.open'), [keepFresh, addAlert]);
    assert.deepEqual(listWatchCommands('.open.fresh'), [moveRefresh, addAlert, stopKeepingFresh]);
    assert.deepEqual(listWatchCommands('.fresh.alerts'), [moveRefresh, editAlerts, stopKeepingFresh]);
    assert.deepEqual(listWatchCommands('.open.fresh.alerts.live'), [
      moveRefresh,
      addAlert,
      editAlerts,
      snoozeAlerts,
      stopKeepingFresh,
    ]);
  });

  it('does not offer Move Up for the first item, or Move Down for the last item', () => {
    const { moveSavedItem, moveSavedItemUp, moveSavedItemDown } = commands;
    const moves: readonly string[] = [moveSavedItem, moveSavedItemUp, moveSavedItemDown];
    const listMoveCommands = (viewItem: string): string[] =>
      listCommands(savedItem(viewItem)).filter(command => moves.includes(command));
    assert.deepEqual(listMoveCommands('savedQuery.open'), moves);
    assert.deepEqual(listMoveCommands('savedFolder.empty.first'), [moveSavedItem, moveSavedItemDown]);
    assert.deepEqual(listMoveCommands('savedQuery.open.last'), [moveSavedItem, moveSavedItemUp]);
    assert.deepEqual(listMoveCommands('savedFolder.first.last'), [moveSavedItem]);
  });

  it('offers only commands for several items if several items are selected', () => {
    const multiSelection = { ...savedItem('savedQuery.open.fresh.alerts.live'), listMultiSelection: true };
    const { runSavedQuery, exportSavedData, exportReport, duplicateSavedItem, moveSavedItem, deleteSavedItem } =
      commands;
    assert.deepEqual(
      new Set(listCommands(multiSelection)),
      new Set([runSavedQuery, exportSavedData, exportReport, duplicateSavedItem, moveSavedItem, deleteSavedItem]),
    );
  });

  it('offers Open Dashboard only for connections with a dashboard, and Switch only for inactive connections', () => {
    const { openDashboard, switchConnection } = commands;
    const isOffered = (suffix: string, command: string): boolean =>
      listCommands({ view: views.connections, viewItem: `connection.${suffix}` }).includes(command);
    for (const suffix of ['sandbox.dashboard', 'powerSignals.active.dashboard', 'other.dashboard'])
      assert.equal(isOffered(suffix, openDashboard), true, suffix);
    assert.equal(isOffered('other.active', openDashboard), false);
    assert.equal(isOffered('other', switchConnection), true);
    assert.equal(isOffered('powerSignals.active.dashboard', switchConnection), false);
  });

  it('does not repeat the kind of a tree item in the titles of its commands', () => {
    const itemCommands = new Set(createContexts().flatMap(context => listCommands(context)));
    for (const { command, title } of contributes.commands)
      if (itemCommands.has(command))
        assert.doesNotMatch(strings[title.slice(1, -1)] ?? '', /Saved|Item|Recent|Connection/, command);
  });
});
