import { daysOfResult } from '../../core/bins/daysOfResult.ts';
import { GridError, keyRefusals, orFailure } from '../../core/errors.ts';
import { coverageOf, joinedCoverage, lateAfter } from '../../core/frame/coverage.ts';
import { joinFrames } from '../../core/frame/joinFrames.ts';
import { serviceQueries, type ResolvedQuery, type ServiceQuery } from '../../core/query/query.ts';
import { isSandboxData } from '../../core/query/serviceMeta.ts';
import { stepState, type PartCoverage, type PartFailure } from '../../shared/result.ts';
import type { Provenance, Result, Revisions } from '../../shared/result.ts';
import { canJoin } from '../../shared/tableLimits.ts';
import { failureOf } from './fetchWhole.ts';
import type { Progress, RunContext } from './run.ts';

/** The run of one of the joined datasets, with its result so far. */
interface Part {
  readonly query: ServiceQuery;
  come: Result | GridError | undefined;
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
  resultOf: (query: ServiceQuery, context: RunContext) => Promise<Result>,
): Promise<Result> {
  const begun = { come: undefined, progress: { done: 0, total: 1 }, isOver: false };
  const parts: readonly Part[] = serviceQueries(query).map(asked => ({ query: asked, ...begun }));
  const aborter = new AbortController();
  const signal = AbortSignal.any([context.signal, aborter.signal]);
  let reported = Promise.resolve();
  const report = (): void => {
    reported = reported.then(() => {
      // After the last part ends, the result follows.
      if (parts.every(({ isOver }) => isOver)) return;
      const hasRows = context.preview && parts.some(({ come }) => isResult(come));
      const soFar = hasRows ? joinParts(query, parts, now()) : undefined;
      const sum = (name: keyof Progress): number => parts.reduce((all, { progress }) => all + progress[name], 0);
      context.emit({ type: 'progress', progress: { done: sum('done'), total: sum('total') }, soFar });
    });
  };
  let asked = Promise.resolve(true);
  const contextOf = (part: Part): RunContext => ({
    ...context,
    signal,
    emit: event => {
      if (event.type === 'waiting') context.emit({ ...event, dataset: part.query.dataset.id });
      if (event.type === 'shared' || event.type === 'throttled') context.emit(event);
      if (event.type !== 'progress') return;
      part.progress = event.progress;
      part.come = event.soFar;
      report();
    },
    // Confirmations are shown one after the other.
    ask: async question => {
      const about = { ...question, dataset: part.query.dataset.id };
      return (asked = asked.then(async () => !signal.aborted && (await context.ask(about))));
    },
  });
  const runPart = async (part: Part): Promise<void> => {
    try {
      part.come = await orFailure(resultOf(part.query, contextOf(part)));
    } catch (error) {
      if (error instanceof GridError) part.come = error;
      // An error that ends one run ends all: the user declined its requests, or it is a bug.
      aborter.abort();
      throw error;
    } finally {
      part.isOver = true;
    }
    if (isResult(part.come) && !part.come.frame) part.come = untabular(part.come);
    part.progress = { done: part.progress.total, total: part.progress.total };
    report();
  };
  const outcomes = await Promise.allSettled(parts.map(runPart));
  await reported;
  const rejected = outcomes.find(outcome => outcome.status === 'rejected');
  if (rejected) throw withSpent(rejected.reason, parts);
  return joinParts(query, parts, now());
}

/** Joins the results so far. Throws if there are none. */
function joinParts(query: ResolvedQuery, parts: readonly Part[], now: number): Result {
  const { stepMs, days, dataset, params } = query;
  const come = parts.flatMap(part => (isResult(part.come) ? [{ ...part.come, id: part.query.dataset.id }] : []));
  if (come.length === 0) throw withSpent(parts.find(part => part.come)?.come, parts);
  const frame = joinFrames(come);
  if (!canJoin(frame.columns.length, frame.rowCount)) throw withSpent(new GridError('responseTooLarge'), parts);
  const coverages = parts.flatMap(part => partCoverage(part, now));
  const coverage = stepMs === undefined ? undefined : joinedCoverage(coverages, query, stepMs);
  const revisions = joinedRevisions(come);
  const provenance = {
    ...joinedProvenance(come.map(one => one.provenance)),
    ...joinedFailure(parts),
    dataset: dataset.id,
    datasetTitle: dataset.title,
    params,
    requestsSpent: spentBy(parts),
    // Counts the intervals whose rows are all from the archive.
    stepsKept:
      coverage?.archived.filter((kept, step) => kept && coverage.states[step] === stepState.present).length ?? 0,
  };
  const bodies = come.flatMap(one => one.bodies);
  const result = { frame, bodies, coverage, ...(revisions && { revisions }), provenance };
  return days && stepMs !== undefined ? daysOfResult(result, days, stepMs) : result;
}

/** Creates the error of a dataset whose JSON is not a table and has no rows to join. */
function untabular({ provenance: { requestsSpent } }: Result): GridError {
  return new GridError('damagedResponse', { detail: 'the response is not a table', requestsSpent });
}

function isResult(come: Part['come']): come is Result {
  return come !== undefined && !(come instanceof GridError);
}

function spentBy(parts: readonly Part[]): number {
  const spent = parts.map(({ come }) => (isResult(come) ? come.provenance : come?.facts)?.requestsSpent ?? 0);
  return spent.reduce((sum, one) => sum + one, 0);
}

/** Copies the error with the number of requests of all parts. */
function withSpent(error: unknown, parts: readonly Part[]): unknown {
  if (!(error instanceof GridError)) return error;
  return new GridError(error.reason, { ...error.facts, requestsSpent: spentBy(parts) });
}

function partCoverage({ query, come }: Part, now: number): PartCoverage[] {
  const none = { rowCount: 0, columns: [] };
  const ofFailed = come && coverageOf(none, query, query.stepMs, { now, failed: [query] });
  const coverage = isResult(come) ? come.coverage : ofFailed;
  return coverage ? [{ title: query.dataset.title, coverage }] : [];
}

/** Joins the failures with the reason of the first; a refused key takes precedence over other reasons. */
function joinedFailure(parts: readonly Part[]): { readonly failure?: PartFailure } {
  const failures = parts.flatMap(({ query, come }): PartFailure[] => {
    const failure = isResult(come) ? come.provenance.failure : come && failureOf(come, [query]);
    return failure ? [{ ...failure, dataset: query.dataset.id }] : [];
  });
  const refusals: readonly string[] = keyRefusals;
  const failure = failures.find(({ reason }) => refusals.includes(reason)) ?? failures[0];
  return failure ? { failure: { ...failure, stretches: failures.flatMap(({ stretches }) => stretches) } } : {};
}

function joinedProvenance(all: readonly Provenance[]): Provenance {
  const requests = all.flatMap(one => one.requests ?? []);
  const kept = all.flatMap(({ keptSince }) => keptSince ?? []);
  const late = all.find(({ meta }) => lateAfter(meta) < Infinity);
  return {
    ...(all[0] as Provenance),
    ...(all.some(isSandboxData) && { sample: true }),
    ...(requests.length > 0 && { requests }),
    ...(kept.length > 0 && { keptSince: Math.min(...kept) }),
    ...(late && { meta: late.meta }),
    fetchedAt: Math.max(...all.map(({ fetchedAt = 0 }) => fetchedAt)) || undefined,
    rowsOutside: all.reduce((sum, { rowsOutside }) => sum + rowsOutside, 0),
    incomplete: all.some(({ incomplete }) => incomplete),
  };
}

/** Joins revisions. An hour that the service changed in several datasets counts once. */
function joinedRevisions(come: readonly (Result & { readonly id: string })[]): Revisions | undefined {
  const all = come.flatMap(({ id, revisions }) => (revisions ? [{ id, ...revisions }] : []));
  if (all.length === 0) return undefined;
  const before = joinFrames(all.map(one => ({ id: one.id, frame: one.before })));
  const after = joinFrames(all.map(one => ({ id: one.id, frame: one.after })));
  const withdrawn = Math.max(...all.map(one => one.withdrawn));
  const changed = Math.max(before.rowCount, ...all.map(one => one.revised + one.withdrawn));
  return { revised: changed - withdrawn, withdrawn, since: Math.min(...all.map(({ since }) => since)), before, after };
}
