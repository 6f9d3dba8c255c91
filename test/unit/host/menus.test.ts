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
const placeMarks = ['', '.first', '.last', '.first.last'];
const queryMarks = [
  '',
  '.open',
  '.open.fresh',
  '.open.fresh.alerts',
  '.open.fresh.alerts.live',
  '.alerts',
  '.fresh.alerts.live',
];

/** The lines of each view, as the code marks them. */
const lines: Readonly<Record<string, readonly string[]>> = {
  [views.connections]: ['sandbox', 'powerSignals', 'other'].flatMap(service =>
    ['', '.active', '.dashboard', '.active.dashboard'].map(marks => `connection.${service}${marks}`),
  ),
  [views.savedQueries]: [
    ...['savedFolder', 'savedFolder.empty', ...queryMarks.map(marks => `savedQuery${marks}`)].flatMap(item =>
      placeMarks.map(marks => item + marks),
    ),
    ...['savedStore.personal', 'savedStore.workspace'].flatMap(place => [place, `${place}.empty`]),
  ],
  [views.recent]: ['recentRun'],
};

/** The entries of a menu that are not buttons. */
function shown(menu: string, context: WhenContext): readonly Entry[] {
  return (contributes.menus[menu] ?? []).filter(
    ({ when, group = '' }) => !/^(inline|navigation)(@|$)/.test(group) && evaluateWhenClause(when, context),
  );
}

/** Returns the commands in the context menu of a node, including submenus. VS Code hides an empty submenu. */
function chosen(context: WhenContext, menu = 'view/item/context'): string[] {
  return shown(menu, context).flatMap(({ command, submenu = '' }) => command ?? chosen(context, submenu));
}

function lineContexts(): WhenContext[] {
  return Object.entries(lines).flatMap(([view, items]) =>
    items.flatMap(viewItem => [true, false].map(listMultiSelection => ({ view, viewItem, listMultiSelection }))),
  );
}

const nameOf = (context: WhenContext): string => JSON.stringify(context);
const saved = (viewItem: string): WhenContext => ({ view: views.savedQueries, viewItem });

describe('the menus of package.json', () => {
  it('have at most twelve entries for each line of a view, submenus too, and none that is empty', () => {
    for (const context of lineContexts()) {
      const entries = shown('view/item/context', context);
      assert.ok(entries.length <= maxEntries, `${entries.length} entries for ${nameOf(context)}`);
      for (const { submenu } of entries) {
        if (submenu === undefined) continue;
        const { length } = shown(submenu, context);
        assert.ok(length > 0 && length <= maxEntries, `${submenu} for ${nameOf(context)}`);
      }
    }
  });

  for (const menu of ['view/title', 'editor/title'])
    it(`have at most twelve entries in each state, ${menu}`, () => {
      const entries = contributes.menus[menu] ?? [];
      const flags = listContextKeys(entries.map(({ when }) => when)).filter(key => key !== 'view');
      for (const view of Object.values(views))
        for (let bits = 0; bits < 2 ** flags.length; bits++) {
          const states = Object.fromEntries(flags.map((flag, at) => [flag, (bits & (2 ** at)) !== 0]));
          assert.ok(shown(menu, { ...states, view }).length <= maxEntries, nameOf({ ...states, view }));
        }
    });

  it('have no command twice in the menu of a line', () => {
    for (const context of lineContexts()) {
      const all = chosen(context);
      assert.equal(new Set(all).size, all.length, nameOf(context));
    }
  });

  it('offer nothing to run or export where there is no query', () => {
    const ofQueries = [commands.runSavedQuery, commands.openBoard, commands.exportSavedData, commands.exportReport];
    for (const place of ['savedFolder', 'savedStore.personal', 'savedStore.workspace']) {
      const empty = chosen(saved(`${place}.empty`));
      assert.deepEqual(
        ofQueries.filter(command => empty.includes(command)),
        [],
        place,
      );
      assert.ok(empty.includes(commands.newSavedQuery), place);
      const filled = chosen(saved(place));
      for (const command of [commands.runSavedQuery, commands.exportReport]) assert.ok(filled.includes(command), place);
    }
    assert.ok(chosen(saved('savedFolder.last')).includes(commands.openBoard));
  });

  it('offer an hourly refresh and alerts only where the query will have new hours', () => {
    const { keepFresh, stopKeepingFresh, moveRefresh, addAlert, editAlerts, snoozeAlerts } = commands;
    const all: readonly string[] = [keepFresh, moveRefresh, addAlert, editAlerts, snoozeAlerts, stopKeepingFresh];
    const offered = (marks: string): string[] =>
      chosen(saved(`savedQuery${marks}`)).filter(command => all.includes(command));
    assert.deepEqual(offered(''), []);
    assert.deepEqual(offered('.open'), [keepFresh, addAlert]);
    assert.deepEqual(offered('.open.fresh'), [moveRefresh, addAlert, stopKeepingFresh]);
    assert.deepEqual(offered('.fresh.alerts'), [moveRefresh, editAlerts, stopKeepingFresh]);
    assert.deepEqual(offered('.open.fresh.alerts.live'), [
      moveRefresh,
      addAlert,
      editAlerts,
      snoozeAlerts,
      stopKeepingFresh,
    ]);
  });

  it('move up what is not the first, and down what is not the last', () => {
    const { moveSavedItem, moveSavedItemUp, moveSavedItemDown } = commands;
    const moves: readonly string[] = [moveSavedItem, moveSavedItemUp, moveSavedItemDown];
    const offered = (viewItem: string): string[] => chosen(saved(viewItem)).filter(command => moves.includes(command));
    assert.deepEqual(offered('savedQuery.open'), moves);
    assert.deepEqual(offered('savedFolder.empty.first'), [moveSavedItem, moveSavedItemDown]);
    assert.deepEqual(offered('savedQuery.open.last'), [moveSavedItem, moveSavedItemUp]);
    assert.deepEqual(offered('savedFolder.first.last'), [moveSavedItem]);
  });

  it('offer several lines only what acts on all of them', () => {
    const several = { ...saved('savedQuery.open.fresh.alerts.live'), listMultiSelection: true };
    const { runSavedQuery, exportSavedData, exportReport, duplicateSavedItem, moveSavedItem, deleteSavedItem } =
      commands;
    assert.deepEqual(
      new Set(chosen(several)),
      new Set([runSavedQuery, exportSavedData, exportReport, duplicateSavedItem, moveSavedItem, deleteSavedItem]),
    );
  });

  it('offer a dashboard only where the connection has one, and to make active what is not', () => {
    const { openDashboard, switchConnection } = commands;
    const offered = (marks: string, command: string): boolean =>
      chosen({ view: views.connections, viewItem: `connection.${marks}` }).includes(command);
    for (const marks of ['sandbox.dashboard', 'powerSignals.active.dashboard', 'other.dashboard'])
      assert.equal(offered(marks, openDashboard), true, marks);
    assert.equal(offered('other.active', openDashboard), false);
    assert.equal(offered('other', switchConnection), true);
    assert.equal(offered('powerSignals.active.dashboard', switchConnection), false);
  });

  it('do not name what the line is', () => {
    const ofLines = new Set(lineContexts().flatMap(context => chosen(context)));
    for (const { command, title } of contributes.commands)
      if (ofLines.has(command))
        assert.doesNotMatch(strings[title.slice(1, -1)] ?? '', /Saved|Item|Recent|Connection/, command);
  });
});
