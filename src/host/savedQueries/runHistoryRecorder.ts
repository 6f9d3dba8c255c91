import type { Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine, RunRequest } from '../../service/query/queryEngine.ts';
import type { RunEvent } from '../../service/query/run.ts';
import type { RecentRun } from '../../service/savedQueries/recentRuns.ts';
import type { Result } from '../../shared/result.ts';
import { questionKey } from './questionKey.ts';

export interface RunHistoryDeps {
  readonly engine: Pick<QueryEngine, 'onDidEmit'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly newId: () => string;
  readonly add: (run: RecentRun) => void;
}

/** Adds each recorded run that ended by itself to the recent runs. */
export class RunHistoryRecorder {
  readonly #deps: RunHistoryDeps;

  constructor(deps: RunHistoryDeps) {
    this.#deps = deps;
    deps.engine.onDidEmit((_run, event, request) => this.#take(event, request));
  }

  /** A run of a connection that was not there yet when it was asked. */
  record(query: Query, connection: Connection, { frame, provenance }: Result): void {
    this.#add(query, connection, { kind: 'rows', rows: frame?.rowCount ?? 0 }, provenance.requestsSpent);
  }

  #take(event: RunEvent, { query, connection, options }: RunRequest): void {
    // What is only read from the archive is no run.
    if (!options.recorded || options.refresh === 'never') return;
    if (event.type === 'done') this.record(queryOf(query), connection, event.result);
    if (event.type !== 'failed') return;
    const { reason, facts } = event.error instanceof GridError ? event.error : { reason: 'unknown', facts: {} };
    const outcome = { kind: 'failed', reason } as const;
    if (reason !== 'cancelled') this.#add(queryOf(query), connection, outcome, facts.requestsSpent ?? 0);
  }

  #add(query: Query, connection: Connection, outcome: RecentRun['outcome'], requestsSpent: number): void {
    const { newId, nowAt, add } = this.#deps;
    const { id, name } = connection;
    const run = { id: newId(), at: nowAt(connection), query, connection: { id, name } };
    add({ ...run, outcome, requestsSpent, savedId: questionKey(query, id) });
  }
}

function queryOf({ dataset, range, interval, params }: ResolvedQuery): Query {
  return { dataset: dataset.id, range, interval, params };
}
