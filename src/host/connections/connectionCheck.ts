import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { GridError, keyRejectionReasons, createPartError } from '../../core/errors.ts';
import { datasets, type Dataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { isServiceQuery, resolveQuery, type Query, type ServiceQuery } from '../../core/query/query.ts';
import type { ApiRequest } from '../../service/client/apiClient.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { getSource } from '../../service/connections/endpoint.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { Run } from '../../service/query/run.ts';
import type { Result } from '../../shared/result.ts';
import { withProgress } from '../messages/messages.ts';
import { formatRetry, formatWait } from '../messages/waiting.ts';
import type { ConnectionDraft } from './connectionPrompt.ts';

/** The result of testing a new key. */
export type CheckOutcome =
  | { readonly kind: 'works'; readonly result: Result }
  /** The service responded with 401 or 403. Such a key is not stored. */
  | { readonly kind: 'refused'; readonly error: GridError }
  /** The address does not respond like a grid data service; it may be mistyped. */
  | { readonly kind: 'notAService'; readonly error: GridError }
  /** The service is offline or overloaded, so nothing is known about the key. */
  | { readonly kind: 'unknown'; readonly error: GridError };

/** The query that tests a connection. Its result is then opened, so that no request is spent on the test alone. */
export const checkQuery: Query = {
  dataset: datasets[0]?.id ?? '',
  range: 'last 24 hours',
  interval: datasets[0]?.intervals[0] ?? '',
  params: {},
  timeZone: 'UTC',
};

const wrongAddressReasons: readonly string[] = [
  'notFound',
  'redirected',
  'damagedResponse',
] satisfies readonly GridError['reason'][];

/** Tests a key that is not stored yet. Throws only `cancelled` and errors other than GridError. */
export async function checkConnection(
  draft: Pick<ConnectionDraft, 'name' | 'baseUrl' | 'key'>,
  deps: { readonly engine: Pick<QueryEngine, 'runAt'>; readonly nowAt: ConnectionEndpoints['nowAt'] },
): Promise<CheckOutcome> {
  const query = resolveTestQuery(checkQuery, deps.nowAt(draft));
  const endpoint = { ...draft, source: getSource(draft.baseUrl) };
  const title = t("Testing '{0}' with the last 24 hours of system state", draft.name);
  try {
    const result = await runWithProgress(title, query.dataset, async ({ signal, onWait }) =>
      // Only a request can show whether the key works, so the archive is not used.
      awaitResult(deps.engine.runAt(query, endpoint, { signal, refresh: 'always' }), onWait),
    );
    // Archived hours may have been fetched with another key, so they do not prove that this one works.
    const { failure } = result.provenance;
    if (failure) throw createPartError(failure);
    return { kind: 'works', result };
  } catch (error) {
    if (!(error instanceof GridError) || error.reason === 'cancelled') throw error;
    if (keyRejectionReasons.includes(error.reason)) return { kind: 'refused', error };
    return { kind: wrongAddressReasons.includes(error.reason) ? 'notAService' : 'unknown', error };
  }
}

/** Tests a connection's key with one request. Resolves to the error, or to undefined if the service accepts the key. */
export async function testConnection(
  connection: Connection,
  deps: Pick<ConnectionEndpoints, 'test' | 'nowAt'>,
): Promise<GridError | undefined> {
  const query = resolveTestQuery({ ...checkQuery, range: 'last hour' }, deps.nowAt(connection));
  const title = t("Testing '{0}' with one request", connection.name);
  try {
    await runWithProgress(title, query.dataset, async options => deps.test(query, connection, options));
    return undefined;
  } catch (error) {
    if (!(error instanceof GridError) || error.reason === 'cancelled') throw error;
    return error;
  }
}

type OnWait = NonNullable<ApiRequest['onWait']>;

/** Returns the result of a run and reports its waits to `onWait`. */
async function awaitResult(run: Run, onWait: OnWait): Promise<Result> {
  for await (const event of run) if (event.type === 'waiting') onWait(event.ms, event.failed);
  return run.result;
}

function resolveTestQuery(query: Query, now: number): ServiceQuery {
  const outcome = resolveQuery(query, now);
  if (outcome.ok && isServiceQuery(outcome.value)) return outcome.value;
  throw new Error(`the connection test has an invalid query: ${JSON.stringify(query)}`);
}

async function runWithProgress<T>(
  title: string,
  dataset: Pick<Dataset, 'id'>,
  task: (options: { readonly signal: AbortSignal; readonly onWait: OnWait }) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return withProgress(options, async (progress, signal) =>
    task({
      signal,
      onWait: (ms, failed) => progress.report({ message: failed ? formatRetry(ms, failed) : formatWait(ms, dataset) }),
    }),
  );
}
