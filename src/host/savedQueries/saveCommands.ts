import * as vscode from 'vscode';
import { addItems, exchangeText, importItems } from '../../core/savedQueries/edit.ts';
import { fileLimits } from '../../core/savedQueries/file/fileProblem.ts';
import { parseQueriesFile } from '../../core/savedQueries/file/queriesFile.ts';
import { allQueries } from '../../core/savedQueries/walk.ts';
import { readQueryArgument } from '../query/queryArgument.ts';
import { commands, contextKeys } from '../ids.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import {
  setStatusBarMessage,
  showInformationMessage,
  showQuickPick,
  showWarningMessage,
} from '../messages/messages.ts';
import { setContext } from '../setContext.ts';
import { displayZone } from '../settings.ts';
import { queriesFileName } from './queryStore.ts';
import type { SavedCommandDeps } from './savedCommandDeps.ts';
import { pickPlace, promptSavedName } from './savedPrompts.ts';
import { TreeSelection } from './treeSelection.ts';
import { queryCount, queryText } from './savedMessages.ts';
import type { WorkspaceQueryStore } from './workspaceQueryStore.ts';

/** Save Query… from a panel, and all queries to and from one file. */
export function registerSaveCommands(deps: SavedCommandDeps): vscode.Disposable {
  const { boundary, homes, newId } = deps;
  const { t } = vscode.l10n;

  /** `argument` as of gridData.runQuery; without one, the question of the panel in front. */
  async function save(argument: unknown): Promise<void> {
    const { query, connection } = question(argument);
    const name = await promptSavedName(t('Save Query'), queryText(query, displayZone()));
    await homes.settle();
    const place = name === undefined ? undefined : await pickPlace(homes.list(), t("Select where to save '{0}'", name));
    if (name === undefined || !place) return;
    const { home, ...at } = place;
    const id = newId();
    await home.edit(tree =>
      addItems(tree, [{ kind: 'query', id, name, query, ...(connection && { connection }) }], at),
    );
    void setContext(contextKeys.hasKept, true);
    setStatusBarMessage(t("Saved '{0}'.", name), 5_000);
    deps.view.show(home, id);
  }

  function question(argument: unknown): ReturnType<typeof readGiven> {
    if (argument !== undefined) return readGiven(argument);
    const session = deps.sessions.activeOne();
    return { query: session.query, connection: session.connection.name };
  }

  async function exportAll(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'grid-queries.json') }),
      filters: { JSON: ['json'] },
    });
    if (!target) return;
    await homes.settle();
    const text = exchangeText(homes.list().map(home => home.tree()));
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    void setContext(contextKeys.hasKept, true);
    void showInformationMessage(
      t('Exported {0} to {1}.', queryCount(homes.queries().length), vscode.workspace.asRelativePath(target)),
    );
  }

  async function importAll(): Promise<void> {
    const [source] =
      (await vscode.window.showOpenDialog({ filters: { JSON: ['json'] }, openLabel: t('Import') })) ?? [];
    if (!source) return;
    const name = vscode.workspace.asRelativePath(source);
    const { size } = await vscode.workspace.fs.stat(source);
    if (size > fileLimits.characters) throw new InputError(t('{0} is larger than 400 kB. Import it in parts.', name));
    const { tree, problems } = parseQueriesFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(source)));
    if (tree.length === 0) throw new InputError(t('{0} contains no readable queries.', name));
    await homes.settle();
    const home = (await pickPlace(homes.list(), t('Select where to import')))?.home;
    if (!home) return;
    await home.edit(before => importItems(before, tree, newId));
    const sentence = t('Imported {0} from {1}.', queryCount(allQueries(tree).length), name);
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    if (errors === 0) void showInformationMessage(sentence);
    else void showWarningMessage(`${sentence} ${t('{0} of its entries could not be read.', errors)}`);
  }

  async function openFile(argument: unknown): Promise<void> {
    const place = await new TreeSelection(deps).placeOf(argument);
    const home = homes.folders().find(one => one === place?.home) ?? (await pickFolder());
    if (!home) return;
    if (!home.exists) await home.edit(tree => [...tree]);
    await vscode.window.showTextDocument(home.uri);
  }

  /** The home of the only folder, or of the one that the person chooses. Undefined when they left. */
  async function pickFolder(): Promise<WorkspaceQueryStore | undefined> {
    const items = homes.folders().map(home => ({
      label: home.name,
      description: home.uri.fsPath,
      home,
      iconPath: new vscode.ThemeIcon(home.exists ? 'json' : 'new-file'),
    }));
    const [only] = items;
    if (!only)
      throw new UnavailableError(
        t('Open a folder first. Workspace queries are stored in {0}.', queriesFileName.join('/')),
      );
    if (items.length === 1) return only.home;
    return (await showQuickPick(items, { placeHolder: t('Select a workspace folder') }))?.home;
  }

  return vscode.Disposable.from(
    boundary.register(commands.saveQuery, save),
    boundary.register(commands.exportQueries, exportAll),
    boundary.register(commands.importQueries, importAll),
    boundary.register(commands.openWorkspaceQueries, openFile),
  );
}

function readGiven(argument: unknown): {
  query: NonNullable<ReturnType<typeof readQueryArgument>['query']>;
  connection: string | undefined;
} {
  const { query, connection } = readQueryArgument(argument);
  if (!query) throw new InputError(vscode.l10n.t('A query needs a dataset and a range, or start and end.'));
  return { query, connection };
}
