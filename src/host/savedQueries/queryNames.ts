import type { Connections } from '../../service/connections/connections.ts';
import type { QueryNames } from '../panel/sessionView.ts';
import type { QueryStores } from './queryStores.ts';

export interface QueryNamesDeps {
  readonly connections: Pick<Connections, 'list' | 'byId'>;
  readonly stores: Pick<QueryStores, 'find' | 'load'>;
}

/** Looks up what the queries of the panels are called, each time anew: connections and saved queries change under them. */
export function queryNames({ connections, stores }: QueryNamesDeps): QueryNames {
  return {
    connection: ({ id, name }) => (connections.list().length > 1 ? (connections.byId(id)?.name ?? name) : undefined),
    saved(id) {
      const found = stores.find(id);
      // A panel that was restored may be the first that needs the workspace's file.
      if (!found) void stores.load();
      return found?.item.kind === 'query' ? found.item : undefined;
    },
  };
}
