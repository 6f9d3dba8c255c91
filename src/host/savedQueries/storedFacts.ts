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
  /** The context keys for the Command Palette and the views. In doubt, they are set such that a command is displayed. */
  readonly keys: Readonly<Record<string, boolean>>;
}

/** Saved queries in the format of `records.ts`. */
interface StoredQueries {
  readonly items?: Readonly<
    Record<string, { readonly item: Pick<SavedQuery, 'keepFresh' | 'alerts'>; readonly removedAt?: number }>
  >;
}

/**
 * Reads the facts without the code that validates stored data, since loading it would take longer than all of this. Never rejects: damaged
 * data counts as watched, so that the app starts and reports it.
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
  // The file is shared by the windows; the state is synced and has the changes of other machines.
  const file = join(globalStorageUri.fsPath, savedQueries, `${savedQueries}.json`);
  const stored = [
    JSON.parse((await ignoreMissing(readRegularTextFile(file, maxStoredBytes, nodeFs))) ?? '{}') as StoredQueries,
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
      // A connection is tested when it is added, which counts as a run.
      [contextKeys.hasRecent]: isConnected,
      [contextKeys.hasSaved]: saved.length > 0 || hasFile,
      [contextKeys.hasWatched]: isFresh || hasFile,
      [contextKeys.hasAlerts]: saved.some(({ item: { alerts = [] } }) => alerts.length > 0) || hasFile,
      [contextKeys.walkthrough]: globalState.get(stateNames.walkthrough) === true,
    },
  };
}

/** Whether a workspace folder has a queries file. The file is not read, since it comes with the folder, whoever wrote it. */
async function hasQueriesFile(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const checks = folders.map(async ({ uri }) => vscode.workspace.fs.stat(queriesFileUri(uri)));
  return (await Promise.allSettled(checks)).some(({ status }) => status === 'fulfilled');
}
