import { setImmediate } from 'node:timers/promises';
import { daysOfResult } from '../../core/bins/daysOfResult.ts';
import { withKnownHours, type KnownSteps } from '../../core/bins/knownHours.ts';
import { clipFrame, countOutside, extentOf, timeColumnOf } from '../../core/frame/clip.ts';
import { lateAfter } from '../../core/frame/coverage.ts';
import { endTheRun, GridError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { type Span, beside, boundingRange } from '../../core/range/resolveRange.ts';
import type { Result } from '../../shared/result.ts';
import type { Answer } from '../client/answerFetcher.ts';
import type { Unneeded } from '../client/apiClient.ts';
import type { Archive } from '../archive/archive.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { tracesFor, wholeResult, type FetchWholeDeps } from './fetchWhole.ts';
import type { FetchPlan } from './fetchPlan.ts';
import { RequestAgreement } from './requestAgreement.ts';
import type { QueryPlanner, QueryPlannerDeps, SteppedQuery } from './queryPlanner.ts';
import type { ResultBuilder } from './resultBuilder.ts';
import type { Progress, RunContext } from './run.ts';
import { SeriesLease, type SeriesLock } from './seriesLease.ts';
import type { ServiceClock } from '../client/serviceClock.ts';

export interface PlannedRunDeps extends QueryPlannerDeps, FetchWholeDeps {
  readonly archive: Pick<Archive, 'read' | 'merge'>;
  readonly lock: Pick<SeriesLock, 'take' | 'isTaken' | 'version'>;
  readonly clock: Clock;
  readonly serviceClock: Pick<ServiceClock, 'now' | 'offset' | 'update' | 'askedAt'>;
}

/** How a part ended. `finished`: without a request, or with a response that allows no conclusion about the service's limits. */
type PartOutcome = 'answered' | 'finished' | { readonly rest: readonly Span[]; readonly error: GridError };

/** Executes a plan: sends its requests and builds the result from their responses and the archive. */
export class PlannedRun {
  readonly #planner: QueryPlanner;
  readonly #query: SteppedQuery;
  readonly #endpoint: Endpoint;
  readonly #context: RunContext;
  readonly #deps: PlannedRunDeps;
  readonly #hours: KnownSteps | undefined;
  readonly #builder: ResultBuilder;
  readonly #agreement: RequestAgreement;
  /** A response that is not a table of hours. It is shown as text, and the run ends. */
  #untabular: Answer | undefined;
  #written: Promise<void> = Promise.resolve();

  /** `hours`: the archived hours of the range, for daily values. */
  constructor(
    planner: QueryPlanner,
    endpoint: Endpoint,
    context: RunContext,
    deps: PlannedRunDeps,
    hours: KnownSteps | undefined,
  ) {
    const { query, builder } = planner;
    this.#planner = planner;
    this.#query = query;
    this.#endpoint = endpoint;
    this.#context = context;
    this.#deps = deps;
    this.#hours = hours;
    this.#builder = builder;
    this.#agreement = new RequestAgreement(context, async requests => deps.priceOf(requests, query, endpoint));
  }

  /** Resolves once all responses are in the archive and other windows may lock the series. Never rejects. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Resolves to the result as soon as it is known; `written` resolves when it is in the archive. */
  async run(): Promise<Result> {
    return this.#withDays(await this.#carryOut());
  }

  async #carryOut(): Promise<Result> {
    const { refresh, maxRequests = Infinity } = this.#context;
    const plan = await this.#planner.plan();
    if (refresh === 'never') return this.#result();
    if (plan.length > 0 && this.#builder.hasRows) await this.#report({ done: 0, total: plan.total });
    while (plan.length > 0 && !this.#untabular) {
      const isAgreed = await this.#agreement.mayPlan(plan.length, () => this.#builder.keptSteps());
      if (!isAgreed) throw new GridError('cancelled', { requestsSpent: this.#builder.requestsSpent });
      const part = plan.next();
      if (part && !(await this.#carryOutPart(part, plan))) plan.giveUp(rest => this.#builder.failed(rest));
      else await this.#planner.planAgain();
      if (plan.length > 0 && this.#builder.requestsSpent >= maxRequests) return this.#result();
      // After the last part the result follows.
      if (plan.length > 0) await this.#report({ done: plan.done, total: plan.total });
    }
    const { requestsSpent } = this.#builder;
    if (this.#untabular) return wholeResult(this.#query, this.#endpoint, { ...this.#untabular, requestsSpent });
    this.#builder.throwIfNothingCame();
    return this.#result();
  }

  async #result(): Promise<Result> {
    const due = this.#planner.dueSteps();
    // Each pass over a million intervals takes some milliseconds: other work may run in between.
    await setImmediate();
    return this.#builder.result(due);
  }

  async #report(progress: Progress): Promise<void> {
    const { preview, emit } = this.#context;
    await setImmediate();
    const soFar = preview ? this.#withDays(this.#builder.result(new Uint8Array())) : undefined;
    emit({ type: 'progress', progress, soFar });
    // Readers of the run can show it before the next part blocks this thread.
    await setImmediate();
  }

  /** Aggregates hours to days of a zone, or adds the known hours to the service's own days. */
  #withDays(result: Result): Result {
    const { days, stepMs, interval } = this.#query;
    if (days) return daysOfResult(result, days, stepMs);
    return interval === '1d' ? withKnownHours(result, this.#builder.askedAt, this.#hours) : result;
  }

  /** Fetches one part. Returns false if no further part can succeed. */
  async #carryOutPart(part: Span, plan: FetchPlan): Promise<boolean> {
    const outcome = await this.#fetchLeased(part, plan.length);
    if (outcome === 'answered') await plan.succeeded(part);
    if (outcome === 'finished') plan.finished();
    if (typeof outcome === 'string') return true;
    const { rest, error } = outcome;
    if (this.#context.signal.aborted) throw new GridError('cancelled', { requestsSpent: this.#builder.requestsSpent });
    if (rest.includes(part) && (await plan.shorten(part, error))) return true;
    this.#builder.failed(rest, error);
    return !endTheRun.includes(error.reason) && !plan.failedAgain();
  }

  /** Fetches a part with a lease of its series. `remaining`: the number of parts that are still to be requested. */
  async #fetchLeased(part: Span, others: number): Promise<PartOutcome> {
    await this.#written;
    const isWanted = async (): Promise<boolean> => this.#planner.isWanted(part);
    // Another window may have fetched these hours while this one was busy.
    if (!(await isWanted())) return 'finished';
    const { signal, emit } = this.#context;
    const onShared = (waits: boolean): void => emit({ type: 'shared', waits });
    const lease = new SeriesLease(this.#deps, this.#planner.series, { signal, onShared }, isWanted);
    let writing: Promise<unknown> | undefined;
    try {
      const fetched = await this.#fetch(part, lease, others);
      this.#builder.spent(fetched.requestsSpent);
      if ('unneeded' in fetched || (fetched.failure && lease.fetchedElsewhere)) return 'finished';
      const { outcome, write } = await this.#receive(part, fetched);
      writing = write?.();
      return outcome;
    } catch (error) {
      if (!(error instanceof GridError)) throw error;
      this.#builder.spent(error.facts.requestsSpent ?? 0);
      return lease.fetchedElsewhere ? 'finished' : { rest: [part], error };
    } finally {
      // Written in the background: the next run of this series awaits it.
      if (writing) this.#written = writing.then(async () => lease.end());
      else await lease.end();
    }
  }

  async #fetch(part: Span, lease: SeriesLease, others: number): Promise<Answer | Unneeded> {
    const { priority, emit } = this.#context;
    return this.#deps.fetcher.fetch({ ...this.#query, ...part }, this.#endpoint, {
      signal: lease.signal,
      onWait: (ms, failed) => {
        lease.waits();
        emit({ type: 'waiting', ms, failed });
      },
      onThrottled: () => emit({ type: 'throttled' }),
      priority,
      gate: lease,
      ...this.#agreement.optionsOf(others, lease),
    });
  }

  /** Adds a response to the result, even if one of its pages failed. `write` stores it in the archive and never rejects. */
  async #receive(
    part: Span,
    answer: Answer,
  ): Promise<{ readonly outcome: PartOutcome; readonly write?: () => Promise<unknown> }> {
    const { archive, serviceClock } = this.#deps;
    const { source } = this.#endpoint;
    const { failure, decoded } = answer;
    const { frame, meta } = decoded;
    const problem = frame && !this.#builder.takes(frame) ? 'tooManyCells' : decoded.problem;
    if (!frame || problem || (frame.rowCount > 0 && !timeColumnOf(frame))) {
      // If one part is not a table, the others are still shown.
      const isTooLarge = problem !== undefined && problem !== 'notRecords';
      const detail = isTooLarge ? 'the response is too large for a table' : 'the response is not a table';
      const error = failure ?? new GridError('damagedResponse', { detail });
      if (failure || this.#builder.hasRows) return { outcome: { rest: [part], error } };
      this.#untabular = answer;
      return { outcome: 'finished' };
    }
    await serviceClock.update(source, answer);
    this.#builder.now = serviceClock.now(source);
    const clipped = clipFrame(frame, part, answer.incomplete);
    // Missing pages and late data do not remove archived rows.
    const completeUntil = answer.incomplete ? part.start : lateAfter(meta) + 1;
    const archived = { frame: clipped.frame, askedAt: serviceClock.askedAt(source, answer), meta, completeUntil };
    // The request may include rows for other queries of the group.
    const rowsOutside = countOutside(frame, boundingRange(part, this.#query));
    // If pages are missing, hours after the last row may have rows too.
    const answered = answer.incomplete ? extentOf(clipped.frame, part, this.#query.stepMs) : part;
    const incomplete = answer.incomplete && !failure;
    const requests = tracesFor(part, answer.traces);
    this.#builder.received(answered, archived, { bodies: answer.bodies, requests, rowsOutside, incomplete });
    const write = async (): Promise<boolean> =>
      archive.merge(this.#planner.series, this.#query.stepMs, answered, archived);
    return { write, outcome: failure ? { rest: beside(answered, part), error: failure } : 'answered' };
  }
}
