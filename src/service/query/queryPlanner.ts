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
  /** Returns the time from the end of an hour until it is final, in milliseconds. Called for each run. */
  readonly settledAfterMs: () => number;
}

type PlanOptions = Pick<RunOptions, 'refresh' | 'group' | 'priority'>;

/**
 * Plans the requests of a run for intervals that are not archived or outdated. Skips a request if another window has fetched its intervals in
 * the meantime.
 */
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
  /** The start of the run by the clock of this computer. */
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

  /** Reads the archive and plans requests for the intervals that are due. */
  async plan(): Promise<FetchPlan> {
    const { query, series, builder } = this;
    builder.addArchived(query, await this.#archive.read(series, query.intervalMs, query));
    await this.#addParts();
    return this.#plan;
  }

  /** Plans again if another run of the group has detected a lower maximum range. All runs then share the same shorter requests. */
  async replan(): Promise<void> {
    if (!this.#options.group || this.#plan.maxLength >= this.#maxLength) return;
    this.#plan.giveUp(() => undefined);
    await this.#addParts();
  }

  /** Returns 1 for each interval of the query that must be requested. */
  getDueIntervals(): Uint8Array {
    return this.#computeDue(this.builder, this.query);
  }

  /**
   * Whether a part still has to be requested. Returns false for a part that exceeds a newly detected limit, because it will be planned again.
   * If another window has fetched the part, adds its hours from the archive and returns false.
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

  /** Plans the requests. They may extend beyond the range if they also contain hours of other queries of the group. */
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
    // A background run sends only its first request, so that must contain the newest hours.
    return priority === 'background' && parts.length > queryParts.length ? queryParts : parts;
  }

  #computeDue({ requestedAt, frame }: Pick<ArchivedRange, 'requestedAt' | 'frame'>, span: Span): Uint8Array {
    const { intervalMs } = this.query;
    const { refresh } = this.#options;
    // Truncated to seconds like the Date header of the service, so that two runs that start at the same time share a request.
    const startedAt = Math.floor((this.#startedAt + this.#serviceClock.offset(this.series.source)) / 1000) * 1000;
    const rows = refresh === 'missing' ? markIntervalsWithRow(frame, span, intervalMs) : undefined;
    const due = new Uint8Array(requestedAt.length);
    // Uses a loop, because a callback for each interval would be slow for a century of hours.
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
