import { queryIdentity, type Query } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { QueryNames } from '../panel/sessionView.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { SavedEntry } from './queryStore.ts';
import type { QueryStores } from './queryStores.ts';

export interface QueryNamesDeps {
  readonly connections: Pick<Connections, 'list' | 'byId'>;
  readonly choices: Pick<ConnectionChoices, 'find'>;
  readonly stores: Pick<QueryStores, 'find' | 'load' | 'queries'>;
}

/** The saved query that asks this of the connection: of several the one that `isMeant`, else the first. */
export function savedEntryOf(
  query: Query,
  connectionId: string,
  { stores, choices }: Pick<QueryNamesDeps, 'choices'> & { readonly stores: Pick<QueryStores, 'queries'> },
  isMeant?: (entry: SavedEntry) => boolean,
): SavedEntry<SavedQuery> | undefined {
  const identity = queryIdentity(query);
  // Only of the same query the connection is looked up: that takes much longer than to compare.
  const asking = stores
    .queries()
    .filter(({ item }) => queryIdentity(item.query) === identity && choices.find(item.connection)?.id === connectionId);
  return (isMeant && asking.find(isMeant)) ?? asking[0];
}

/** Looks up what the queries of the panels are called, each time anew: connections and saved queries change under them. */
export function queryNames(deps: QueryNamesDeps): QueryNames {
  const { connections, stores } = deps;
  return {
    connection: ({ id, name }) => (connections.list().length > 1 ? (connections.byId(id)?.name ?? name) : undefined),
    savedAs: (query, { id }) => savedEntryOf(query, id, deps)?.item.name,
    saved(id) {
      const found = stores.find(id);
      // A panel that was restored may be the first that needs the workspace's file.
      if (!found) void stores.load();
      return found?.item.kind === 'query' ? found.item : undefined;
    },
  };
}
