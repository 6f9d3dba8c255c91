import type { QueryChange, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { changeQuery } from '../../core/savedQueries/edit.ts';
import { findLocation } from '../../core/savedQueries/walk.ts';
import type { Event } from '../../service/emitter.ts';
import { entryId } from '../savedQueries/queryStore.ts';
import type { QueryStores } from '../savedQueries/queryStores.ts';

/** A saved query of a personal or workspace store. */
export interface WatchedItem {
  /** The `entryId`, which is unique among all stores. */
  readonly id: string;
  readonly store: 'personal' | 'workspace';
  readonly query: SavedQuery;
}

/** The saved queries that hourly refresh and alerts read and change. */
export interface SavedQueriesPort {
  /** Loads the workspace files if they are not loaded yet. */
  settle(): Promise<void>;
  /** Returns the queries of all loaded stores, in display order. */
  all(): readonly WatchedItem[];
  /**
   * Applies `change` to the current version of a query. May call `change` more than once. Does nothing if the query no longer exists. Throws
   * InputError if the store rejects the change.
   */
  change(id: string, change: (query: SavedQuery) => QueryChange): Promise<void>;
  readonly onDidChange: Event;
}

/** Creates a port for the saved queries of all stores. */
export function watchedQueries(stores: QueryStores): SavedQueriesPort {
  return {
    settle: async () => stores.settle(),
    all: () =>
      stores.queries().map(({ store, item }) => ({ id: entryId({ store, item }), store: store.kind, query: item })),
    async change(id, change) {
      const entry = stores.find(id);
      await entry?.store.edit(tree => {
        const query = findLocation(tree, entry.item.id)?.item;
        return query?.kind === 'query' ? changeQuery(tree, query.id, change(query)) : tree;
      });
    },
    onDidChange: stores.onDidChange,
  };
}
