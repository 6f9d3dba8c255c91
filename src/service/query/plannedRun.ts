import { setImmediate } from 'node:timers/promises';
import { daysOfResultSteps } from '../../core/bins/binFrame.ts';
import { withKnownHoursSteps, type KnownSteps } from '../../core/bins/knownHours.ts';
import { clipSteps, countOutside, extentOf, timeColumnOf, clip } from '../../core/frame/clip.ts';
import { lateAfter } from '../../core/frame/coverage.ts';
import type { JsonObject } from '../../core/decode/envelope.ts';
import { endTheRun, GridError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { beside, boundingRange, overlap } from '../../core/range/boundingRange.ts';
import { runSteps, type Steps } from '../../core/time/steps.ts';
import type { Result } from '../../shared/result.ts';
import type { Answer } from '../client/answerFetcher.ts';
import type { Unneeded } from '../client/apiClient.ts';
import type { Archive } from '../archive/archive.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { tracesFor, wholeResult, type FetchWholeDeps } from './fetchWhole.ts';
import type { FetchPlan } from './fetchPlan.ts';
import { RequestAgreement } from './requestAgreement.ts';
import { pausedSteps } from '../pausedSteps.ts';
import type { QueryPlanner, QueryPlannerDeps, SteppedQuery } from './queryPlanner.ts';
import type { ResultBuilder } from './resultBuilder.ts';
import type { Progress, RunContext } from './run.ts';
import { SeriesLease, type SeriesLock } from './seriesLease.ts';
import type { ServiceClock } from '../client/serviceClock.ts';
import type { Frame } from '../../shared/frame.ts';
import { decode } from '../../core/decode/decode.ts';

export interface PlannedRunDeps extends QueryPlannerDeps, FetchWholeDeps {
  readonly archive: Pick<Archive, 'read' | 'merge'>;
  readonly lock: Pick<SeriesLock, 'take' | 'isTaken' | 'version'>;
  readonly clock: Clock;
  readonly serviceClock: Pick<ServiceClock, 'now' | 'offset' | 'heard' | 'askedAt'>;
}

/** What became of a part: `finished` where its answer, if there was one, says nothing of the service's limits. */
type Taken = 'answered' | 'finished' | { readonly rest: readonly Span[]; readonly error: GridError };

/** Carries a plan out: its requests, and the result made of what they and the archive have. */
export class PlannedRun {
  readonly #planner: QueryPlanner;
  readonly #query: SteppedQuery;
  readonly #endpoint: Endpoint;
  readonly #context: RunContext;
  readonly #deps: PlannedRunDeps;
  readonly #hours: KnownSteps | undefined;
  readonly #builder: ResultBuilder;
  readonly #agreement: RequestAgreement;
  /** An answer that is no table of hours: shown as it came, and the run is over. */
  #odd: Answer | undefined;
  #written: Promise<void> = Promise.resolve();

  /** `hours`: those that the archive knows of the range, for daily values. */
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

  /** Resolves once what came is in the archive, and others may have the series. Never rejects. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** The result, as soon as it is known: it is on its way into the archive then, see `written`. */
  async run(): Promise<Result> {
    return this.#asAsked(await this.#carryOut());
  }

  async #carryOut(): Promise<Result> {
    const { refresh, maxRequests = Infinity } = this.#context;
    const plan = await this.#planner.plan();
    if (refresh === 'never') return this.#result();
    if (plan.length > 0 && this.#builder.hasRows) await this.#report({ done: 0, total: plan.total });
    while (plan.length > 0 && !this.#odd) {
      const mayGoOn = await this.#agreement.mayPlan(plan.length, () => this.#builder.keptSteps());
      if (!mayGoOn) throw new GridError('cancelled', { requestsSpent: this.#builder.requestsSpent });
      const part = plan.next();
      if (part && !(await this.#take(part, plan))) plan.giveUp(rest => this.#builder.failed(rest));
      else await this.#planner.planAgain();
      if (plan.length > 0 && this.#builder.requestsSpent >= maxRequests) return this.#result();
      // After the last part the result follows.
      if (plan.length > 0) await this.#report({ done: plan.done, total: plan.total });
    }
    const { requestsSpent } = this.#builder;
    if (this.#odd) return wholeResult(this.#query, this.#endpoint, { ...this.#odd, requestsSpent });
    this.#builder.throwIfNothingCame();
    return this.#result();
  }

  async #result(): Promise<Result> {
    const due = this.#planner.dueSteps();
    // A million steps take some milliseconds each time they are gone through: others get a turn in between.
    await setImmediate();
    return this.#builder.result(due);
  }

  async #report(progress: Progress): Promise<void> {
    const { preview, emit } = this.#context;
    await setImmediate();
    const soFar = preview ? await this.#asAsked(this.#builder.result(new Uint8Array())) : undefined;
    emit({ type: 'progress', progress, soFar });
    // Whoever reads the run shows it before the next part takes this thread.
    await setImmediate();
  }

  async #asAsked(result: Result): Promise<Result> {
    const steps = this.#daysOf(result);
    return steps ? pausedSteps(steps, this.#context.signal) : result;
  }

  /** Days of a zone, made from their hours; or the service's own, with the hours that are known of each. */
  #daysOf(result: Result): Steps<Result> | undefined {
    const { days, stepMs, interval } = this.#query;
    if (days) return daysOfResultSteps(result, days, stepMs);
    return interval === '1d' ? withKnownHoursSteps(result, this.#builder.askedAt, this.#hours) : undefined;
  }

  /** Takes one part; false where no further part can succeed. */
  async #take(part: Span, plan: FetchPlan): Promise<boolean> {
    const taken = await this.#fetchInTurn(part, plan.length);
    if (taken === 'answered') await plan.succeeded(part);
    if (taken === 'finished') plan.finished();
    if (typeof taken === 'string') return true;
    const { rest, error } = taken;
    if (this.#context.signal.aborted) throw new GridError('cancelled', { requestsSpent: this.#builder.requestsSpent });
    if (rest.includes(part) && (await plan.shorten(part, error))) return true;
    this.#builder.failed(rest, error);
    return !endTheRun.includes(error.reason) && !plan.failedAgain();
  }

  /** `others`: parts that are still to be requested. */
  async #fetchInTurn(part: Span, others: number): Promise<Taken> {
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
      const { taken, write } = await this.#receive(part, fetched);
      writing = write?.();
      return taken;
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
    const { preview, priority, emit } = this.#context;
    const isBeginning = part.start === this.#query.start && !this.#builder.hasRows;
    return this.#deps.fetcher.fetch({ ...this.#query, ...part }, this.#endpoint, {
      signal: lease.signal,
      onWait: (ms, failed) => {
        lease.waits();
        emit({ type: 'waiting', ms, failed });
      },
      priority,
      turn: lease,
      mayTakePage: async pages => this.#agreement.mayTakePage(pages, others, lease),
      mayRetry: async failed => this.#agreement.mayRetry(failed, others, lease),
      // The first hours of a response are no day yet.
      ...(preview && isBeginning && !this.#query.days && { onHead: records => this.#emitHead(part, records) }),
    });
  }

  #emitHead(part: Span, records: readonly JsonObject[]): void {
    const frame = headFrame(records, overlap(part, this.#query));
    if (!frame) return;
    const head = this.#builder.head(frame);
    const days = this.#daysOf(head);
    this.#context.emit({ type: 'head', head: days ? runSteps(days) : head });
  }

  /** Takes what came, also where a page of it did not. `write` puts it into the archive; it never rejects. */
  async #receive(
    part: Span,
    answer: Answer,
  ): Promise<{ readonly taken: Taken; readonly write?: () => Promise<unknown> }> {
    const { archive, serviceClock } = this.#deps;
    const { source } = this.#endpoint;
    const { failure, decoded } = answer;
    const { frame, meta } = decoded;
    const problem = frame && !this.#builder.takes(frame) ? 'tooManyCells' : decoded.problem;
    if (!frame || problem || (frame.rowCount > 0 && !timeColumnOf(frame))) {
      // A part of a table that is no table is no reason to hide the rest.
      const isTooLarge = problem !== undefined && problem !== 'notRecords';
      const detail = isTooLarge ? 'the response is too large for a table' : 'the response is not a table';
      const error = failure ?? new GridError('damagedResponse', { detail });
      if (failure || this.#builder.hasRows) return { taken: { rest: [part], error } };
      this.#odd = answer;
      return { taken: 'finished' };
    }
    await serviceClock.heard(source, answer);
    this.#builder.now = serviceClock.now(source);
    const clipped = await pausedSteps(clipSteps(frame, part, answer.incomplete));
    // Neither pages that did not come nor data that is late take anything away.
    const completeUntil = answer.incomplete ? part.start : lateAfter(meta) + 1;
    const kept = { frame: clipped.frame, askedAt: serviceClock.askedAt(source, answer), meta, completeUntil };
    // What came for other queries beside was asked for, too.
    const rowsOutside = countOutside(frame, boundingRange(part, this.#query));
    // Rows that are there although pages are missing are no proof that the hours beyond them have none.
    const answered = answer.incomplete ? extentOf(clipped.frame, part, this.#query.stepMs) : part;
    const incomplete = answer.incomplete && !failure;
    const requests = tracesFor(part, answer.traces);
    await this.#builder.received(answered, kept, { bodies: answer.bodies, requests, rowsOutside, incomplete });
    const write = async (): Promise<boolean> => archive.merge(this.#planner.series, this.#query.stepMs, answered, kept);
    return { write, taken: failure ? { rest: beside(answered, part), error: failure } : 'answered' };
  }
}

/**
 * The first records of an answer as its first rows. Undefined unless each has a time and lies behind the one before it, all of them
 * in the span: else the answer may begin with other rows.
 */
export function headFrame(records: readonly JsonObject[], span: Span): Frame | undefined {
  const { frame } = decode([records]);
  const times = frame && timeColumnOf(frame)?.values;
  // A row without a time is behind no other, and none is behind it.
  if (!frame || !times?.every((ms, row) => ms > (row === 0 ? -Infinity : (times[row - 1] ?? NaN)))) return undefined;
  return clip(frame, span).rowsOutside === 0 ? frame : undefined;
}
