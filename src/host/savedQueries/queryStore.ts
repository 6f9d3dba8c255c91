import type { SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import * as vscode from 'vscode';

/** A place where queries are kept: the person's own, or a folder's file. */
export interface QueryStore {
  /** The same in every window: "personal", or the URI of the file. */
  readonly key: string;
  readonly kind: 'personal' | 'workspace';
  /** As shown. */
  readonly name: string;
  tree(): SavedTree;
  /**
   * Puts the newest tree through `change`, which may be asked again: its last answer counts. Throws InputError where the
   * change is refused, and GridError `cancelled` where the person was told already.
   */
  edit(change: (tree: SavedTree) => SavedTree): Promise<void>;
  /** Calls back after each change; returns what ends that. */
  onDidChange(listener: () => void): () => void;
}

/** An item, and where it is kept. */
export interface SavedEntry<T extends SavedItem = SavedItem> {
  readonly home: QueryStore;
  readonly item: T;
}

/** Unique among all homes. Ids of items hold no slash. */
export function entryId({
  home,
  item,
}: {
  readonly home: Pick<QueryStore, 'key'>;
  readonly item: { id: string };
}): string {
  return `${home.key}/${item.id}`;
}

/** Where a workspace folder keeps its queries. */
export const queriesFileName = ['.vscode', 'grid-queries.json'] as const;

export function queriesFileUri(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, ...queriesFileName);
}
