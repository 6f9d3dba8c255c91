import * as vscode from 'vscode';
import { importOptionsSchema } from '../../core/dataFile/importOptionsSchema.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { filterValidEntries } from '../../core/json/json.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import { stateNames } from '../ids.ts';

const maxFolders = 100;

/** The decisions of the user about a file. */
export interface ImportDecision {
  readonly options: ImportOptions;
  /** Whether the user canceled the prompt for a time zone, so that times without an offset are read in UTC. */
  readonly assumesUtc: boolean;
}

/** Stores the options that were chosen for data files, by folder and file extension. */
export class ImportOptionsStore {
  readonly #state: KeyValueStore;

  /** `state` is the workspace state. */
  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get(file: vscode.Uri): ImportOptions {
    return this.#readAll()[getOptionsKey(file)] ?? {};
  }

  /** Stores the options. Only the most recent folders are retained. */
  async set(file: vscode.Uri, options: ImportOptions): Promise<void> {
    const key = getOptionsKey(file);
    const others = Object.entries(this.#readAll()).filter(([storedKey]) => storedKey !== key);
    const entries = hasChosenOptions(options) ? [...others, [key, options] as const] : others;
    await this.#state.update(stateNames.importOptions, Object.fromEntries(entries.slice(-maxFolders)));
  }

  #readAll(): Readonly<Record<string, ImportOptions>> {
    return filterValidEntries(this.#state.get(stateNames.importOptions), importOptionsSchema);
  }
}

/** Whether the user chose any option. */
export function hasChosenOptions(options: ImportOptions): boolean {
  return Object.values(options).some(value => value !== undefined);
}

function getOptionsKey(file: vscode.Uri): string {
  const [extension = ''] = /\.[^./]*$/.exec(file.path) ?? [];
  const folder = vscode.Uri.joinPath(file, '..');
  // A version in Git has the options of its file.
  const address = file.scheme === 'git' ? folder.with({ scheme: 'file', query: '' }) : folder;
  return `${address.toString()}/*${extension.toLowerCase()}`;
}
