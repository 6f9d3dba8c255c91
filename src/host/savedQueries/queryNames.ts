import { queryIdentity } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { QueryNames } from '../panel/sessionView.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { SavedEntry } from './queryStore.ts';

export interface QueryNamesDeps {
  readonly connections: Pick<Connections, 'list' | 'byId'>;
  readonly choices: Pick<ConnectionChoices, 'find'>;
  readonly stores: { queries(): readonly SavedEntry<SavedQuery>[] };
}

/** Looks up what the queries of the panels are called, each time anew: connections and saved queries change under them. */
export function queryNames({ connections, choices, stores }: QueryNamesDeps): QueryNames {
  return {
    connection: ({ id, name }) => (connections.list().length > 1 ? (connections.byId(id)?.name ?? name) : undefined),
    savedAs(query, { id }) {
      const identity = queryIdentity(query);
      // Only of the same query the connection is looked up: that takes much longer than to compare.
      const saved = stores
        .queries()
        .find(({ item }) => queryIdentity(item.query) === identity && choices.find(item.connection)?.id === id);
      return saved?.item.name;
    },
  };
}
