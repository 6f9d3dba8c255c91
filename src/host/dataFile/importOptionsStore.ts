import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ImportOptions } from '../../core/dataFile/importOptions.ts';
import { filterValidEntries } from '../../core/json/json.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import { findZone } from '../../core/time/zone.ts';
import { stateNames } from '../ids.ts';
import { standardEncoding } from './fileEncoding.ts';

/** The highest line number that can be chosen. */
export const maxImportLine = 10_000;
const maxFolders = 100;

const line = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxImportLine));
const optionsSchema: v.GenericSchema<ImportOptions> = v.object({
  timeZone: v.optional(
    v.pipe(
      v.string(),
      v.check(name => findZone(name) !== undefined),
    ),
  ),
  hour: v.optional(v.picklist(['beginning', 'end'])),
  dateOrder: v.optional(v.picklist(['day first', 'month first'])),
  separator: v.optional(v.pipe(v.string(), v.length(1))),
  decimal: v.optional(v.picklist(['point', 'comma'])),
  encoding: v.optional(
    v.pipe(
      v.string(),
      v.check(label => standardEncoding(label) !== undefined),
    ),
  ),
  headingLine: v.optional(line),
  firstLine: v.optional(v.pipe(line, v.minValue(1))),
  sheet: v.optional(v.pipe(v.string(), v.maxLength(100))),
});

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
    return filterValidEntries(this.#state.get(stateNames.importOptions), optionsSchema);
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
