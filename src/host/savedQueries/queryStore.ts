import type { SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import * as vscode from 'vscode';
import type { Event } from '../../service/emitter.ts';

/** A store of saved queries: the personal one, or the file of a workspace folder. */
export interface QueryStore {
  /** A key that is the same in every window: "personal", or the URI of the file. */
  readonly key: string;
  readonly kind: 'personal' | 'workspace';
  /** The display name. */
  readonly name: string;
  tree(): SavedTree;
  /**
   * Applies `change` to the latest tree. `change` may be called more than once; its last result is used. Throws InputError if the change is
   * rejected, and GridError `cancelled` if the user was already notified.
   */
  edit(change: (tree: SavedTree) => SavedTree): Promise<void>;
  readonly onDidChange: Event;
}

/** An item and its store. */
export interface SavedEntry<T extends SavedItem = SavedItem> {
  readonly store: QueryStore;
  readonly item: T;
}

/** Returns an id of an item that is unique among all stores. The ids of items contain no slash. */
export function entryId({
  store,
  item,
}: {
  readonly store: Pick<QueryStore, 'key'>;
  readonly item: { id: string };
}): string {
  return `${store.key}/${item.id}`;
}

/** The path of the queries file in a workspace folder. */
export const queriesFileName = ['.vscode', 'grid-queries.json'] as const;

export function queriesFileUri(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, ...queriesFileName);
}
