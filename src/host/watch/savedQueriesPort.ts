import type { QueryChange, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { changeQuery } from '../../core/savedQueries/edit.ts';
import { find } from '../../core/savedQueries/walk.ts';
import { entryId } from '../savedQueries/queryStore.ts';
import type { QueryStores } from '../savedQueries/queryStores.ts';

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

/** The saved queries of all homes, for watching. */
export function watchedQueries(homes: QueryStores): SavedQueriesPort {
  return {
    settle: async () => homes.settle(),
    all: () => homes.queries().map(({ home, item }) => ({ id: entryId({ home, item }), home: home.kind, query: item })),
    async change(id, change) {
      const entry = homes.find(id);
      await entry?.home.edit(tree => {
        const query = find(tree, entry.item.id)?.item;
        return query?.kind === 'query' ? changeQuery(tree, query.id, change(query)) : tree;
      });
    },
    onDidChange: listener => {
      const listening = homes.onDidChange(listener);
      return () => void listening.dispose();
    },
  };
}
