import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/ports.ts';
import { allQueries, find, walk, type Found } from '../../core/savedQueries/walk.ts';
import type { SavedItem, SavedQuery, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { Emitter } from '../../service/emitter.ts';
import { entryId, type SavedEntry, type QueryStore } from './queryStore.ts';
import { WorkspaceQueryStore } from './workspaceQueryStore.ts';

/**
 * All stores of this window: the person's own, and the file of each workspace folder that has one; where none has, that of
 * the first folder, so that there is a place to move queries to.
 */
export class QueryStores {
  readonly #personal: QueryStore;
  readonly #clock: Clock;
  readonly #logError: (error: unknown) => void;
  readonly #changed = new Emitter();
  readonly #folders: vscode.Disposable;
  #workspaces: readonly WorkspaceQueryStore[] = [];
  #loading: Promise<void> | undefined;
  /** How many acts are under way that are told of as one. */
  #acts = 0;
  #isUntold = false;
  readonly onDidChange = this.#changed.event;

  constructor(deps: { personal: QueryStore; clock: Clock; logError: (error: unknown) => void }) {
    this.#personal = deps.personal;
    this.#clock = deps.clock;
    this.#logError = deps.logError;
    this.#personal.onDidChange(() => this.#tell());
    this.#folders = vscode.workspace.onDidChangeWorkspaceFolders(() => void this.refresh());
  }

  list(): readonly QueryStore[] {
    return [this.#personal, ...this.workspaces()];
  }

  /** Those of the workspace that are shown. */
  workspaces(): readonly WorkspaceQueryStore[] {
    const existing = this.#workspaces.filter(({ exists }) => exists);
    return existing.length > 0 ? existing : this.#workspaces.slice(0, 1);
  }

  /** Those of all workspace folders that have a file or can have one. */
  folders(): readonly WorkspaceQueryStore[] {
    return this.#workspaces.filter(({ exists, uri }) => exists || vscode.workspace.fs.isWritableFileSystem(uri.scheme));
  }

  /** Whether there may be such an item in any store: of a file that is not read yet, that there is one is enough. */
  mayHave(isSuch: (item: SavedItem) => boolean): boolean {
    return (
      walk(this.#personal.tree()).some(({ item }) => isSuch(item)) ||
      this.#workspaces.some(store => store.mayHave(isSuch))
    );
  }

  /** Looks for the files of the folders that are open now, and reads them once they are loaded. */
  async refresh(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    for (const store of this.#workspaces) store.dispose();
    this.#workspaces = folders.map(folder => {
      const name = folders.length > 1 ? folder.name : t('Workspace');
      const store = new WorkspaceQueryStore({ folder, name, clock: this.#clock, logError: this.#logError });
      store.onDidChange(() => this.#tell());
      return store;
    });
    const isLoaded = this.#loading !== undefined;
    await Promise.all(this.#workspaces.map(async store => (isLoaded ? store.load() : store.refresh())));
    this.#changed.fire();
  }

  /**
   * Reads the files from now on. They come with the folder, whoever wrote them: they are read when their queries are shown, chosen
   * from or watched, and not because the folder is open.
   */
  async load(): Promise<void> {
    this.#loading ??= Promise.resolve().then(async () => this.refresh());
    await this.#loading;
  }

  /** Takes in what was typed a moment ago, for who acts on it. */
  async settle(): Promise<void> {
    await this.load();
    await Promise.all(this.#workspaces.map(async store => store.settle()));
  }

  /**
   * Tells of all changes of the act when it ends. Of several in a row VS Code reads the tree again a moment after it has shown the
   * first, and a command that is chosen from a line's menu meanwhile gets no line.
   */
  async asOne<T>(act: () => Promise<T>): Promise<T> {
    this.#acts++;
    try {
      return await act();
    } finally {
      this.#acts--;
      if (this.#isUntold) this.#tell();
    }
  }

  /** The item of an `entryId`, as it is now. */
  find(id: string): (SavedEntry & Found) | undefined {
    const end = id.lastIndexOf('/');
    const store = this.list().find(({ key }) => key === id.slice(0, end));
    const found = store && find(store.tree(), id.slice(end + 1));
    return store && found && { store, ...found };
  }

  /** The queries of all stores, in the order shown. */
  queries(): SavedEntry<SavedQuery>[] {
    return this.list().flatMap(store => allQueries(store.tree()).map(item => ({ store, item })));
  }

  /** Queries and folders of all stores, in the order shown. */
  items(): SavedEntry[] {
    return this.list().flatMap(store => walk(store.tree()).map(({ item }) => ({ store, item })));
  }

  #tell(): void {
    this.#isUntold = this.#acts > 0;
    if (!this.#isUntold) this.#changed.fire();
  }

  dispose(): void {
    for (const store of this.#workspaces) store.dispose();
    this.#folders.dispose();
  }
}

/** Items by the store they are in: each store is changed at once. */
export function byStore(entries: readonly SavedEntry[]): Map<QueryStore, string[]> {
  const ids = new Map<QueryStore, string[]>();
  for (const { store, item } of entries) ids.set(store, [...(ids.get(store) ?? []), item.id]);
  return ids;
}

/** The queries of these items, those in folders too, each once. */
export function queriesOf(entries: readonly SavedEntry[]): SavedEntry<SavedQuery>[] {
  const found = new Map<string, SavedEntry<SavedQuery>>();
  for (const { store, item } of entries)
    for (const query of queriesIn(item)) found.set(entryId({ store, item: query }), { store, item: query });
  return [...found.values()];
}

/** The query itself, or those of the folder. */
export function queriesIn(item: SavedItem): SavedQuery[] {
  const tree: SavedTree = [item];
  return allQueries(tree);
}
