import type { QueryChange, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { changeQuery } from '../../core/savedQueries/edit.ts';
import { findLocation } from '../../core/savedQueries/walk.ts';
import type { Event } from '../../service/emitter.ts';
import { entryId } from '../savedQueries/queryStore.ts';
import type { QueryStores } from '../savedQueries/queryStores.ts';

/** A saved query of any store. */
export interface WatchedItem {
  /** Unique among all stores. */
  readonly id: string;
  readonly store: 'personal' | 'workspace';
  readonly query: SavedQuery;
}

/** The interface through which watching reads and changes saved queries. */
export interface SavedQueriesPort {
  /** Reads the workspace files, which are loaded lazily. */
  settle(): Promise<void>;
  /** Returns the queries of all loaded stores in display order. */
  all(): readonly WatchedItem[];
  /**
   * Applies `change` to the latest state of a query; `change` may be called more than once. Does nothing if the query no longer exists.
   * Throws InputError.
   */
  change(id: string, change: (query: SavedQuery) => QueryChange): Promise<void>;
  readonly onDidChange: Event;
}

/** Creates the port to the saved queries of all stores. */
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
