import type { QueryChange, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { changeQuery } from '../../core/savedQueries/edit.ts';
import { find } from '../../core/savedQueries/walk.ts';
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

/** The saved queries as watching needs them. */
export interface SavedQueriesPort {
  /** Reads the workspace files, which are not read before they are needed. */
  settle(): Promise<void>;
  /** The queries of all stores that are read, in the order shown. */
  all(): readonly WatchedItem[];
  /** Applies `change` to the newest state of a query; it may be called again. Does nothing if the query is gone. Throws InputError. */
  change(id: string, change: (query: SavedQuery) => QueryChange): Promise<void>;
  readonly onDidChange: Event;
}

/** The saved queries of all stores, for watching. */
export function watchedQueries(stores: QueryStores): SavedQueriesPort {
  return {
    settle: async () => stores.settle(),
    all: () =>
      stores.queries().map(({ store, item }) => ({ id: entryId({ store, item }), store: store.kind, query: item })),
    async change(id, change) {
      const entry = stores.find(id);
      await entry?.store.edit(tree => {
        const query = find(tree, entry.item.id)?.item;
        return query?.kind === 'query' ? changeQuery(tree, query.id, change(query)) : tree;
      });
    },
    onDidChange: stores.onDidChange,
  };
}
