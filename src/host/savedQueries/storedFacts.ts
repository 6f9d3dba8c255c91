import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { maxStoredBytes, storedNames } from '../../core/storedNames.ts';
import { ignoreMissing } from '../../service/files/fileSystem.ts';
import { readRegularTextFile } from '../../service/files/regularFile.ts';
import { contextKeys, stateNames } from '../ids.ts';
import { queriesFileUri } from './queryStore.ts';

/** The facts that are read from storage while the app is not loaded. */
export interface StoredFacts {
  /** Whether a query refreshes hourly or the stress is pinned, so that the background has to be started. */
  readonly isWatching: boolean;
  /** The context keys for the Command Palette and the views. If a fact is unknown, its key shows the command. */
  readonly keys: Readonly<Record<string, boolean>>;
}

/** Saved queries in the format of `records.ts`. */
interface StoredQueries {
  readonly items?: Readonly<
    Record<string, { readonly item: Pick<SavedQuery, 'keepFresh' | 'alerts'>; readonly removedAt?: number }>
  >;
}

/**
 * Reads the facts without loading the code that validates stored data, which would take longer than the reading itself. Never rejects: if
 * data is damaged, `isWatching` is true, so that the app starts and reports the damage.
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
  // All windows share the file. VS Code syncs the state, which has the changes of other machines.
  const file = join(globalStorageUri.fsPath, savedQueries, `${savedQueries}.json`);
  const storedQueries = [
    JSON.parse((await ignoreMissing(readRegularTextFile(file, maxStoredBytes, nodeFs))) ?? '{}') as StoredQueries,
    globalState.get<StoredQueries>(savedQueries, {}),
  ];
  const savedItems = storedQueries
    .flatMap(({ items = {} }) => Object.values(items))
    .filter(({ removedAt }) => removedAt === undefined);
  const choices = Object.values(workspaceState.get<Record<string, { allowed?: boolean }>>(watchingAnswers, {}));
  const isConnected = globalState.get<readonly unknown[]>(connections, []).length > 0;
  const hasFile = await hasQueriesFile();
  const hasHourlyRefresh = savedItems.some(({ item }) => item.keepFresh === true);
  return {
    isWatching:
      globalState.get(stateNames.pinnedStress) !== undefined ||
      hasHourlyRefresh ||
      choices.some(({ allowed }) => allowed === true),
    keys: {
      [contextKeys.noConnection]: !isConnected,
      // Adding a connection tests it, which counts as a run.
      [contextKeys.hasRecent]: isConnected,
      [contextKeys.hasSaved]: savedItems.length > 0 || hasFile,
      [contextKeys.hasWatched]: hasHourlyRefresh || hasFile,
      [contextKeys.hasAlerts]: savedItems.some(({ item: { alerts = [] } }) => alerts.length > 0) || hasFile,
      [contextKeys.walkthrough]: globalState.get(stateNames.walkthrough) === true,
    },
  };
}

/** Whether a workspace folder has a queries file. The file is not read, since the folder may come from anyone. */
async function hasQueriesFile(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const checks = folders.map(async ({ uri }) => vscode.workspace.fs.stat(queriesFileUri(uri)));
  return (await Promise.allSettled(checks)).some(({ status }) => status === 'fulfilled');
}
