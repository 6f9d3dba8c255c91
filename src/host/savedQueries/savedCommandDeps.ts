import type { Clock, KeyValueStore } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import type { LastQuery } from '../query/lastQuery.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { QueryStores } from './queryStores.ts';
import type { SavedRunner } from './savedRunner.ts';
import type { SavedView } from './savedQueriesView.ts';

/** What the commands on saved queries work with. */
export interface SavedCommandDeps {
  readonly boundary: ErrorBoundary;
  readonly homes: QueryStores;
  readonly view: SavedView;
  readonly runner: SavedRunner;
  readonly sessions: QuerySessions;
  readonly connections: Connections;
  readonly choices: ConnectionChoices;
  readonly last: Pick<LastQuery, 'get'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly sourceAt: ConnectionEndpoints['sourceAt'];
  readonly pricing: Pick<RequestPricing, 'priceOf'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly newId: () => string;
  /** Remembers which program was copied. */
  readonly state: KeyValueStore;
}
