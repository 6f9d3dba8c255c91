import { clipFrame } from '../../core/frame/clip.ts';
import { computeCoverage } from '../../core/frame/coverage.ts';
import { describeFields, getResponseFields } from '../../core/frame/describeFields.ts';
import { GridError } from '../../core/errors.ts';
import { nextPublication } from '../../core/query/freshness.ts';
import { dependsOnZone, type ServiceQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { isSandboxSource } from '../../core/query/seriesKey.ts';
import type { PartFailure, Provenance, RequestTrace, Result } from '../../shared/result.ts';
import type { Price } from '../../core/query/requestPlan.ts';
import type { Clock } from '../../core/ports.ts';
import type { FetchedResponse, ResponseFetcher } from '../client/responseFetcher.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { RequestConfirmations } from './requestConfirmations.ts';
import type { WireTrace } from '../client/requestTrace.ts';
import type { RunContext } from './run.ts';

export interface FetchRangeDeps {
  readonly fetcher: Pick<ResponseFetcher, 'fetch'>;
  readonly getPrice: (requests: number, query: ServiceQuery, endpoint: Endpoint) => Promise<Price>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Fetches the whole range with one request, without the archive. With refresh `never` the result has no rows. */
export async function fetchRange(
  query: ServiceQuery,
  endpoint: Endpoint,
  context: RunContext,
  deps: FetchRangeDeps,
): Promise<Result> {
  const { signal, priority, emit } = context;
  const onWait = (ms: number, failed?: GridError): void => emit({ type: 'waiting', ms, failed });
  const confirmations = new RequestConfirmations(context, async requests => deps.getPrice(requests, query, endpoint));
  const onThrottled = (): void => emit({ type: 'throttled' });
  const options = { signal, onWait, onThrottled, priority, ...confirmations.createOptions(0) };
  const fetched = context.refresh === 'never' ? undefined : await deps.fetcher.fetch(query, endpoint, options);
  // Without a gate the response is never `AlreadyFetched`.
  const response = fetched && 'unneeded' in fetched ? undefined : fetched;
  const { failure } = response ?? {};
  if (failure?.reason === 'cancelled')
    throw new GridError('cancelled', { requestsSpent: response?.requestsSpent ?? 0 });
  const now = deps.clock.now();
  const times = { respondedAt: now, sentAt: now, headAt: now };
  const decoded = { frame: { rowCount: 0, columns: [] }, meta: {} };
  const emptyResponse: FetchedResponse = {
    decoded,
    bodies: [],
    traces: [],
    requestsSpent: 0,
    ...times,
    incomplete: false,
  };
  return createResult(query, endpoint, response ?? emptyResponse, response !== undefined);
}

/** Creates the result of a single response. */
export function createResult(
  query: ServiceQuery,
  endpoint: Endpoint,
  response: FetchedResponse,
  isRequested = true,
): Result {
  const { frame, problem, meta } = response.decoded;
  const clipped = frame && clipFrame(frame, query);
  const { requestsSpent, incomplete, respondedAt, failure, traces } = response;
  const provenance = createProvenance(query, endpoint);
  return {
    frame: clipped && describeFields(clipped.frame, getResponseFields(query.dataset, { ...provenance, meta })),
    ...(problem && { problem }),
    bodies: response.bodies,
    coverage: clipped && computeCoverage(clipped.frame, query, query.intervalMs, { now: respondedAt, meta }),
    provenance: {
      ...provenance,
      fetchedAt: isRequested ? respondedAt : undefined,
      nextPublication: nextPublication(respondedAt),
      ...(failure && { failure: toPartFailure(failure, []) }),
      requestsSpent,
      ...(traces.length > 0 && { requests: addRange(query, traces) }),
      archivedIntervals: 0,
      rowsOutside: clipped?.rowsOutside ?? 0,
      incomplete: incomplete && !failure,
      meta,
    },
  };
}

/** The part of the provenance that is known before anything is requested. */
type QueryProvenance = Pick<
  Provenance,
  'connection' | 'sample' | 'dataset' | 'datasetTitle' | 'range' | 'start' | 'end' | 'interval' | 'timeZone' | 'params'
>;

export function createProvenance(query: ServiceQuery, endpoint: Endpoint): QueryProvenance {
  const { dataset, range, start, end, interval, timeZone, params } = query;
  return {
    connection: endpoint.name,
    ...(isSandboxSource(endpoint.source) && { sample: true }),
    dataset: dataset.id,
    datasetTitle: dataset.title,
    range,
    start,
    end,
    interval,
    ...(dependsOnZone(query) && { timeZone }),
    params,
  };
}

/** Converts an error to the failure of a result. */
export function toPartFailure({ reason, facts }: GridError, parts: readonly Span[]): PartFailure {
  return {
    reason,
    ...(facts.detail !== undefined && { detail: facts.detail }),
    ...(facts.status !== undefined && { status: facts.status }),
    ...(facts.refusedAt !== undefined && { refusedAt: facts.refusedAt }),
    ranges: parts.map(({ start, end }) => [start, end] as const),
  };
}

/** Adds to each request the hours that it was for. */
export function addRange({ start, end }: Span, traces: readonly WireTrace[]): RequestTrace[] {
  return traces.map(trace => ({ start, end, ...trace }));
}
