import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createSerializedView } from '../../shared/view.ts';
import type { Clock, KeyValueStore } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { LastQuery } from '../query/lastQuery.ts';
import { addItems, changeNote, changeQuery, duplicateItems, renameItem } from '../../core/savedQueries/edit.ts';
import type { SavedItem } from '../../core/savedQueries/savedItem.ts';
import { promptQuery, createRequestEstimator } from '../query/queryPrompt.ts';
import { commands, contextKeys } from '../ids.ts';
import type { ReportExport, ReportSource } from '../report/reportExport.ts';
import { setContext } from '../workbench.ts';
import { displayZone, getQueryZone } from '../settings.ts';
import { entryId } from './queryStore.ts';
import type { Deletions } from './deletions.ts';
import { deleteItems, moveTo, type StorePosition } from './savedEdits.ts';
import { exportSavedData } from './exportSavedData.ts';
import { groupByStore, type QueryStores } from './queryStores.ts';
import type { SavedRunner } from './savedRunner.ts';
import type { SavedQueriesView } from './savedQueriesView.ts';
import { pickDestination, promptNote, promptSaved, promptSavedName, type SavedDraft } from './savedPrompts.ts';
import { formatQueryCount } from './savedMessages.ts';
import { getReportHead, TreeSelection } from './treeSelection.ts';

/** The dependencies of the commands on saved queries. */
export interface SavedCommandDeps {
  readonly boundary: ErrorBoundary;
  readonly stores: QueryStores;
  readonly view: SavedQueriesView;
  readonly runner: SavedRunner;
  readonly sessions: QuerySessions;
  readonly connections: Connections;
  readonly choices: ConnectionChoices;
  readonly last: Pick<LastQuery, 'get'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly sourceAt: ConnectionEndpoints['getSource'];
  readonly pricing: Pick<RequestPricing, 'computeTotalPrice'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly reports: ReportExport;
  /** Returns the active panel, of a query or of a data file. */
  readonly activePanel: () => ReportSource | undefined;
  readonly newId: () => string;
  readonly deletions: Deletions;
  /** Stores the language that was copied last. */
  readonly state: KeyValueStore;
}

/** The dependencies of the commands, and the items of the tree that they act on. */
export interface SavedCommandContext extends SavedCommandDeps {
  readonly targets: TreeSelection;
}

/** Registers the commands on saved queries and folders, for the view, its keybindings and the Command Palette. */
export function registerSavedCommands(commandDeps: SavedCommandDeps): vscode.Disposable {
  const { boundary, deletions } = commandDeps;
  const deps = { ...commandDeps, targets: new TreeSelection(commandDeps) };
  return vscode.Disposable.from(
    boundary.register(commands.newSavedQuery, async argument => createSavedQuery(argument, deps)),
    boundary.register(commands.newSavedFolder, async argument => createSavedFolder(argument, deps)),
    boundary.register(commands.editSavedQuery, async argument => editSavedQuery(argument, deps)),
    boundary.register(commands.renameSavedItem, async argument => renameSavedItem(argument, deps)),
    boundary.register(commands.editSavedNote, async argument => editNote(argument, deps)),
    boundary.register(commands.duplicateSavedItem, async (...args) => duplicateSavedItems(...args, deps)),
    boundary.register(commands.openSavedQuery, async argument => openSavedQuery(argument, deps)),
    boundary.register(commands.runSavedQuery, async (...args) => runSavedQueries(...args, deps)),
    boundary.register(commands.runSavedQueryWithRange, async argument => runWithRange(argument, deps)),
    boundary.register(commands.exportSavedData, async (...args) => exportData(...args, deps)),
    boundary.register(commands.exportReport, async (...args) => exportReport(...args, deps)),
    boundary.register(commands.deleteSavedItem, async (...args) => deleteSavedItems(...args, deps)),
    boundary.register(commands.undoDelete, async index => deletions.undo(index)),
    boundary.register(commands.moveSavedItem, async (...args) => moveSavedItems(...args, deps)),
    boundary.register(commands.moveSavedItemUp, async argument => moveSavedItemBy(argument, -1, deps)),
    boundary.register(commands.moveSavedItemDown, async argument => moveSavedItemBy(argument, 1, deps)),
  );
}

async function createSavedQuery(argument: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, stores, newId } = deps;
  const connection = deps.connections.active();
  const draft = await promptSaved({
    now: deps.nowAt(connection ?? { baseUrl: '' }),
    zone: displayZone(),
    connections: deps.connections,
    title: t('New Saved Query'),
    before: undefined,
    last: deps.last.get(),
  });
  const destination =
    draft &&
    ((await targets.resolvePosition(argument)) ?? (await pickDestination(stores.list(), t('Select where to save'))));
  if (!draft || !destination) return;
  await addItem(createQueryItem(draft, newId()), destination, deps.view);
  void setContext(contextKeys.hasSavedResult, true);
}

async function createSavedFolder(argument: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, stores, newId } = deps;
  const destination =
    (await targets.resolvePosition(argument)) ??
    (await pickDestination(stores.list(), t('Select a location for the folder')));
  const name = destination && (await promptSavedName(t('New Folder'), ''));
  if (destination && name !== undefined)
    await addItem({ kind: 'folder', id: newId(), name, items: [] }, destination, deps.view);
}

async function addItem(
  item: SavedItem,
  { store, ...position }: StorePosition,
  view: Pick<SavedQueriesView, 'show'>,
): Promise<void> {
  await store.edit(tree => addItems(tree, [item], position));
  view.show(store, item.id);
}

function createQueryItem({ name, query, connection }: SavedDraft, id: string): SavedItem {
  return { kind: 'query', id, name, query, ...(connection !== undefined && { connection }) };
}

async function editSavedQuery(argument: unknown, deps: SavedCommandContext): Promise<void> {
  const entry = await deps.targets.resolveQuery(argument, t('Select a query to edit'));
  if (!entry) return;
  const { store, item } = entry;
  const connection = deps.choices.getConnection({ id: entryId(entry), query: item });
  const draft = await promptSaved({
    now: deps.nowAt(connection ?? { baseUrl: '' }),
    zone: getQueryZone(item.query),
    connections: deps.connections,
    title: t('Edit {0}', item.name),
    before: item,
    last: undefined,
  });
  if (!draft) return;
  const { name, query } = draft;
  // All other fields of the query stay as they are.
  await store.edit(tree =>
    renameItem(changeQuery(tree, item.id, { query, connection: draft.connection }), item.id, name),
  );
}

async function renameSavedItem(argument: unknown, deps: SavedCommandContext): Promise<void> {
  const entry = await deps.targets.resolveItem(argument, t('Select an item to rename'));
  const name = entry && (await promptSavedName(t('Rename {0}', entry.item.name), entry.item.name));
  if (name !== undefined) await entry?.store.edit(tree => renameItem(tree, entry.item.id, name));
}

async function editNote(argument: unknown, deps: SavedCommandContext): Promise<void> {
  const entry = await deps.targets.resolveItem(argument, t('Select an item to describe'));
  if (!entry) return;
  const { name, note = '' } = entry.item;
  const newNote = await promptNote(t('Note of {0}', name), note);
  if (newNote !== undefined) await entry.store.edit(tree => changeNote(tree, entry.item.id, newNote));
}

async function duplicateSavedItems(argument: unknown, selection: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, newId } = deps;
  const entries = await targets.resolveItems(argument, selection, t('Select items to duplicate'));
  const copyName = (name: string, number: number): string =>
    number === 1 ? t('{0} copy', name) : t('{0} copy {1}', name, number);
  for (const [store, ids] of groupByStore(entries))
    await store.edit(tree => duplicateItems(tree, ids, newId, copyName));
}

async function runSavedQueries(argument: unknown, selection: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, runner } = deps;
  const entries = await targets.resolveQueries(argument, selection);
  await runner.run(entries.map(entry => ({ ...entry.item, saved: entryId(entry) })));
}

/** Reveals the query's panel, or opens one with archived rows. Nothing is requested until the user runs it. */
async function openSavedQuery(argument: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, runner, sessions } = deps;
  const entry = await targets.resolveQuery(argument, t('Select a query to open'));
  if (!entry) return;
  const savedId = entryId(entry);
  if (sessions.revealSaved(savedId)) return;
  const { item } = entry;
  const connection = await runner.connectionFor({ ...item, saved: savedId });
  const view = createSerializedView(item);
  await sessions.run(item.query, connection, { refresh: 'never', savedId, view, preserveFocus: true });
}

async function exportData(argument: unknown, selection: unknown, deps: SavedCommandContext): Promise<void> {
  const entries = await deps.targets.resolveQueries(argument, selection);
  await exportSavedData(
    entries.map(entry => ({ ...entry.item, saved: entryId(entry) })),
    deps,
  );
}

/** Exports a report of the selected nodes; without them, of the active panel or of queries that the user picks. */
async function exportReport(argument: unknown, selection: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, runner, reports } = deps;
  const active = argument === undefined ? deps.activePanel() : undefined;
  if (active) return reports.exportPanel(active);
  const entries = await targets.resolveQueries(argument, selection);
  const queries = entries.map(entry => ({ ...entry.item, saved: entryId(entry) }));
  const isSingle = !Array.isArray(selection) || selection.length < 2;
  const [singleQuery] = queries.length === 1 ? queries : [];
  const head = isSingle ? getReportHead(argument) : singleQuery && { title: singleQuery.name };
  const names = queries.map(query => query.name);
  await reports.exportSaved({ title: formatQueryCount(queries.length), ...head, names }, async () =>
    runner.run(queries),
  );
}

async function runWithRange(argument: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, runner, sessions } = deps;
  const entry = await targets.resolveQuery(argument, t('Select a query to run with another range'));
  if (!entry) return;
  const { query } = entry.item;
  const view = createSerializedView(entry.item);
  const connection = await runner.connectionFor({ ...entry.item, saved: entryId(entry) });
  const changed = await promptQuery({
    now: deps.nowAt(connection),
    zone: getQueryZone(query),
    last: query,
    connection: connection.name,
    title: t('Run {0} With Another Range', entry.item.name),
    dataset: query.dataset,
    rangeOnly: true,
    estimateRequests: createRequestEstimator(deps.pricing, connection),
  });
  if (changed) await sessions.run(changed, connection, { view });
}

async function moveSavedItems(argument: unknown, selection: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, stores, deletions, newId } = deps;
  const entries = await targets.resolveItems(argument, selection, t('Select items to move'));
  const [first] = entries;
  if (!first) return;
  const placeholder =
    entries.length > 1
      ? t('Select a destination for {0} items', entries.length)
      : t("Select a destination for '{0}'", first.item.name);
  const destination = await pickDestination(stores.list(), placeholder);
  if (destination) await deletions.move(entries, destination, newId);
}

async function moveSavedItemBy(argument: unknown, offset: -1 | 1, deps: SavedCommandContext): Promise<void> {
  const { targets, stores, newId } = deps;
  const entry = await targets.resolveItem(
    argument,
    offset < 0 ? t('Select an item to move up') : t('Select an item to move down'),
  );
  const found = entry && stores.find(entryId(entry));
  if (!found) return;
  const index = found.siblings.findIndex(({ id }) => id === found.item.id);
  if (index + offset < 0 || index + offset >= found.siblings.length) return;
  const nextSiblingId = found.siblings[offset < 0 ? index - 1 : index + 2]?.id;
  await moveTo([found], { store: found.store, folder: found.folder, before: nextSiblingId }, newId);
}

/** Deletes without a confirmation, since it can be undone. */
async function deleteSavedItems(argument: unknown, selection: unknown, deps: SavedCommandContext): Promise<void> {
  const { targets, deletions } = deps;
  const entries = await targets.resolveItems(argument, selection, t('Select items to delete'));
  const [first] = entries;
  if (!first) return;
  const message = entries.length === 1 ? t("Deleted '{0}'.", first.item.name) : t('Deleted {0} items.', entries.length);
  await deletions.add({ message, undo: await deleteItems(entries) });
}
