import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { maxStoredBytes, storedNames } from '../../core/storedNames.ts';
import { unlessGone } from '../../service/files/fileSystem.ts';
import { readRegularText } from '../../service/files/regularFile.ts';
import { contextKeys, stateNames } from '../ids.ts';
import { queriesFileUri } from './queryStore.ts';

/** What the storage says while the app is not loaded. */
export interface StoredFacts {
  /** Something is refreshed hourly or pinned, for which the app runs without anybody calling it. */
  readonly isWatching: boolean;
  /** The context keys that the command palette and the views ask for. Where the app would know better, a command is rather shown. */
  readonly keys: Readonly<Record<string, boolean>>;
}

/** Saved queries as `records.ts` writes them. */
interface StoredQueries {
  readonly items?: Readonly<
    Record<string, { readonly item: Pick<SavedQuery, 'keepFresh' | 'alerts'>; readonly removedAt?: number }>
  >;
}

/**
 * Reads the facts without the code that writes and checks what is stored, since loading that takes longer than all of this. Never
 * rejects: what is damaged is for the app to report, and so counts as watched.
 */
export async function readStoredFacts(context: vscode.ExtensionContext): Promise<StoredFacts> {
  try {
    return await read(context);
  } catch {
    return { isWatching: true, keys: {} };
  }
}

async function read({ globalState, workspaceState, globalStorageUri }: vscode.ExtensionContext): Promise<StoredFacts> {
  const { connections, savedQueries, watchingAnswers } = storedNames;
  // The windows share the file; the state has what other machines changed.
  const file = join(globalStorageUri.fsPath, savedQueries, `${savedQueries}.json`);
  const stored = [
    JSON.parse((await unlessGone(readRegularText(file, maxStoredBytes, nodeFs))) ?? '{}') as StoredQueries,
    globalState.get<StoredQueries>(savedQueries, {}),
  ];
  const saved = stored
    .flatMap(({ items = {} }) => Object.values(items))
    .filter(({ removedAt }) => removedAt === undefined);
  const answers = Object.values(workspaceState.get<Record<string, { allowed?: boolean }>>(watchingAnswers, {}));
  const isConnected = globalState.get<readonly unknown[]>(connections, []).length > 0;
  const hasFile = await hasQueriesFile();
  const isFresh = saved.some(({ item }) => item.keepFresh === true);
  return {
    isWatching:
      globalState.get(stateNames.pinnedStress) !== undefined ||
      isFresh ||
      answers.some(({ allowed }) => allowed === true),
    keys: {
      [contextKeys.noConnection]: !isConnected,
      // Whoever has a connection has tested it, which is a run.
      [contextKeys.hasRecent]: isConnected,
      [contextKeys.hasSaved]: saved.length > 0 || hasFile,
      [contextKeys.hasWatched]: isFresh || hasFile,
      [contextKeys.hasAlerts]: saved.some(({ item: { alerts = [] } }) => alerts.length > 0) || hasFile,
      [contextKeys.walkthrough]: globalState.get(stateNames.walkthrough) === true,
    },
  };
}

/** Only looks whether a folder has the file: it comes with the folder, whoever wrote it. */
async function hasQueriesFile(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = folders.map(async ({ uri }) => vscode.workspace.fs.stat(queriesFileUri(uri)));
  return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled');
}
