import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { addItems, changeQuery, formatQueriesFile, importItems } from '../../core/savedQueries/edit.ts';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { parseQueriesFile } from '../../core/savedQueries/file/queriesFile.ts';
import { allQueries } from '../../core/savedQueries/walk.ts';
import { parseCompleteQuery } from '../query/queryArgument.ts';
import { commands, contextKeys } from '../ids.ts';
import { getErrorCode } from '../../service/files/fileSystem.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import { readUri } from '../readUri.ts';
import {
  setStatusBarMessage,
  showInformationMessage,
  showQuickPick,
  showWarningMessage,
} from '../messages/messages.ts';
import { promptSaveLocation, setContext } from '../workbench.ts';
import { entryId, queriesFileName } from './queryStore.ts';
import type { SavedCommandDeps } from './savedCommands.ts';
import { pickDestination, promptSavedName } from './savedPrompts.ts';
import { TreeSelection } from './treeSelection.ts';
import { formatQueryCount, formatQuery } from './savedMessages.ts';
import type { QueryStores } from './queryStores.ts';
import type { WorkspaceQueryStore } from './workspaceQueryStore.ts';

/** Registers the commands that save queries from panels, and that import and export queries as a file. */
export function registerSaveCommands(deps: SavedCommandDeps): vscode.Disposable {
  const { boundary } = deps;
  return vscode.Disposable.from(
    boundary.register(commands.saveQuery, async argument => saveQuery(argument, deps)),
    boundary.register(commands.saveQueryAs, async argument => saveQueryAs(argument, deps)),
    boundary.register(commands.exportQueries, async () => exportQueries(deps)),
    boundary.register(commands.importQueries, async () => importQueries(deps)),
    boundary.register(commands.openWorkspaceQueries, async argument => openWorkspaceQueries(argument, deps)),
  );
}

/** Saves the active panel's query and view to the saved query that the panel belongs to. Without a saved query, works like Save As. */
async function saveQuery(argument: unknown, deps: SavedCommandDeps): Promise<void> {
  const { sessions, stores } = deps;
  const session = sessions.resolveSession(argument);
  await stores.settle();
  const saved = session?.savedId === undefined ? undefined : stores.find(session.savedId);
  if (!session || saved?.item.kind !== 'query') return saveQueryAs(session ?? argument, deps);
  const { store, item } = saved;
  const change = { query: session.query, ...session.serializeView(item.display) };
  await store.edit(tree => changeQuery(tree, item.id, change));
  setStatusBarMessage(t("Saved '{0}'.", item.name), 5_000);
}

/** Saves the query of the argument (as for gridData.runQuery) or of the active panel, which then belongs to the new saved query. */
async function saveQueryAs(argument: unknown, deps: SavedCommandDeps): Promise<void> {
  const { sessions, stores, newId, view: savedQueriesView } = deps;
  const session = sessions.resolveSession(argument);
  const { query, connection } = session
    ? { query: session.query, connection: session.connection.name }
    : parseCompleteQuery(argument);
  await stores.settle();
  const previousItem = session?.savedId === undefined ? undefined : stores.find(session.savedId)?.item;
  const view = session?.serializeView(previousItem?.kind === 'query' ? previousItem.display : undefined);
  const name = await promptSavedName(t('Save Query'), previousItem?.name ?? formatQuery(query));
  if (name === undefined) return;
  const destination = await pickDestination(stores.list(), t("Select where to save '{0}'", name));
  if (!destination) return;
  const { store, ...position } = destination;
  const id = newId();
  const note = previousItem?.note;
  const item = {
    kind: 'query' as const,
    id,
    name,
    query,
    ...(connection && { connection }),
    ...(note && { note }),
    ...view,
  };
  await store.edit(tree => addItems(tree, [item], position));
  session?.setSavedQuery(entryId({ store, item }));
  sessions.updateNames();
  void setContext(contextKeys.hasSavedResult, true);
  setStatusBarMessage(t("Saved '{0}'.", name), 5_000);
  savedQueriesView.show(store, id);
}

async function exportQueries(deps: SavedCommandDeps): Promise<void> {
  const { stores } = deps;
  const target = await promptSaveLocation('grid-queries.json');
  if (!target) return;
  await stores.settle();
  const text = formatQueriesFile(stores.list().map(store => store.tree()));
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  void setContext(contextKeys.hasSavedResult, true);
  void showInformationMessage(
    t('Exported {0} to {1}.', formatQueryCount(stores.queries().length), vscode.workspace.asRelativePath(target)),
  );
}

async function importQueries(deps: SavedCommandDeps): Promise<void> {
  const { stores, newId } = deps;
  const [source] = (await vscode.window.showOpenDialog({ filters: { JSON: ['json'] }, openLabel: t('Import') })) ?? [];
  if (!source) return;
  const name = vscode.workspace.asRelativePath(source);
  const bytes = await readUri(source, fileLimits.characters).catch((error: unknown) => {
    throw getErrorCode(error) === 'EFBIG'
      ? new InputError(t('{0} is larger than 400 kB. Import it in parts.', name))
      : error;
  });
  const { tree, problems } = parseQueriesFile(new TextDecoder().decode(bytes));
  if (tree.length === 0) throw new InputError(t('{0} contains no readable queries.', name));
  await stores.settle();
  const store = (await pickDestination(stores.list(), t('Select where to import')))?.store;
  if (!store) return;
  await store.edit(current => importItems(current, tree, newId));
  const sentence = t('Imported {0} from {1}.', formatQueryCount(allQueries(tree).length), name);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) void showInformationMessage(sentence);
  else void showWarningMessage(`${sentence} ${t('{0} of its entries could not be read.', errors)}`);
}

async function openWorkspaceQueries(argument: unknown, deps: SavedCommandDeps): Promise<void> {
  const { stores } = deps;
  const position = await new TreeSelection(deps).resolvePosition(argument);
  const store =
    stores.folders().find(folderStore => folderStore === position?.store) ?? (await pickWorkspaceStore(stores));
  if (!store) return;
  if (!store.exists) await store.edit(tree => [...tree]);
  await vscode.window.showTextDocument(store.uri);
}

/** Returns the store of the only folder, or of the folder that the user picks. Returns undefined if the user cancels. */
async function pickWorkspaceStore(stores: Pick<QueryStores, 'folders'>): Promise<WorkspaceQueryStore | undefined> {
  const items = stores.folders().map(store => ({
    label: store.name,
    description: store.uri.fsPath,
    store,
    iconPath: new vscode.ThemeIcon(store.exists ? 'json' : 'new-file'),
  }));
  const [firstItem] = items;
  if (!firstItem)
    throw new UnavailableError(
      t('Open a folder first. Workspace queries are stored in {0}.', queriesFileName.join('/')),
    );
  if (items.length === 1) return firstItem.store;
  return (await showQuickPick(items, { placeHolder: t('Select a workspace folder') }))?.store;
}
