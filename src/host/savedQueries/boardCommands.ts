import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { boardOf } from '../../core/savedQueries/board.ts';
import { addItems, changeBoard } from '../../core/savedQueries/edit.ts';
import type { SavedFolder, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { demandField } from '../../shared/fields.ts';
import type { SavedDisplay, SavedView } from '../../shared/savedView.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { askAlone, pick } from '../messages/prompts.ts';
import { entryId } from './queryStore.ts';
import { queriesIn } from './queryStores.ts';
import type { SavedCommandDeps } from './savedCommands.ts';
import { pickPlace } from './savedPrompts.ts';
import { TreeSelection } from './treeSelection.ts';
import { displayZone } from '../settings.ts';

/** Registers the commands for boards. A board shows the queries of a folder side by side in the editor area. */
export function registerBoardCommands(deps: SavedCommandDeps): vscode.Disposable {
  const { boundary, stores, view, sessions, runner, newId } = deps;
  const targets = new TreeSelection(deps);

  async function open(argument: unknown): Promise<void> {
    const folder = await targets.folder(argument, t('Select a folder to open as a board'));
    if (folder) await runner.openBoard(folder);
  }

  /** Saves the layout only on command, so that dragging a sash does not change a file that others share. */
  async function save(): Promise<void> {
    const { board } = sessions.activeOne();
    const found = board && stores.find(board.id);
    if (found?.item.kind !== 'folder') throw new UnavailableError(t('The folder of this board no longer exists.'));
    const { store, item } = found;
    const open = new Map(sessions.inBoard(board?.id ?? '').map(({ savedId, panel }) => [savedId, panel.column]));
    const columns = queriesIn(item).flatMap(query => {
      const column = open.get(entryId({ store, item: query }));
      return column === undefined ? [] : [[query.id, column] as const];
    });
    const saved = boardOf(await vscode.commands.executeCommand('vscode.getEditorLayout'), new Map(columns));
    if (!saved) throw new UnavailableError(t('This board has none of its queries in the editor area.'));
    await store.edit(tree => changeBoard(tree, item.id, saved));
    void showInformationMessage(t("Saved the layout of '{0}'.", item.name));
  }

  async function add(argument: unknown): Promise<void> {
    const place = await targets.placeOf(argument);
    const chosen = await askAlone(t('Add Board'), async step =>
      pick(step, { placeholder: t('Select what the board is for'), items: () => templates() }),
    );
    const to = chosen && (place ?? (await pickPlace(stores.list(), t('Select a location for the folder'))));
    if (!to) return;
    const { store, ...position } = to;
    const item = chosen.folder(newId);
    await store.edit(tree => addItems(tree, [item], position));
    view.show(store, item.id);
    // With 0, the price is always confirmed before anything is requested.
    await runner.openBoard({ store, item }, 0);
  }

  return vscode.Disposable.from(
    boundary.register(commands.openBoard, open),
    boundary.register(commands.saveBoardLayout, save),
    boundary.register(commands.linkBoard, async () => sessions.linkBoard(true)),
    boundary.register(commands.unlinkBoard, async () => sessions.linkBoard(false)),
    boundary.register(commands.addBoard, add),
  );
}

/** Returns the board templates. They are hourly, with relative ranges. */
function templates() {
  return [
    { label: t('Morning'), description: t('what a control room looks at first: the last 48 hours'), folder: morning },
    { label: t('Monday'), description: t('the note on last week: energies and their changes'), folder: monday },
  ];
}

function morning(newId: () => string): SavedFolder {
  const query = queriesWith(newId);
  return {
    kind: 'folder',
    id: newId(),
    name: t('Morning'),
    items: [
      query(t('Mix'), 'systemState', 'last 48 hours', { display: chart('mix') }),
      query(t('Forecast Error'), 'systemState', 'last 7 days', { display: chart('error') }),
      query(t('Stress'), 'gridStress', 'last 48 hours', { display: chart('stress') }),
      query(t('Month'), 'systemState', 'month to date', {
        display: chart('heatmap', { 'heatmap.column': demandField }),
      }),
      query(t('Events'), 'systemState', 'yesterday..', { display: { tab: 'events' } }),
    ],
  };
}

/** Creates the Monday board. All queries but the stress share the same two weeks, which may need only one request. */
function monday(newId: () => string): SavedFolder {
  const query = queriesWith(newId);
  const compare = { kind: 'previousPeriod', align: 'position' } as const;
  return {
    kind: 'folder',
    id: newId(),
    name: t('Monday'),
    items: [
      query(t('Summary'), 'systemState', 'last week', { analysis: { compare }, display: { tab: 'statistics' } }),
      query(t('Days'), 'systemState', 'last week', { analysis: { resample: 'day', figures: 'energy' } }),
      query(t('Mix'), 'systemState', 'last week', {
        analysis: { resample: 'day', figures: 'energy' },
        display: chart('mix'),
      }),
      query(t('Forecast'), 'systemState', 'last week', {
        display: { tab: 'forecast', forecast: { by: 'hourOfDay' } },
      }),
      query(t('Events'), 'systemState', 'last week', { display: { tab: 'events' } }),
      query(t('Unusual'), 'systemState', 'last week', {
        analysis: { find: { rule: { kind: 'unusual', by: 'row' }, column: demandField } },
      }),
      query(t('Stress'), 'gridStress', 'last week', { display: chart('stress') }),
    ],
  };
}

function queriesWith(newId: () => string) {
  return (name: string, dataset: string, range: string, view: SavedView): SavedQuery => {
    const query = { dataset, range, interval: '1h', params: {}, timeZone: displayZone().timeZone };
    return { kind: 'query', id: newId(), name, query, ...view };
  };
}

function chart(mode: string, picked?: Readonly<Record<string, string>>): SavedDisplay {
  return { tab: 'chart', chart: { mode, ...(picked && { picked }) } };
}
