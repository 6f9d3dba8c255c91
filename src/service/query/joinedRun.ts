import { aggregateResultToDays } from '../../core/bins/aggregateResultToDays.ts';
import { GridError, keyRejectionReasons, catchGridError } from '../../core/errors.ts';
import { computeCoverage, joinCoverage, findDelayStart } from '../../core/frame/coverage.ts';
import { joinFrames } from '../../core/frame/joinFrames.ts';
import { splitIntoServiceQueries, type ResolvedQuery, type ServiceQuery } from '../../core/query/query.ts';
import { isSandboxData } from '../../core/query/serviceMeta.ts';
import { intervalState, type DatasetCoverage, type PartFailure } from '../../shared/result.ts';
import type { Provenance, Result, Revisions } from '../../shared/result.ts';
import { canJoinRows } from '../../shared/tableLimits.ts';
import { toPartFailure } from './fetchRange.ts';
import type { Progress, RunContext } from './run.ts';

/** The run of one of the joined datasets, with its result so far. */
interface Part {
  readonly query: ServiceQuery;
  outcome: Result | GridError | undefined;
  progress: Progress;
  isOver: boolean;
}

/**
 * Runs the queries of joined datasets concurrently, each with its own plan and budget, and joins their results. The rows of one are shown while
 * another waits. If one fails, the result has the rows of the others. `now` is by the service's clock, UTC milliseconds. Throws a GridError if all of them
 * fail, and `cancelled` if the user declines the requests of any dataset.
 */
export async function runJoined(
  query: ResolvedQuery,
  context: RunContext,
  now: () => number,
  runQuery: (query: ServiceQuery, context: RunContext) => Promise<Result>,
): Promise<Result> {
  const initialState = { outcome: undefined, progress: { done: 0, total: 1 }, isOver: false };
  const parts: readonly Part[] = splitIntoServiceQueries(query).map(serviceQuery => ({
    query: serviceQuery,
    ...initialState,
  }));
  const aborter = new AbortController();
  const signal = AbortSignal.any([context.signal, aborter.signal]);
  let reporting = Promise.resolve();
  const report = (): void => {
    reporting = reporting.then(() => {
      // After the last part ends, the result follows.
      if (parts.every(({ isOver }) => isOver)) return;
      const hasRows = context.preview && parts.some(({ outcome }) => isResult(outcome));
      const partialResult = hasRows ? joinParts(query, parts, now()) : undefined;
      const sum = (name: keyof Progress): number => parts.reduce((total, { progress }) => total + progress[name], 0);
      context.emit({ type: 'progress', progress: { done: sum('done'), total: sum('total') }, partialResult });
    });
  };
  let lastConfirmation = Promise.resolve(true);
  const createContext = (part: Part): RunContext => ({
    ...context,
    signal,
    emit: event => {
      if (event.type === 'waiting') context.emit({ ...event, dataset: part.query.dataset.id });
      if (event.type === 'shared' || event.type === 'throttled') context.emit(event);
      if (event.type !== 'progress') return;
      part.progress = event.progress;
      part.outcome = event.partialResult;
      report();
    },
    // Confirmations are shown one after the other.
    confirm: async confirmation => {
      const request = { ...confirmation, dataset: part.query.dataset.id };
      return (lastConfirmation = lastConfirmation.then(
        async () => !signal.aborted && (await context.confirm(request)),
      ));
    },
  });
  const runPart = async (part: Part): Promise<void> => {
    try {
      part.outcome = await catchGridError(runQuery(part.query, createContext(part)));
    } catch (error) {
      if (error instanceof GridError) part.outcome = error;
      // An error that ends one run ends all: the user declined its requests, or it is a bug.
      aborter.abort();
      throw error;
    } finally {
      part.isOver = true;
    }
    if (isResult(part.outcome) && !part.outcome.frame) part.outcome = createNotTableError(part.outcome);
    part.progress = { done: part.progress.total, total: part.progress.total };
    report();
  };
  const outcomes = await Promise.allSettled(parts.map(runPart));
  await reporting;
  const rejection = outcomes.find(outcome => outcome.status === 'rejected');
  if (rejection) throw addRequestsSpent(rejection.reason, parts);
  return joinParts(query, parts, now());
}

/** Joins the results so far. Throws if there are none. */
function joinParts(query: ResolvedQuery, parts: readonly Part[], now: number): Result {
  const { intervalMs, days, dataset, params } = query;
  const results = parts.flatMap(part =>
    isResult(part.outcome) ? [{ ...part.outcome, id: part.query.dataset.id }] : [],
  );
  if (results.length === 0) throw addRequestsSpent(parts.find(part => part.outcome)?.outcome, parts);
  const frame = joinFrames(results);
  if (!canJoinRows(frame.columns.length, frame.rowCount))
    throw addRequestsSpent(new GridError('responseTooLarge'), parts);
  const coverages = parts.flatMap(part => getCoverage(part, now));
  const coverage = intervalMs === undefined ? undefined : joinCoverage(coverages, query, intervalMs);
  const revisions = joinAllRevisions(results);
  const provenance = {
    ...joinProvenance(results.map(result => result.provenance)),
    ...joinFailures(parts),
    dataset: dataset.id,
    datasetTitle: dataset.title,
    params,
    requestsSpent: sumRequests(parts),
    // Counts the intervals whose rows are all from the archive.
    archivedIntervals:
      coverage?.archived.filter((isArchived, index) => isArchived && coverage.states[index] === intervalState.present)
        .length ?? 0,
  };
  const bodies = results.flatMap(part => part.bodies);
  const result = { frame, bodies, coverage, ...(revisions && { revisions }), provenance };
  return days && intervalMs !== undefined ? aggregateResultToDays(result, days, intervalMs) : result;
}

/** Creates the error of a dataset whose JSON is not a table and has no rows to join. */
function createNotTableError({ provenance: { requestsSpent } }: Result): GridError {
  return new GridError('damagedResponse', { detail: 'the response is not a table', requestsSpent });
}

function isResult(outcome: Part['outcome']): outcome is Result {
  return outcome !== undefined && !(outcome instanceof GridError);
}

function sumRequests(parts: readonly Part[]): number {
  const spent = parts.map(
    ({ outcome }) => (isResult(outcome) ? outcome.provenance : outcome?.facts)?.requestsSpent ?? 0,
  );
  return spent.reduce((sum, count) => sum + count, 0);
}

/** Copies the error with the number of requests of all parts. */
function addRequestsSpent(error: unknown, parts: readonly Part[]): unknown {
  if (!(error instanceof GridError)) return error;
  return new GridError(error.reason, { ...error.facts, requestsSpent: sumRequests(parts) });
}

function getCoverage({ query, outcome }: Part, now: number): DatasetCoverage[] {
  const emptyFrame = { rowCount: 0, columns: [] };
  const failedCoverage = outcome && computeCoverage(emptyFrame, query, query.intervalMs, { now, failed: [query] });
  const coverage = isResult(outcome) ? outcome.coverage : failedCoverage;
  return coverage ? [{ title: query.dataset.title, coverage }] : [];
}

/** Joins the failures with the reason of the first; a rejected key takes precedence over other reasons. */
function joinFailures(parts: readonly Part[]): { readonly failure?: PartFailure } {
  const failures = parts.flatMap(({ query, outcome }): PartFailure[] => {
    const failure = isResult(outcome) ? outcome.provenance.failure : outcome && toPartFailure(outcome, [query]);
    return failure ? [{ ...failure, dataset: query.dataset.id }] : [];
  });
  const rejectionReasons: readonly string[] = keyRejectionReasons;
  const failure = failures.find(({ reason }) => rejectionReasons.includes(reason)) ?? failures[0];
  return failure ? { failure: { ...failure, ranges: failures.flatMap(({ ranges }) => ranges) } } : {};
}

function joinProvenance(provenances: readonly Provenance[]): Provenance {
  const requests = provenances.flatMap(provenance => provenance.requests ?? []);
  const archivedTimes = provenances.flatMap(({ oldestFetchedAt }) => oldestFetchedAt ?? []);
  const lateProvenance = provenances.find(({ meta }) => findDelayStart(meta) < Infinity);
  return {
    ...(provenances[0] as Provenance),
    ...(provenances.some(isSandboxData) && { sample: true }),
    ...(requests.length > 0 && { requests }),
    ...(archivedTimes.length > 0 && { oldestFetchedAt: Math.min(...archivedTimes) }),
    ...(lateProvenance && { meta: lateProvenance.meta }),
    fetchedAt: Math.max(...provenances.map(({ fetchedAt = 0 }) => fetchedAt)) || undefined,
    rowsOutside: provenances.reduce((sum, { rowsOutside }) => sum + rowsOutside, 0),
    incomplete: provenances.some(({ incomplete }) => incomplete),
  };
}

/** Joins revisions. An hour that the service changed in several datasets counts once. */
function joinAllRevisions(results: readonly (Result & { readonly id: string })[]): Revisions | undefined {
  const parts = results.flatMap(({ id, revisions }) => (revisions ? [{ id, ...revisions }] : []));
  if (parts.length === 0) return undefined;
  const previousFrame = joinFrames(parts.map(part => ({ id: part.id, frame: part.before })));
  const currentFrame = joinFrames(parts.map(part => ({ id: part.id, frame: part.after })));
  const withdrawn = Math.max(...parts.map(part => part.withdrawn));
  const changed = Math.max(previousFrame.rowCount, ...parts.map(part => part.revised + part.withdrawn));
  return {
    revised: changed - withdrawn,
    withdrawn,
    since: Math.min(...parts.map(({ since }) => since)),
    before: previousFrame,
    after: currentFrame,
  };
}
