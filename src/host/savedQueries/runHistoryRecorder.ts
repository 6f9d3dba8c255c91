import type { Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import { type Query, type ResolvedQuery, getQueryIdentity, getRequestedInterval } from '../../core/query/query.ts';
import { getDataKind } from '../../core/query/serviceMeta.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine, RunEmission } from '../../service/query/queryEngine.ts';
import type { RecentRun } from '../../service/savedQueries/recentRuns.ts';
import type { Result } from '../../shared/result.ts';

export interface RunHistoryDeps {
  readonly engine: Pick<QueryEngine, 'onDidEmit'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly newId: () => string;
  readonly add: (run: RecentRun) => void;
}

/** Adds completed and failed runs to the recent runs. An hourly refresh only updates the last run of its query. */
export class RunHistoryRecorder {
  readonly #deps: RunHistoryDeps;

  constructor(deps: RunHistoryDeps) {
    this.#deps = deps;
    deps.engine.onDidEmit(emission => this.#onEmit(emission));
  }

  /** Records a run directly, for a connection that did not exist yet when the run started. */
  record(query: Query, connection: Connection, { frame, provenance }: Result, entry?: string, isRefresh = false): void {
    const outcome = { kind: 'rows', rows: frame?.rowCount ?? 0 } as const;
    const data = getDataKind(provenance);
    const runFacts = { outcome, requestsSpent: provenance.requestsSpent, ...(data && { data }) };
    this.#add(query, connection, runFacts, entry, isRefresh);
  }

  #onEmit({ event, query, connection, options }: RunEmission): void {
    // A run that only reads the archive is not recorded.
    if (!options.isRecorded || options.refresh === 'never') return;
    const isRefresh = options.priority === 'background';
    if (event.type === 'done') this.record(toQuery(query), connection, event.result, options.savedEntryId, isRefresh);
    if (event.type !== 'failed') return;
    const { reason, facts } = event.error instanceof GridError ? event.error : { reason: 'unknown', facts: {} };
    const outcome = { kind: 'failed', reason } as const;
    const runFacts = { outcome, requestsSpent: facts.requestsSpent ?? 0 };
    if (reason !== 'cancelled') this.#add(toQuery(query), connection, runFacts, options.savedEntryId, isRefresh);
  }

  #add(
    query: Query,
    connection: Connection,
    runFacts: Pick<RecentRun, 'outcome' | 'requestsSpent' | 'data'>,
    entry: string | undefined,
    isRefresh: boolean,
  ): void {
    const { newId, nowAt, add } = this.#deps;
    const { id, name } = connection;
    const run = { id: newId(), at: nowAt(connection), query, connection: { id, name } };
    add({
      ...run,
      ...runFacts,
      savedId: lastRunKey(query, id),
      ...(entry !== undefined && { entry }),
      ...(isRefresh && { isRefresh }),
    });
  }
}

function toQuery(query: ResolvedQuery): Query {
  const { dataset, range, params, timeZone } = query;
  return { dataset: dataset.id, range, interval: getRequestedInterval(query), params, timeZone };
}

/**
 * Returns the key under which the last run of a query over a connection is stored. A saved query finds its last run by it, even after it
 * was renamed, moved or copied; changing the range changes the key.
 */
export function lastRunKey(query: Query, connectionId: string): string {
  return `${connectionId} ${getQueryIdentity(query)}`;
}
