import { markIntervalsWithRow } from '../../core/frame/coverage.ts';
import { isDue, isMissing, type FreshnessRule } from '../../core/query/freshness.ts';
import { planRequests, type DueIntervals } from '../../core/query/requestPlan.ts';
import type { Clock } from '../../core/ports.ts';
import type { ServiceQuery } from '../../core/query/query.ts';
import { type Span, overlap } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { Archive, ArchivedRange } from '../archive/archive.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { FetchPlan } from './fetchPlan.ts';
import { ResultBuilder } from './resultBuilder.ts';
import type { RunOptions } from './run.ts';
import type { ServiceClock } from '../client/serviceClock.ts';
import type { MaxRangeStore } from './maxRangeStore.ts';

/** A query whose interval has a known length. */
export type IntervalQuery = ServiceQuery & { readonly intervalMs: number };

export interface QueryPlannerDeps {
  readonly archive: Pick<Archive, 'read'>;
  readonly maxRanges: Pick<MaxRangeStore, 'getLimit' | 'confirmLimit' | 'suspectLimit'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly serviceClock: Pick<ServiceClock, 'now' | 'offset'>;
  /** Returns how long after its end an hour is final, in milliseconds. Called for each run. */
  readonly settledAfterMs: () => number;
}

type PlanOptions = Pick<RunOptions, 'refresh' | 'group' | 'priority'>;

/** Plans the requests of a run for missing and outdated intervals of the archive, and updates the plan when other windows fetch some of them. */
export class QueryPlanner {
  readonly query: IntervalQuery;
  readonly series: SeriesKey;
  /** The result so far, including archived rows. */
  readonly builder: ResultBuilder;
  readonly #options: PlanOptions;
  readonly #archive: Pick<Archive, 'read'>;
  readonly #plan: FetchPlan;
  readonly #serviceClock: Pick<ServiceClock, 'offset'>;
  readonly #freshnessRule: FreshnessRule;
  /** The start of the run by our clock. */
  readonly #startedAt: number;
  /** The maximum length of a request of the plan, in intervals. */
  #maxLength = 0;

  constructor(
    query: IntervalQuery,
    endpoint: Endpoint,
    options: PlanOptions,
    { archive, maxRanges, clock, serviceClock, settledAfterMs }: QueryPlannerDeps,
  ) {
    const { dataset, interval, params, intervalMs } = query;
    const { source } = endpoint;
    this.query = query;
    this.series = { source, dataset: dataset.id, interval, params };
    this.#options = options;
    this.#archive = archive;
    this.#serviceClock = serviceClock;
    this.#startedAt = clock.now();
    this.#freshnessRule = { now: serviceClock.now(source), settledAfterMs: settledAfterMs() };
    this.builder = new ResultBuilder(query, endpoint, this.#freshnessRule.now);
    this.#plan = new FetchPlan(this.series, intervalMs, maxRanges);
  }

  /** Reads the archive and plans requests for the rest. */
  async plan(): Promise<FetchPlan> {
    const { query, series, builder } = this;
    builder.addArchived(query, await this.#archive.read(series, query.intervalMs, query));
    await this.#addParts();
    return this.#plan;
  }

  /** Plans again if a run of the group has detected a lower limit, so that all runs share the same, shorter requests. */
  async replan(): Promise<void> {
    if (!this.#options.group || this.#plan.maxLength >= this.#maxLength) return;
    this.#plan.giveUp(() => undefined);
    await this.#addParts();
  }

  /** Returns 1 for each interval of the query that is outdated. */
  getDueIntervals(): Uint8Array {
    return this.#computeDue(this.builder, this.query);
  }

  /**
   * Whether a part still has to be requested. A part that exceeds a newly detected limit is planned again, and hours that another window has fetched
   * are read from the archive.
   */
  async isStillDue(part: Span): Promise<boolean> {
    const { query, series, builder } = this;
    const { intervalMs } = query;
    if (this.#options.group && part.end - part.start > this.#plan.maxLength * intervalMs) return false;
    const clippedPart = overlap(part, builder.range);
    if (clippedPart.end <= clippedPart.start) return false;
    const archived = await this.#archive.read(series, intervalMs, clippedPart);
    if (!builder.hasRoomFor(archived.frame) || this.#computeDue(archived, clippedPart).includes(1)) return true;
    builder.addArchived(clippedPart, archived);
    return false;
  }

  async #addParts(): Promise<void> {
    this.#maxLength = this.#plan.maxLength;
    this.#plan.add(await this.#planParts(this.getDueIntervals()));
  }

  /** Plans the requests, which may exceed the range: a request may include the hours of another query of the group. */
  async #planParts(due: Uint8Array): Promise<readonly Span[]> {
    const { start, intervalMs } = this.query;
    const { refresh = 'ifStale', group, priority } = this.#options;
    const maxLength = this.#maxLength;
    const queryParts = planRequests(due, start, intervalMs, maxLength);
    if (!group || refresh !== 'ifStale') return queryParts;
    const findDue = async (span: Span): Promise<DueIntervals> => {
      return {
        start: span.start,
        due: this.#computeDue(await this.#archive.read(this.series, intervalMs, span), span),
      };
    };
    const parts = await group.planParts({
      series: this.series,
      intervalMs,
      maxLength,
      findDue,
      dueIntervals: { start, due },
    });
    // A background run sends only its first request, so the newest hours must not be in a second one.
    return priority === 'background' && parts.length > queryParts.length ? queryParts : parts;
  }

  #computeDue({ requestedAt, frame }: Pick<ArchivedRange, 'requestedAt' | 'frame'>, span: Span): Uint8Array {
    const { intervalMs } = this.query;
    const { refresh } = this.#options;
    // Truncated to seconds, like a service's Date, so that two runs that start together share a request.
    const startedAt = Math.floor((this.#startedAt + this.#serviceClock.offset(this.series.source)) / 1000) * 1000;
    const rows = refresh === 'missing' ? markIntervalsWithRow(frame, span, intervalMs) : undefined;
    const due = new Uint8Array(requestedAt.length);
    // A callback for each interval would be slow for a century of hours.
    for (let index = 0; index < due.length; index++) {
      const intervalRequestedAt = requestedAt[index] ?? 0;
      const start = span.start + index * intervalMs;
      let isIntervalDue: boolean;
      if (refresh === 'always') isIntervalDue = intervalRequestedAt < startedAt;
      else if (rows)
        isIntervalDue =
          intervalRequestedAt < startedAt &&
          isMissing(start, intervalMs, intervalRequestedAt, rows[index] === 1, this.#freshnessRule);
      else isIntervalDue = isDue(start, intervalMs, intervalRequestedAt, this.#freshnessRule);
      if (isIntervalDue) due[index] = 1;
    }
    return due;
  }
}
