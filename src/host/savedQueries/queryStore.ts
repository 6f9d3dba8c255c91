import type { SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import * as vscode from 'vscode';
import type { Event } from '../../service/emitter.ts';

/** A store of saved queries: the person's own, or a workspace folder's file. */
export interface QueryStore {
  /** The same in every window: "personal", or the URI of the file. */
  readonly key: string;
  readonly kind: 'personal' | 'workspace';
  /** As shown. */
  readonly name: string;
  tree(): SavedTree;
  /**
   * Applies `change` to the newest tree; it may be called again, and its last result counts. Throws InputError where the
   * change is refused, and GridError `cancelled` where the person was notified already.
   */
  edit(change: (tree: SavedTree) => SavedTree): Promise<void>;
  readonly onDidChange: Event;
}

/** An item and its store. */
export interface SavedEntry<T extends SavedItem = SavedItem> {
  readonly store: QueryStore;
  readonly item: T;
}

/** Unique among all stores. Ids of items hold no slash. */
export function entryId({
  store,
  item,
}: {
  readonly store: Pick<QueryStore, 'key'>;
  readonly item: { id: string };
}): string {
  return `${store.key}/${item.id}`;
}

/** Where a workspace folder keeps its queries. */
export const queriesFileName = ['.vscode', 'grid-queries.json'] as const;

export function queriesFileUri(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, ...queriesFileName);
}
