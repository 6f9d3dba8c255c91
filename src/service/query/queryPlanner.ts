import { stepsWithRow } from '../../core/frame/coverage.ts';
import { isDue, isMissing, type FreshnessRule } from '../../core/query/freshness.ts';
import { planRequests, type DueSteps } from '../../core/query/plan.ts';
import type { Clock } from '../../core/ports.ts';
import type { ServiceQuery } from '../../core/query/query.ts';
import { type Span, overlap } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { Archive, Archived } from '../archive/archive.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { FetchPlan } from './fetchPlan.ts';
import { ResultBuilder } from './resultBuilder.ts';
import type { RunOptions } from './run.ts';
import type { ServiceClock } from '../client/serviceClock.ts';
import type { MaxRangeStore } from './maxRangeStore.ts';

/** A query whose interval has a known length. */
export type SteppedQuery = ServiceQuery & { readonly stepMs: number };

export interface QueryPlannerDeps {
  readonly archive: Pick<Archive, 'read'>;
  readonly spans: Pick<MaxRangeStore, 'limitOf' | 'learn' | 'suspect'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly serviceClock: Pick<ServiceClock, 'now' | 'offset'>;
  /** Returns how long after its end an hour is final, in milliseconds. Called for each run. */
  readonly settledAfterMs: () => number;
}

/** Plans the requests of a run for missing and outdated intervals of the archive, and updates the plan when other windows fetch some of them. */
export class QueryPlanner {
  readonly query: SteppedQuery;
  readonly series: SeriesKey;
  /** The result so far, including archived rows. */
  readonly builder: ResultBuilder;
  readonly #options: Pick<RunOptions, 'refresh' | 'together' | 'priority'>;
  readonly #archive: Pick<Archive, 'read'>;
  readonly #plan: FetchPlan;
  readonly #serviceClock: Pick<ServiceClock, 'offset'>;
  readonly #rule: FreshnessRule;
  /** The start of the run by our clock. */
  readonly #startedAt: number;
  /** The maximum length of a request of the plan, in intervals. */
  #maxSteps = 0;

  constructor(
    query: SteppedQuery,
    endpoint: Endpoint,
    options: Pick<RunOptions, 'refresh' | 'together' | 'priority'>,
    { archive, spans, clock, serviceClock, settledAfterMs }: QueryPlannerDeps,
  ) {
    const { dataset, interval, params, stepMs } = query;
    const { source } = endpoint;
    this.query = query;
    this.series = { source, dataset: dataset.id, interval, params };
    this.#options = options;
    this.#archive = archive;
    this.#serviceClock = serviceClock;
    this.#startedAt = clock.now();
    this.#rule = { now: serviceClock.now(source), settledAfterMs: settledAfterMs() };
    this.builder = new ResultBuilder(query, endpoint, this.#rule.now);
    this.#plan = new FetchPlan(this.series, stepMs, spans);
  }

  /** Reads the archive and plans requests for the rest. */
  async plan(): Promise<FetchPlan> {
    const { query, series, builder } = this;
    builder.takeArchived(query, await this.#archive.read(series, query.stepMs, query));
    await this.#addParts();
    return this.#plan;
  }

  /** Plans again if a run of the group has detected a lower limit, so that all runs share the same, shorter requests. */
  async planAgain(): Promise<void> {
    if (!this.#options.together || this.#plan.maxSteps >= this.#maxSteps) return;
    this.#plan.giveUp(() => undefined);
    await this.#addParts();
  }

  /** Returns 1 for each interval of the query that is outdated. */
  dueSteps(): Uint8Array {
    return this.#due(this.builder, this.query);
  }

  /**
   * Whether a part still has to be requested. A part that is too long by now is planned again, and hours that another window fetched meanwhile
   * are read from the archive.
   */
  async isWanted(part: Span): Promise<boolean> {
    const { query, series, builder } = this;
    const { stepMs } = query;
    if (this.#options.together && part.end - part.start > this.#plan.maxSteps * stepMs) return false;
    const own = overlap(part, builder.range);
    if (own.end <= own.start) return false;
    const archived = await this.#archive.read(series, stepMs, own);
    if (!builder.takes(archived.frame) || this.#due(archived, own).includes(1)) return true;
    builder.takeArchived(own, archived);
    return false;
  }

  async #addParts(): Promise<void> {
    this.#maxSteps = this.#plan.maxSteps;
    this.#plan.add(await this.#partsOf(this.dueSteps()));
  }

  /** Plans the requests, which may exceed the range: a request may include the hours of another query of the group. */
  async #partsOf(due: Uint8Array): Promise<readonly Span[]> {
    const { start, stepMs } = this.query;
    const { refresh = 'ifStale', together, priority } = this.#options;
    const maxSteps = this.#maxSteps;
    const own = planRequests(due, start, stepMs, maxSteps);
    if (!together || refresh !== 'ifStale') return own;
    const lackedBy = async (span: Span): Promise<DueSteps> => {
      return { start: span.start, due: this.#due(await this.#archive.read(this.series, stepMs, span), span) };
    };
    const parts = await together.partsOf({ series: this.series, stepMs, maxSteps, lackedBy, lacks: { start, due } });
    // A background run sends only its first request, so the newest hours must not be in a second one.
    return priority === 'background' && parts.length > own.length ? own : parts;
  }

  #due({ askedAt, frame }: Pick<Archived, 'askedAt' | 'frame'>, span: Span): Uint8Array {
    const { stepMs } = this.query;
    const { refresh } = this.#options;
    // Truncated to seconds, like a service's Date, so that two runs that start together share a request.
    const startedAt = Math.floor((this.#startedAt + this.#serviceClock.offset(this.series.source)) / 1000) * 1000;
    const rows = refresh === 'missing' ? stepsWithRow(frame, span, stepMs) : undefined;
    const due = new Uint8Array(askedAt.length);
    // A callback for each interval would be slow for a century of hours.
    for (let step = 0; step < due.length; step++) {
      const asked = askedAt[step] ?? 0;
      const start = span.start + step * stepMs;
      let isStepDue: boolean;
      if (refresh === 'always') isStepDue = asked < startedAt;
      else if (rows) isStepDue = asked < startedAt && isMissing(start, stepMs, asked, rows[step] === 1, this.#rule);
      else isStepDue = isDue(start, stepMs, asked, this.#rule);
      if (isStepDue) due[step] = 1;
    }
    return due;
  }
}
