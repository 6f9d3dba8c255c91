import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/ports.ts';
import { allQueries, findLocation, walk, type ItemLocation } from '../../core/savedQueries/walk.ts';
import type { SavedItem, SavedQuery, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { Emitter } from '../../service/emitter.ts';
import { entryId, type SavedEntry, type QueryStore } from './queryStore.ts';
import { WorkspaceQueryStore } from './workspaceQueryStore.ts';

/**
 * All stores of this window: the personal one, and the file of each workspace folder that has one. If no folder has a file, the first
 * folder still gets a store, so that queries can be moved there.
 */
export class QueryStores {
  readonly #personal: QueryStore;
  readonly #clock: Clock;
  readonly #logError: (error: unknown) => void;
  readonly #changed = new Emitter();
  readonly #folders: vscode.Disposable;
  #workspaces: readonly WorkspaceQueryStore[] = [];
  #loading: Promise<void> | undefined;
  /** The number of running `asOne` calls, during which change events are held back. */
  #batches = 0;
  #hasPendingChange = false;
  readonly onDidChange = this.#changed.event;

  constructor(deps: { personal: QueryStore; clock: Clock; logError: (error: unknown) => void }) {
    this.#personal = deps.personal;
    this.#clock = deps.clock;
    this.#logError = deps.logError;
    this.#personal.onDidChange(() => this.#fireChange());
    this.#folders = vscode.workspace.onDidChangeWorkspaceFolders(() => void this.refresh());
  }

  list(): readonly QueryStore[] {
    return [this.#personal, ...this.workspaces()];
  }

  /** Returns the visible stores of the workspace. */
  workspaces(): readonly WorkspaceQueryStore[] {
    const existing = this.#workspaces.filter(({ exists }) => exists);
    return existing.length > 0 ? existing : this.#workspaces.slice(0, 1);
  }

  /** Returns the stores of all workspace folders that have a file or could have one. */
  folders(): readonly WorkspaceQueryStore[] {
    return this.#workspaces.filter(({ exists, uri }) => exists || vscode.workspace.fs.isWritableFileSystem(uri.scheme));
  }

  /** Whether any store may have a matching item. Assumes that a file that is not loaded yet has one. */
  mayContain(matches: (item: SavedItem) => boolean): boolean {
    return (
      walk(this.#personal.tree()).some(({ item }) => matches(item)) ||
      this.#workspaces.some(store => store.mayContain(matches))
    );
  }

  /** Checks the open folders for queries files, and reads the files if `load` was called. */
  async refresh(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    for (const store of this.#workspaces) store.dispose();
    this.#workspaces = folders.map(folder => {
      const name = folders.length > 1 ? folder.name : t('Workspace');
      const store = new WorkspaceQueryStore({ folder, name, clock: this.#clock, logError: this.#logError });
      store.onDidChange(() => this.#fireChange());
      return store;
    });
    const isLoaded = this.#loading !== undefined;
    await Promise.all(this.#workspaces.map(async store => (isLoaded ? store.load() : store.refresh())));
    this.#changed.fire();
  }

  /**
   * Loads the workspace files. Since the folder may come from anyone, they are read only when their queries are displayed,
   * picked or watched, and not just because the folder is open.
   */
  async load(): Promise<void> {
    this.#loading ??= Promise.resolve().then(async () => this.refresh());
    await this.#loading;
  }

  /** Loads the files and processes recent typing at once, before a command acts on the queries. */
  async settle(): Promise<void> {
    await this.load();
    await Promise.all(this.#workspaces.map(async store => store.settle()));
  }

  /**
   * Fires a single change event after `act`. With several events in a row, VS Code would refresh the tree again just after it has shown the
   * first change, and a menu command that the user selects meanwhile would get no node.
   */
  async batch<T>(run: () => Promise<T>): Promise<T> {
    this.#batches++;
    try {
      return await run();
    } finally {
      this.#batches--;
      if (this.#hasPendingChange) this.#fireChange();
    }
  }

  /** Finds the current item of an `entryId`. */
  find(id: string): (SavedEntry & ItemLocation) | undefined {
    const slash = id.lastIndexOf('/');
    const store = this.list().find(({ key }) => key === id.slice(0, slash));
    const location = store && findLocation(store.tree(), id.slice(slash + 1));
    return store && location && { store, ...location };
  }

  /** Returns the queries of all stores in display order. */
  queries(): SavedEntry<SavedQuery>[] {
    return this.list().flatMap(store => allQueries(store.tree()).map(item => ({ store, item })));
  }

  /** Returns the queries and folders of all stores in display order. */
  items(): SavedEntry[] {
    return this.list().flatMap(store => walk(store.tree()).map(({ item }) => ({ store, item })));
  }

  #fireChange(): void {
    this.#hasPendingChange = this.#batches > 0;
    if (!this.#hasPendingChange) this.#changed.fire();
  }

  dispose(): void {
    for (const store of this.#workspaces) store.dispose();
    this.#folders.dispose();
  }
}

/** Groups the ids of items by store, so that each store is edited only once. */
export function groupByStore(entries: readonly SavedEntry[]): Map<QueryStore, string[]> {
  const ids = new Map<QueryStore, string[]>();
  for (const { store, item } of entries) ids.set(store, [...(ids.get(store) ?? []), item.id]);
  return ids;
}

/** Returns the queries of these items, including queries in folders, without duplicates. */
export function collectQueries(entries: readonly SavedEntry[]): SavedEntry<SavedQuery>[] {
  const queriesById = new Map<string, SavedEntry<SavedQuery>>();
  for (const { store, item } of entries)
    for (const query of listQueries(item)) queriesById.set(entryId({ store, item: query }), { store, item: query });
  return [...queriesById.values()];
}

/** Returns the query itself, or the queries of the folder. */
export function listQueries(item: SavedItem): SavedQuery[] {
  const tree: SavedTree = [item];
  return allQueries(tree);
}
