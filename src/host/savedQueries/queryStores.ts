import * as vscode from 'vscode';
import type { Clock } from '../../core/ports.ts';
import { allQueries, find, walk, type Found } from '../../core/savedQueries/walk.ts';
import type { SavedItem, SavedQuery, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { entryId, type SavedEntry, type QueryStore } from './queryStore.ts';
import { WorkspaceQueryStore } from './workspaceQueryStore.ts';

/**
 * All homes of this window: the person's own, and the file of each workspace folder that has one; where none has, that of
 * the first folder, so that there is a place to move queries to.
 */
export class QueryStores {
  readonly #personal: QueryStore;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #logError: (error: unknown) => void;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #folders: vscode.Disposable;
  #workspaces: readonly WorkspaceQueryStore[] = [];
  #loading: Promise<void> | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(deps: { personal: QueryStore; clock: Pick<Clock, 'sleep'>; logError: (error: unknown) => void }) {
    this.#personal = deps.personal;
    this.#clock = deps.clock;
    this.#logError = deps.logError;
    this.#personal.onDidChange(() => this.#changed.fire(undefined));
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

  /** Whether there may be queries in any home: of a file that is not read yet, that there is one is enough. */
  get mayHaveQueries(): boolean {
    return this.#personal.tree().length > 0 || this.#workspaces.some(home => home.mayHaveQueries);
  }

  /** Looks for the files of the folders that are open now, and reads them once they are loaded. */
  async refresh(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    for (const home of this.#workspaces) home.dispose();
    this.#workspaces = folders.map(folder => {
      const name = folders.length > 1 ? folder.name : vscode.l10n.t('Workspace');
      const home = new WorkspaceQueryStore({ folder, name, clock: this.#clock, logError: this.#logError });
      home.onDidChange(() => this.#changed.fire(undefined));
      return home;
    });
    const isLoaded = this.#loading !== undefined;
    await Promise.all(this.#workspaces.map(async home => (isLoaded ? home.load() : home.refresh())));
    this.#changed.fire(undefined);
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
    await Promise.all(this.#workspaces.map(async home => home.settle()));
  }

  /** The item of an `entryId`, as it is now. */
  find(id: string): (SavedEntry & Found) | undefined {
    const end = id.lastIndexOf('/');
    const home = this.list().find(({ key }) => key === id.slice(0, end));
    const found = home && find(home.tree(), id.slice(end + 1));
    return home && found && { home, ...found };
  }

  /** The queries of all homes, in the order shown. */
  queries(): SavedEntry<SavedQuery>[] {
    return this.list().flatMap(home => allQueries(home.tree()).map(item => ({ home, item })));
  }

  /** Queries and folders of all homes, in the order shown. */
  items(): SavedEntry[] {
    return this.list().flatMap(home => [...walk(home.tree())].map(({ item }) => ({ home, item })));
  }

  dispose(): void {
    for (const home of this.#workspaces) home.dispose();
    this.#folders.dispose();
    this.#changed.dispose();
  }
}

/** Items by the home they are in: each home is changed at once. */
export function byHome(entries: readonly SavedEntry[]): Map<QueryStore, string[]> {
  const ids = new Map<QueryStore, string[]>();
  for (const { home, item } of entries) ids.set(home, [...(ids.get(home) ?? []), item.id]);
  return ids;
}

/** The queries of these items, those in folders too, each once. */
export function queriesOf(entries: readonly SavedEntry[]): SavedEntry<SavedQuery>[] {
  const found = new Map<string, SavedEntry<SavedQuery>>();
  for (const { home, item } of entries)
    for (const query of queriesIn(item)) found.set(entryId({ home, item: query }), { home, item: query });
  return [...found.values()];
}

/** The query itself, or those of the folder. */
export function queriesIn(item: SavedItem): SavedQuery[] {
  const tree: SavedTree = [item];
  return allQueries(tree);
}
