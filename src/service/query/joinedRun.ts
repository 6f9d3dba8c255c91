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
 * another waits; if one fails, the others are the result. `now` is by the service's clock, UTC milliseconds. Throws a GridError if all of them
 * fail, and `cancelled` if the user declines the requests of one.
 */
export async function runJoined(
  query: ResolvedQuery,
  context: RunContext,
  now: () => number,
  runQuery: (query: ServiceQuery, context: RunContext) => Promise<Result>,
): Promise<Result> {
  const initial = { outcome: undefined, progress: { done: 0, total: 1 }, isOver: false };
  const parts: readonly Part[] = splitIntoServiceQueries(query).map(confirmed => ({ query: confirmed, ...initial }));
  const aborter = new AbortController();
  const signal = AbortSignal.any([context.signal, aborter.signal]);
  let reported = Promise.resolve();
  const report = (): void => {
    reported = reported.then(() => {
      // After the last part ends, the result follows.
      if (parts.every(({ isOver }) => isOver)) return;
      const hasRows = context.preview && parts.some(({ outcome }) => isResult(outcome));
      const partialResult = hasRows ? joinParts(query, parts, now()) : undefined;
      const sum = (name: keyof Progress): number => parts.reduce((total, { progress }) => total + progress[name], 0);
      context.emit({ type: 'progress', progress: { done: sum('done'), total: sum('total') }, partialResult });
    });
  };
  let confirmed = Promise.resolve(true);
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
    confirm: async question => {
      const request = { ...question, dataset: part.query.dataset.id };
      return (confirmed = confirmed.then(async () => !signal.aborted && (await context.confirm(request))));
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
  await reported;
  const rejected = outcomes.find(outcome => outcome.status === 'rejected');
  if (rejected) throw addRequestsSpent(rejected.reason, parts);
  return joinParts(query, parts, now());
}

/** Joins the results so far. Throws if there are none. */
function joinParts(query: ResolvedQuery, parts: readonly Part[], now: number): Result {
  const { stepMs, days, dataset, params } = query;
  const outcome = parts.flatMap(part =>
    isResult(part.outcome) ? [{ ...part.outcome, id: part.query.dataset.id }] : [],
  );
  if (outcome.length === 0) throw addRequestsSpent(parts.find(part => part.outcome)?.outcome, parts);
  const frame = joinFrames(outcome);
  if (!canJoinRows(frame.columns.length, frame.rowCount))
    throw addRequestsSpent(new GridError('responseTooLarge'), parts);
  const coverages = parts.flatMap(part => getCoverage(part, now));
  const coverage = stepMs === undefined ? undefined : joinCoverage(coverages, query, stepMs);
  const revisions = joinAllRevisions(outcome);
  const provenance = {
    ...joinProvenance(outcome.map(one => one.provenance)),
    ...joinFailures(parts),
    dataset: dataset.id,
    datasetTitle: dataset.title,
    params,
    requestsSpent: sumRequests(parts),
    // Counts the intervals whose rows are all from the archive.
    stepsKept:
      coverage?.archived.filter((kept, step) => kept && coverage.states[step] === intervalState.present).length ?? 0,
  };
  const bodies = outcome.flatMap(one => one.bodies);
  const result = { frame, bodies, coverage, ...(revisions && { revisions }), provenance };
  return days && stepMs !== undefined ? aggregateResultToDays(result, days, stepMs) : result;
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
  const failedCoverage = outcome && computeCoverage(emptyFrame, query, query.stepMs, { now, failed: [query] });
  const coverage = isResult(outcome) ? outcome.coverage : failedCoverage;
  return coverage ? [{ title: query.dataset.title, coverage }] : [];
}

/** Joins the failures with the reason of the first; a refused key takes precedence over other reasons. */
function joinFailures(parts: readonly Part[]): { readonly failure?: PartFailure } {
  const failures = parts.flatMap(({ query, outcome }): PartFailure[] => {
    const failure = isResult(outcome) ? outcome.provenance.failure : outcome && toPartFailure(outcome, [query]);
    return failure ? [{ ...failure, dataset: query.dataset.id }] : [];
  });
  const refusals: readonly string[] = keyRejectionReasons;
  const failure = failures.find(({ reason }) => refusals.includes(reason)) ?? failures[0];
  return failure ? { failure: { ...failure, stretches: failures.flatMap(({ stretches }) => stretches) } } : {};
}

function joinProvenance(provenances: readonly Provenance[]): Provenance {
  const requests = provenances.flatMap(one => one.requests ?? []);
  const keptTimes = provenances.flatMap(({ keptSince }) => keptSince ?? []);
  const lateProvenance = provenances.find(({ meta }) => findDelayStart(meta) < Infinity);
  return {
    ...(provenances[0] as Provenance),
    ...(provenances.some(isSandboxData) && { sample: true }),
    ...(requests.length > 0 && { requests }),
    ...(keptTimes.length > 0 && { keptSince: Math.min(...keptTimes) }),
    ...(lateProvenance && { meta: lateProvenance.meta }),
    fetchedAt: Math.max(...provenances.map(({ fetchedAt = 0 }) => fetchedAt)) || undefined,
    rowsOutside: provenances.reduce((sum, { rowsOutside }) => sum + rowsOutside, 0),
    incomplete: provenances.some(({ incomplete }) => incomplete),
  };
}

/** Joins revisions. An hour that the service changed in several datasets counts once. */
function joinAllRevisions(outcome: readonly (Result & { readonly id: string })[]): Revisions | undefined {
  const parts = outcome.flatMap(({ id, revisions }) => (revisions ? [{ id, ...revisions }] : []));
  if (parts.length === 0) return undefined;
  const before = joinFrames(parts.map(one => ({ id: one.id, frame: one.before })));
  const after = joinFrames(parts.map(one => ({ id: one.id, frame: one.after })));
  const withdrawn = Math.max(...parts.map(one => one.withdrawn));
  const changed = Math.max(before.rowCount, ...parts.map(one => one.revised + one.withdrawn));
  return {
    revised: changed - withdrawn,
    withdrawn,
    since: Math.min(...parts.map(({ since }) => since)),
    before,
    after,
  };
}
