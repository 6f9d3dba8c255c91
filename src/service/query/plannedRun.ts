import { setImmediate } from 'node:timers/promises';
import { aggregateResultToDays } from '../../core/bins/aggregateResultToDays.ts';
import { addKnownHours, type KnownIntervals } from '../../core/bins/knownHours.ts';
import { clipFrame, countRowsOutside, findExtent, findTimeColumn } from '../../core/frame/clip.ts';
import { findDelayStart } from '../../core/frame/coverage.ts';
import { fatalReasons, GridError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { type Span, subtractSpan, boundingRange } from '../../core/range/resolveRange.ts';
import type { Result } from '../../shared/result.ts';
import type { FetchedResponse } from '../client/responseFetcher.ts';
import type { AlreadyFetched } from '../client/apiClient.ts';
import type { Archive } from '../archive/archive.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { addRange, createResult, type FetchRangeDeps } from './fetchRange.ts';
import type { FetchPlan } from './fetchPlan.ts';
import { RequestConfirmations } from './requestConfirmations.ts';
import type { QueryPlanner, QueryPlannerDeps, IntervalQuery } from './queryPlanner.ts';
import type { ResultBuilder } from './resultBuilder.ts';
import type { Progress, RunContext } from './run.ts';
import { SeriesLease, type SeriesLock } from './seriesLease.ts';
import type { ServiceClock } from '../client/serviceClock.ts';

export interface PlannedRunDeps extends QueryPlannerDeps, FetchRangeDeps {
  readonly archive: Pick<Archive, 'read' | 'merge'>;
  readonly lock: Pick<SeriesLock, 'acquire' | 'isHeldElsewhere' | 'readVersion'>;
  readonly clock: Clock;
  readonly serviceClock: Pick<ServiceClock, 'now' | 'offset' | 'update' | 'getRequestTime'>;
}

/** How a part ended. `finished`: without a request, or with a response that allows no conclusion about the service's limits. */
type PartOutcome = 'succeeded' | 'finished' | { readonly rest: readonly Span[]; readonly error: GridError };

/** Executes a plan: sends its requests and builds the result from their responses and the archive. */
export class PlannedRun {
  readonly #planner: QueryPlanner;
  readonly #query: IntervalQuery;
  readonly #endpoint: Endpoint;
  readonly #context: RunContext;
  readonly #deps: PlannedRunDeps;
  readonly #hours: KnownIntervals | undefined;
  readonly #builder: ResultBuilder;
  readonly #confirmations: RequestConfirmations;
  /** A response that is not a table of hours. It is shown as text, and the run ends. */
  #nonTableResponse: FetchedResponse | undefined;
  #archiving: Promise<void> = Promise.resolve();

  /** `hours`: the archived hours of the range, for daily values. */
  constructor(
    planner: QueryPlanner,
    endpoint: Endpoint,
    context: RunContext,
    deps: PlannedRunDeps,
    hours: KnownIntervals | undefined,
  ) {
    const { query, builder } = planner;
    this.#planner = planner;
    this.#query = query;
    this.#endpoint = endpoint;
    this.#context = context;
    this.#deps = deps;
    this.#hours = hours;
    this.#builder = builder;
    this.#confirmations = new RequestConfirmations(context, async requests => deps.getPrice(requests, query, endpoint));
  }

  /** Resolves once all responses are in the archive and other windows may lock the series. Never rejects. */
  get archived(): Promise<void> {
    return this.#archiving;
  }

  /** Resolves to the result as soon as it is known; `archived` resolves when it is in the archive. */
  async run(): Promise<Result> {
    return this.#addDays(await this.#execute());
  }

  async #execute(): Promise<Result> {
    const { refresh, maxRequests = Infinity } = this.#context;
    const plan = await this.#planner.plan();
    if (refresh === 'never') return this.#buildResult();
    if (plan.length > 0 && this.#builder.hasRows) await this.#report({ done: 0, total: plan.total });
    while (plan.length > 0 && !this.#nonTableResponse) {
      const isConfirmed = await this.#confirmations.confirmPlan(plan.length, () => this.#builder.countArchived());
      if (!isConfirmed) throw new GridError('cancelled', { requestsSpent: this.#builder.requestsSpent });
      const part = plan.takeNext();
      if (part && !(await this.#executePart(part, plan))) plan.giveUp(rest => this.#builder.addFailure(rest));
      else await this.#planner.replan();
      if (plan.length > 0 && this.#builder.requestsSpent >= maxRequests) return this.#buildResult();
      // After the last part the result follows.
      if (plan.length > 0) await this.#report({ done: plan.done, total: plan.total });
    }
    const { requestsSpent } = this.#builder;
    if (this.#nonTableResponse)
      return createResult(this.#query, this.#endpoint, { ...this.#nonTableResponse, requestsSpent });
    this.#builder.throwIfEmpty();
    return this.#buildResult();
  }

  async #buildResult(): Promise<Result> {
    const due = this.#planner.getDueIntervals();
    // Each pass over a million intervals takes some milliseconds, so other work may run before the next one.
    await setImmediate();
    return this.#builder.build(due);
  }

  async #report(progress: Progress): Promise<void> {
    const { preview, emit } = this.#context;
    await setImmediate();
    const partialResult = preview ? this.#addDays(this.#builder.build(new Uint8Array())) : undefined;
    emit({ type: 'progress', progress, partialResult });
    // Lets readers of the run show the rows before the next part blocks this thread.
    await setImmediate();
  }

  /** Aggregates hours to days of a zone, or adds the known hours to the service's own days. */
  #addDays(result: Result): Result {
    const { days, intervalMs, interval } = this.#query;
    if (days) return aggregateResultToDays(result, days, intervalMs);
    return interval === '1d' ? addKnownHours(result, this.#builder.requestedAt, this.#hours) : result;
  }

  /** Fetches one part. Returns false if no further part can succeed. */
  async #executePart(part: Span, plan: FetchPlan): Promise<boolean> {
    const outcome = await this.#fetchWithLease(part, plan.length);
    if (outcome === 'succeeded') await plan.succeed(part);
    if (outcome === 'finished') plan.skip();
    if (typeof outcome === 'string') return true;
    const { rest, error } = outcome;
    if (this.#context.signal.aborted) throw new GridError('cancelled', { requestsSpent: this.#builder.requestsSpent });
    if (rest.includes(part) && (await plan.shorten(part, error))) return true;
    this.#builder.addFailure(rest, error);
    return !fatalReasons.includes(error.reason) && !plan.fail();
  }

  /** Fetches a part with a lease of its series. `remaining`: the number of parts that are still to be requested. */
  async #fetchWithLease(part: Span, remaining: number): Promise<PartOutcome> {
    await this.#archiving;
    const isStillDue = async (): Promise<boolean> => this.#planner.isStillDue(part);
    // Another window may have fetched these hours while this one was busy.
    if (!(await isStillDue())) return 'finished';
    const { signal, emit } = this.#context;
    const onWaiting = (isWaiting: boolean): void => emit({ type: 'shared', isWaiting });
    const lease = new SeriesLease(this.#deps, this.#planner.series, { signal, onWaiting }, isStillDue);
    let writing: Promise<unknown> | undefined;
    try {
      const response = await this.#fetch(part, lease, remaining);
      this.#builder.addRequestsSpent(response.requestsSpent);
      if ('unneeded' in response || (response.failure && lease.isFetchedElsewhere)) return 'finished';
      const { outcome, write } = await this.#receive(part, response);
      writing = write?.();
      return outcome;
    } catch (error) {
      if (!(error instanceof GridError)) throw error;
      this.#builder.addRequestsSpent(error.facts.requestsSpent ?? 0);
      return lease.isFetchedElsewhere ? 'finished' : { rest: [part], error };
    } finally {
      // Written in the background: the next run of this series awaits it.
      if (writing) this.#archiving = writing.then(async () => lease.end());
      else await lease.end();
    }
  }

  async #fetch(part: Span, lease: SeriesLease, remaining: number): Promise<FetchedResponse | AlreadyFetched> {
    const { priority, emit } = this.#context;
    return this.#deps.fetcher.fetch({ ...this.#query, ...part }, this.#endpoint, {
      signal: lease.signal,
      onWait: (ms, failed) => {
        lease.waitForPermit();
        emit({ type: 'waiting', ms, failed });
      },
      onThrottled: () => emit({ type: 'throttled' }),
      priority,
      gate: lease,
      ...this.#confirmations.createOptions(remaining, lease),
    });
  }

  /** Adds a response to the result, even if one of its pages failed. `write` stores it in the archive and never rejects. */
  async #receive(
    part: Span,
    response: FetchedResponse,
  ): Promise<{ readonly outcome: PartOutcome; readonly write?: () => Promise<unknown> }> {
    const { archive, serviceClock } = this.#deps;
    const { source } = this.#endpoint;
    const { failure, decoded } = response;
    const { frame, meta } = decoded;
    const problem = frame && !this.#builder.hasRoomFor(frame) ? 'tooManyCells' : decoded.problem;
    if (!frame || problem || (frame.rowCount > 0 && !findTimeColumn(frame))) {
      // If one part is not a table, the others are still shown.
      const isTooLarge = problem !== undefined && problem !== 'notRecords';
      const detail = isTooLarge ? 'the response is too large for a table' : 'the response is not a table';
      const error = failure ?? new GridError('damagedResponse', { detail });
      if (failure || this.#builder.hasRows) return { outcome: { rest: [part], error } };
      this.#nonTableResponse = response;
      return { outcome: 'finished' };
    }
    await serviceClock.update(source, response);
    this.#builder.now = serviceClock.now(source);
    const clipped = clipFrame(frame, part, response.incomplete);
    // Missing pages and late data do not remove archived rows.
    const completeUntil = response.incomplete ? part.start : findDelayStart(meta) + 1;
    const archived = {
      frame: clipped.frame,
      requestedAt: serviceClock.getRequestTime(source, response),
      meta,
      completeUntil,
    };
    // The request may include rows for other queries of the group.
    const rowsOutside = countRowsOutside(frame, boundingRange(part, this.#query));
    // If pages are missing, hours after the last row may have rows too.
    const coveredRange = response.incomplete ? findExtent(clipped.frame, part, this.#query.intervalMs) : part;
    const incomplete = response.incomplete && !failure;
    const requests = addRange(part, response.traces);
    this.#builder.addResponse(coveredRange, archived, { bodies: response.bodies, requests, rowsOutside, incomplete });
    const write = async (): Promise<boolean> =>
      archive.merge(this.#planner.series, this.#query.intervalMs, coveredRange, archived);
    return { write, outcome: failure ? { rest: subtractSpan(coveredRange, part), error: failure } : 'succeeded' };
  }
}
