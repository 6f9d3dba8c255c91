import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createBoard } from '../../core/savedQueries/board.ts';
import { addItems, changeBoard } from '../../core/savedQueries/edit.ts';
import type { SavedFolder, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { demandField } from '../../shared/fields.ts';
import type { SerializedDisplay, SerializedView } from '../../shared/view.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { runStep, pick } from '../messages/prompts.ts';
import { entryId } from './queryStore.ts';
import { listQueries } from './queryStores.ts';
import type { SavedCommandDeps } from './savedCommands.ts';
import { pickDestination } from './savedPrompts.ts';
import { TreeSelection } from './treeSelection.ts';
import { displayZone } from '../settings.ts';

/** Registers the commands for boards. A board shows the queries of a folder side by side in the editor area. */
export function registerBoardCommands(deps: SavedCommandDeps): vscode.Disposable {
  const { boundary, sessions } = deps;
  return vscode.Disposable.from(
    boundary.register(commands.openBoard, async argument => openBoard(argument, deps)),
    boundary.register(commands.saveBoardLayout, async () => saveBoardLayout(deps)),
    boundary.register(commands.linkBoard, async () => sessions.setBoardLinked(true)),
    boundary.register(commands.unlinkBoard, async () => sessions.setBoardLinked(false)),
    boundary.register(commands.addBoard, async argument => addBoard(argument, deps)),
  );
}

async function openBoard(argument: unknown, deps: SavedCommandDeps): Promise<void> {
  const folder = await new TreeSelection(deps).resolveFolder(argument, t('Select a folder to open as a board'));
  if (folder) await deps.runner.openBoard(folder);
}

/** Saves the layout only on command, so that dragging a sash does not change a file that others share. */
async function saveBoardLayout(deps: SavedCommandDeps): Promise<void> {
  const { sessions, stores } = deps;
  const { board } = sessions.requireActive();
  const entry = board && stores.find(board.id);
  if (entry?.item.kind !== 'folder') throw new UnavailableError(t('The folder of this board no longer exists.'));
  const { store, item } = entry;
  const columnsById = new Map(
    sessions.listBoardSessions(board?.id ?? '').map(({ savedId, panel }) => [savedId, panel.column]),
  );
  const columns = listQueries(item).flatMap(query => {
    const column = columnsById.get(entryId({ store, item: query }));
    return column === undefined ? [] : [[query.id, column] as const];
  });
  const layout = createBoard(await vscode.commands.executeCommand('vscode.getEditorLayout'), new Map(columns));
  if (!layout) throw new UnavailableError(t('No queries of this board are open in the editor area.'));
  await store.edit(tree => changeBoard(tree, item.id, layout));
  void showInformationMessage(t("Saved the layout of '{0}'.", item.name));
}

async function addBoard(argument: unknown, deps: SavedCommandDeps): Promise<void> {
  const { stores, view, runner, newId } = deps;
  const nodePosition = await new TreeSelection(deps).resolvePosition(argument);
  const template = await runStep(t('Add Board'), async step =>
    pick(step, { placeholder: t('Select a board template'), items: () => createBoardTemplates() }),
  );
  const destination =
    template && (nodePosition ?? (await pickDestination(stores.list(), t('Select a location for the folder'))));
  if (!destination) return;
  const { store, ...position } = destination;
  const item = template.createFolder(newId);
  await store.edit(tree => addItems(tree, [item], position));
  view.show(store, item.id);
  // With 0, the price is always confirmed before anything is requested.
  await runner.openBoard({ store, item }, 0);
}

/** Returns the board templates. They are hourly, with relative ranges. */
function createBoardTemplates() {
  return [
    {
      label: t('Morning'),
      description: t('control room overview: the last 48 hours'),
      createFolder: createMorningBoard,
    },
    {
      label: t('Monday'),
      description: t('the note on last week: energies and their changes'),
      createFolder: createMondayBoard,
    },
  ];
}

function createMorningBoard(newId: () => string): SavedFolder {
  const query = createQueryFactory(newId);
  return {
    kind: 'folder',
    id: newId(),
    name: t('Morning'),
    items: [
      query(t('Mix'), 'systemState', 'last 48 hours', { display: createChartDisplay('mix') }),
      query(t('Forecast Error'), 'systemState', 'last 7 days', { display: createChartDisplay('error') }),
      query(t('Stress'), 'gridStress', 'last 48 hours', { display: createChartDisplay('stress') }),
      query(t('Month'), 'systemState', 'month to date', {
        display: createChartDisplay('heatmap', { 'heatmap.column': demandField }),
      }),
      query(t('Events'), 'systemState', 'yesterday..', { display: { tab: 'events' } }),
    ],
  };
}

/** Creates the Monday board. All queries but the stress share the same two weeks, which may need only one request. */
function createMondayBoard(newId: () => string): SavedFolder {
  const query = createQueryFactory(newId);
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
        display: createChartDisplay('mix'),
      }),
      query(t('Forecast'), 'systemState', 'last week', {
        display: { tab: 'forecast', forecast: { by: 'hourOfDay' } },
      }),
      query(t('Events'), 'systemState', 'last week', { display: { tab: 'events' } }),
      query(t('Unusual'), 'systemState', 'last week', {
        analysis: { find: { rule: { kind: 'unusual', by: 'row' }, column: demandField } },
      }),
      query(t('Stress'), 'gridStress', 'last week', { display: createChartDisplay('stress') }),
    ],
  };
}

function createQueryFactory(newId: () => string) {
  return (name: string, dataset: string, range: string, view: SerializedView): SavedQuery => {
    const query = { dataset, range, interval: '1h', params: {}, timeZone: displayZone().timeZone };
    return { kind: 'query', id: newId(), name, query, ...view };
  };
}

function createChartDisplay(mode: string, picked?: Readonly<Record<string, string>>): SerializedDisplay {
  return { tab: 'chart', chart: { mode, ...(picked && { picked }) } };
}
