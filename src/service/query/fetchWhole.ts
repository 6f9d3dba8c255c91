import { clipFrame } from '../../core/frame/clip.ts';
import { coverageOf } from '../../core/frame/coverage.ts';
import { describeFields, fieldsOf } from '../../core/frame/describeFields.ts';
import { GridError } from '../../core/errors.ts';
import { nextPublication } from '../../core/query/freshness.ts';
import { dependsOnZone, type ServiceQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { isSandboxSource } from '../../core/query/seriesKey.ts';
import type { PartFailure, Provenance, RequestTrace, Result } from '../../shared/result.ts';
import type { Price } from '../../core/query/plan.ts';
import type { Clock } from '../../core/ports.ts';
import type { Answer, AnswerFetcher } from '../client/answerFetcher.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { RequestAgreement } from './requestAgreement.ts';
import type { WireTrace } from '../client/requestTrace.ts';
import type { RunContext } from './run.ts';

export interface FetchWholeDeps {
  readonly fetcher: Pick<AnswerFetcher, 'fetch'>;
  readonly priceOf: (requests: number, query: ServiceQuery, endpoint: Endpoint) => Promise<Price>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Fetches the whole range with one request, without the archive. With refresh `never` the result has no rows. */
export async function fetchWhole(
  query: ServiceQuery,
  endpoint: Endpoint,
  context: RunContext,
  deps: FetchWholeDeps,
): Promise<Result> {
  const { signal, priority, emit } = context;
  const onWait = (ms: number, failed?: GridError): void => emit({ type: 'waiting', ms, failed });
  const agreement = new RequestAgreement(context, async requests => deps.priceOf(requests, query, endpoint));
  const onThrottled = (): void => emit({ type: 'throttled' });
  const options = { signal, onWait, onThrottled, priority, ...agreement.optionsOf(0) };
  const fetched = context.refresh === 'never' ? undefined : await deps.fetcher.fetch(query, endpoint, options);
  // Without a gate the response is never `AlreadyFetched`.
  const answer = fetched && 'unneeded' in fetched ? undefined : fetched;
  const { failure } = answer ?? {};
  if (failure?.reason === 'cancelled') throw new GridError('cancelled', { requestsSpent: answer?.requestsSpent ?? 0 });
  const now = deps.clock.now();
  const times = { answeredAt: now, sentAt: now, headAt: now };
  const decoded = { frame: { rowCount: 0, columns: [] }, meta: {} };
  const nothing: Answer = { decoded, bodies: [], traces: [], requestsSpent: 0, ...times, incomplete: false };
  return wholeResult(query, endpoint, answer ?? nothing, answer !== undefined);
}

/** Creates the result of a single response. */
export function wholeResult(query: ServiceQuery, endpoint: Endpoint, answer: Answer, asked = true): Result {
  const { frame, problem, meta } = answer.decoded;
  const clipped = frame && clipFrame(frame, query);
  const { requestsSpent, incomplete, answeredAt, failure, traces } = answer;
  const question = questionOf(query, endpoint);
  return {
    frame: clipped && describeFields(clipped.frame, fieldsOf(query.dataset, { ...question, meta })),
    ...(problem && { problem }),
    bodies: answer.bodies,
    coverage: clipped && coverageOf(clipped.frame, query, query.stepMs, { now: answeredAt, meta }),
    provenance: {
      ...question,
      fetchedAt: asked ? answeredAt : undefined,
      nextPublication: nextPublication(answeredAt),
      ...(failure && { failure: failureOf(failure, []) }),
      requestsSpent,
      ...(traces.length > 0 && { requests: tracesFor(query, traces) }),
      stepsKept: 0,
      rowsOutside: clipped?.rowsOutside ?? 0,
      incomplete: incomplete && !failure,
      meta,
    },
  };
}

/** Creates the part of the provenance that is known before anything is requested. */
export function questionOf(
  query: ServiceQuery,
  endpoint: Endpoint,
): Pick<
  Provenance,
  'connection' | 'sample' | 'dataset' | 'datasetTitle' | 'range' | 'start' | 'end' | 'interval' | 'timeZone' | 'params'
> {
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
export function failureOf({ reason, facts }: GridError, parts: readonly Span[]): PartFailure {
  return {
    reason,
    ...(facts.detail !== undefined && { detail: facts.detail }),
    ...(facts.status !== undefined && { status: facts.status }),
    ...(facts.refusedAt !== undefined && { refusedAt: facts.refusedAt }),
    stretches: parts.map(({ start, end }) => [start, end] as const),
  };
}

/** Adds to each request the hours that it was for. */
export function tracesFor({ start, end }: Span, traces: readonly WireTrace[]): RequestTrace[] {
  return traces.map(trace => ({ start, end, ...trace }));
}
