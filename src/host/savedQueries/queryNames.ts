import type { Connections } from '../../service/connections/connections.ts';
import type { QueryNames } from '../panel/sessionView.ts';
import type { QueryStores } from './queryStores.ts';

export interface QueryNamesDeps {
  readonly connections: Pick<Connections, 'list' | 'findById'>;
  readonly stores: Pick<QueryStores, 'find' | 'load'>;
}

/** Creates the look-up of names for panels. It is not cached, since connections and saved queries may be renamed. */
export function createQueryNames({ connections, stores }: QueryNamesDeps): QueryNames {
  return {
    connection: ({ id, name }) =>
      connections.list().length > 1 ? (connections.findById(id)?.name ?? name) : undefined,
    saved(id) {
      const entry = stores.find(id);
      // A restored panel may be the first to need the workspace file.
      if (!entry) void stores.load();
      return entry?.item.kind === 'query' ? entry.item : undefined;
    },
  };
}
