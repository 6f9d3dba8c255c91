import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { maxStoredBytes, storedNames } from '../../core/storedNames.ts';
import { ignoreMissing } from '../../service/files/fileSystem.ts';
import { readRegularTextFile } from '../../service/files/regularFile.ts';
import { contextKeys, stateNames } from '../ids.ts';
import { queriesFileUri } from './queryStore.ts';

/** The state that the extension needs at startup, before it loads the app. */
export interface StoredFacts {
  /** Whether to load the app at startup: a query refreshes hourly, or the stress index is pinned to the status bar. */
  readonly isWatching: boolean;
  /** The context keys for the Command Palette and the views. A key whose value is uncertain shows its commands. */
  readonly keys: Readonly<Record<string, boolean>>;
}

/** Saved queries in the format of `records.ts`. */
interface StoredQueries {
  readonly items?: Readonly<
    Record<string, { readonly item: Pick<SavedQuery, 'keepFresh' | 'alerts'>; readonly removedAt?: number }>
  >;
}

/**
 * Reads the state from storage. Does not validate it, because loading the code for that takes longer than reading. Never rejects: if data is
 * damaged, `isWatching` is true, so that the app is loaded and reports the damage.
 */
export async function readStoredFacts(context: vscode.ExtensionContext): Promise<StoredFacts> {
  try {
    return await readFacts(context);
  } catch {
    return { isWatching: true, keys: {} };
  }
}

async function readFacts({
  globalState,
  workspaceState,
  globalStorageUri,
}: vscode.ExtensionContext): Promise<StoredFacts> {
  const { connections, savedQueries, watchingAnswers } = storedNames;
  // The file has the queries of this machine. `globalState` has the changes of other machines, because VS Code syncs it.
  const file = join(globalStorageUri.fsPath, savedQueries, `${savedQueries}.json`);
  const storedQueries = [
    JSON.parse((await ignoreMissing(readRegularTextFile(file, maxStoredBytes, nodeFs))) ?? '{}') as StoredQueries,
    globalState.get<StoredQueries>(savedQueries, {}),
  ];
  const savedItems = storedQueries
    .flatMap(({ items = {} }) => Object.values(items))
    .filter(({ removedAt }) => removedAt === undefined);
  const refreshConsents = Object.values(workspaceState.get<Record<string, { allowed?: boolean }>>(watchingAnswers, {}));
  const isConnected = globalState.get<readonly unknown[]>(connections, []).length > 0;
  const hasFile = await hasQueriesFile();
  const hasHourlyRefresh = savedItems.some(({ item }) => item.keepFresh === true);
  return {
    isWatching:
      globalState.get(stateNames.pinnedStress) !== undefined ||
      hasHourlyRefresh ||
      refreshConsents.some(({ allowed }) => allowed === true),
    keys: {
      [contextKeys.noConnection]: !isConnected,
      // Recent is not empty after a connection was added, because adding one runs a test query.
      [contextKeys.hasRecent]: isConnected,
      [contextKeys.hasSaved]: savedItems.length > 0 || hasFile,
      [contextKeys.hasWatched]: hasHourlyRefresh || hasFile,
      [contextKeys.hasAlerts]: savedItems.some(({ item: { alerts = [] } }) => alerts.length > 0) || hasFile,
      [contextKeys.walkthrough]: globalState.get(stateNames.walkthrough) === true,
    },
  };
}

/** Whether a workspace folder has a queries file. Does not read the file, because the folder may not be trusted. */
async function hasQueriesFile(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const checks = folders.map(async ({ uri }) => vscode.workspace.fs.stat(queriesFileUri(uri)));
  return (await Promise.allSettled(checks)).some(({ status }) => status === 'fulfilled');
}
