import type { QueryChange, SavedQuery } from '../../core/saved/savedItem.ts';

/** A saved query of any home. */
export interface WatchedItem {
  /** Unique among all homes. */
  readonly id: string;
  readonly home: 'personal' | 'workspace';
  readonly query: SavedQuery;
}

/** The saved queries as watching needs them. */
export interface SavedQueriesPort {
  /** Reads those of the workspace, which are not read before somebody wants to know of them. */
  settle(): Promise<void>;
  /** Those of all homes that are read, in the order shown. */
  all(): readonly WatchedItem[];
  /** Puts the newest state of a query through `change`, which may be asked again; nothing where it is gone. Throws InputError. */
  change(id: string, change: (query: SavedQuery) => QueryChange): Promise<void>;
  /** Calls back after each change; returns what ends that. */
  onDidChange(listener: () => void): () => void;
}
