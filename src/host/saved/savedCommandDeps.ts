import type { Connection } from '../../core/connection.ts';
import type { Connections } from '../../service/connections.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import type { LastQuery } from '../lastQuery.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { SavedHomes } from './savedHomes.ts';
import type { SavedRunner } from './savedRunner.ts';
import type { SavedView } from './savedView.ts';

/** What the commands on saved queries work with. */
export interface SavedCommandDeps {
  readonly boundary: ErrorBoundary;
  readonly homes: SavedHomes;
  readonly view: SavedView;
  readonly runner: SavedRunner;
  readonly sessions: QuerySessions;
  readonly connections: Connections;
  readonly last: Pick<LastQuery, 'get'>;
  readonly nowAt: QueryService['nowAt'];
  readonly newId: () => string;
}

/** The connection of that name, else the active one; undefined where there is none. */
export function connectionNamed(
  connections: Pick<Connections, 'active' | 'byName'>,
  name: string | undefined,
): Connection | undefined {
  return name === undefined ? connections.active() : connections.byName(name);
}
