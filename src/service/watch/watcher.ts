import { GridError } from '../../core/errors.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { nextPublication, publicationMs } from '../../core/query/freshness.ts';
import { getQueryIdentity } from '../../core/query/query.ts';
import type { AlertNotification, RefreshDecision } from '../../core/watch/alertHistory.ts';
import { getLatestStress, type LatestStress, type Reading, createReading } from '../../core/watch/alertReading.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';
import { minuteMs } from '../../shared/durations.ts';
import type { Result } from '../../shared/result.ts';
import type { ServiceClock } from '../client/serviceClock.ts';
import type { RunOptions } from '../query/run.ts';
import { type AlertHistoryStore, SharedWatchState } from './alertHistoryStore.ts';
import { type StoppedConnection, StoppedConnections } from './stoppedConnections.ts';
import { Emitter } from '../emitter.ts';

/** The maximum length of a timer: timers do not advance while the computer sleeps. */
const maxSleepMs = minuteMs;
/** The maximum number of concurrent runs; further queries wait. */
const maxConcurrentRuns = 3;

interface WatcherDeps {
  /** Runs a query as of now. Rejects with GridError. */
  readonly run: (
    query: WatchedQuery,
    options: Required<Pick<RunOptions, 'refresh' | 'priority' | 'signal'>>,
  ) => Promise<Result>;
  readonly histories: AlertHistoryStore;
  readonly clock: Clock;
  readonly serviceClock: Pick<ServiceClock, 'now'>;
  readonly random: Random;
  readonly logger: Pick<Logger, 'error'>;
  readonly events: WatchEvents;
}

/** Callbacks of the watcher. They must not throw, and are not called after the watcher is disposed. */
interface WatchEvents {
  /** A run succeeded, at least in part. */
  refreshed(query: WatchedQuery, result: Result): void;
  /** This window has to notify. Called once for each run, with all alerts that have a notification. */
  alerted(query: WatchedQuery, notifications: readonly AlertNotification[]): void;
  /** A run failed. */
  failed(query: WatchedQuery, error: GridError): void;
  /** Called once for each connection (or dataset of it), until it is resumed. */
  stopped(stop: StoppedConnection): void;
}

interface WatchEntry {
  query: WatchedQuery;
  /** When the next run is due, by the service's clock, UTC milliseconds. */
  due: number;
  /** Aborts the current run. */
  running: AbortController | undefined;
  /** The hour (since 1970) in which a run was last retried. */
  retriedHour: number;
}

/**
 * Runs each query with an hourly refresh just after the service has published, and evaluates its alerts. Hours that this or another window has
 * already fetched are read from the archive. Without such a query it is idle.
 */
export class Watcher {
  readonly stress = new StressGauge();
  readonly #deps: WatcherDeps;
  readonly #schedule: RefreshSchedule;
  readonly #shared: SharedWatchState;
  readonly #stops = new StoppedConnections();
  readonly #entries = new Map<string, WatchEntry>();
  #running = 0;
  #timer: AbortController | undefined;
  #disposed = false;

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
    this.#schedule = new RefreshSchedule(deps.random);
    this.#shared = new SharedWatchState(deps.histories);
  }

  /** Sets all saved queries, including queries without an hourly refresh. A query whose request has changed runs soon. */
  watch(queries: readonly WatchedQuery[]): void {
    if (this.#disposed) return;
    const refreshedQueries = new Map(queries.filter(({ keepFresh }) => keepFresh).map(query => [query.id, query]));
    for (const [id, entry] of this.#entries) {
      const query = refreshedQueries.get(id);
      if (query && getRequestIdentity(query) === getRequestIdentity(entry.query)) entry.query = query;
      else this.#remove(id, entry);
    }
    for (const [id, query] of refreshedQueries) {
      if (this.#entries.has(id)) continue;
      const due = this.#schedule.soon(this.#now(query));
      this.#entries.set(id, { query, due, running: undefined, retriedHour: NaN });
    }
    for (const query of queries) this.#shared.storeAlerts(query, this.#now(query));
    this.#startDue();
  }

  /** Runs the queries of a connection again after its key was replaced or a dataset was granted. */
  resume(connectionId: string): void {
    if (!this.#stops.resume(connectionId)) return;
    for (const entry of this.#entries.values())
      if (entry.query.connectionId === connectionId) entry.due = this.#schedule.soon(this.#now(entry.query));
    this.#startDue();
  }

  /** Returns the `notifiedHours` of the query. */
  async listNotifiedHours(query: WatchedQuery): Promise<ReadonlyMap<string, readonly number[]>> {
    return this.#shared.listNotifiedHours(query, this.#now(query));
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.abort();
    for (const [id, entry] of this.#entries) this.#remove(id, entry);
  }

  #remove(id: string, entry: WatchEntry): void {
    this.#entries.delete(id);
    entry.running?.abort();
    if (!this.#disposed) this.stress.remove(id);
  }

  /** Starts due runs, and sets a timer for the next one. */
  #startDue(): void {
    this.#timer?.abort();
    this.#timer = undefined;
    if (this.#disposed) return;
    let wait = Infinity;
    for (const entry of this.#entries.values()) {
      if (entry.running || this.#stops.has(entry.query)) continue;
      const now = this.#now(entry.query);
      if (this.#schedule.isTooFar(entry.due, now)) entry.due = this.#schedule.next(now);
      if (entry.due > now) wait = Math.min(wait, entry.due - now);
      else if (this.#running < maxConcurrentRuns) void this.#run(entry);
    }
    // A due query that waits for others is started when they end.
    if (wait < Infinity) this.#sleep(Math.min(maxSleepMs, Math.max(1, wait)));
  }

  #sleep(ms: number): void {
    const timer = (this.#timer = new AbortController());
    this.#deps.clock.sleep(ms, timer.signal).then(
      () => this.#startDue(),
      () => undefined,
    );
  }

  async #run(entry: WatchEntry): Promise<void> {
    const { signal } = (entry.running = new AbortController());
    this.#running += 1;
    try {
      await this.#shared.pendingWrites;
      await this.#runExclusively(entry, signal);
    } catch (error) {
      entry.due = this.#schedule.next(this.#now(entry.query));
      // Only the message is logged, since other properties of an unknown error may hold secrets.
      this.#deps.logger.error(
        `the hourly refresh of a query failed: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    }
    this.#running -= 1;
    entry.running = undefined;
    this.#startDue();
  }

  async #runExclusively(entry: WatchEntry, signal: AbortSignal): Promise<void> {
    const { query } = entry;
    const decision = await this.#shared.startRefresh(query, this.#now(query));
    if (decision === 'wait') {
      entry.due = this.#schedule.soon(this.#now(query));
      return;
    }
    let outcome: RunOutcome | undefined;
    try {
      if (!signal.aborted) outcome = await this.#runQuery(entry, decision, signal);
    } finally {
      if (decision === 'request') await this.#shared.endRefresh(query, this.#now(query), hasWastedRequests(outcome));
    }
    if (!outcome || signal.aborted) return;
    if ('error' in outcome) this.#deps.events.failed(entry.query, outcome.error);
    else await this.#handleResult(entry, outcome.result);
  }

  async #runQuery(entry: WatchEntry, decision: RefreshDecision, signal: AbortSignal): Promise<RunOutcome> {
    const resumeCount = this.#stops.getResumeCount(entry.query);
    const refresh = decision === 'request' ? 'ifStale' : 'never';
    const startedAt = this.#now(entry.query);
    const outcome = await toOutcome(this.#deps.run(entry.query, { refresh, priority: 'background', signal }));
    if (!signal.aborted) this.#scheduleNext(entry, outcome.failure, { resumeCount, startedAt });
    return outcome;
  }

  async #handleResult({ query }: WatchEntry, result: Result): Promise<void> {
    const reading = createReading(result, this.#now(query), query.derive, query.tariffs);
    this.#deps.events.refreshed(query, result);
    this.stress.update(query.id, reading);
    const notifications = await this.#shared.evaluate(query, reading);
    if (notifications.length > 0 && !this.#disposed) this.#deps.events.alerted(query, notifications);
  }

  /** Schedules the next run. A run that failed before sending anything is retried once within the hour: a waking computer may have no network yet. */
  #scheduleNext(
    entry: WatchEntry,
    failure: RunFailure | undefined,
    { resumeCount, startedAt }: { readonly resumeCount: number; readonly startedAt: number },
  ): void {
    const now = this.#now(entry.query);
    // The run does not include data that was published after it began.
    entry.due = this.#schedule.next(startedAt);
    if (!failure || failure.reason === 'cancelled') return;
    if (resumeCount !== this.#stops.getResumeCount(entry.query)) {
      entry.due = this.#schedule.soon(now);
      return;
    }
    const stop = this.#stops.add(entry.query, failure.reason);
    if (stop) this.#deps.events.stopped(stop);
    const hour = Math.floor(now / publicationMs);
    if (failure.requestsSpent > 0 || entry.retriedHour === hour) return;
    entry.retriedHour = hour;
    entry.due = this.#schedule.retry(now);
  }

  #now({ source }: WatchedQuery): number {
    return this.#deps.serviceClock.now(source);
  }
}

/** Identifies the request of a run. A query keeps its schedule if only its alerts or its name changed. */
function getRequestIdentity({ connectionId, source, query }: WatchedQuery): string {
  return JSON.stringify([connectionId, source, getQueryIdentity(query)]);
}

/** The reason why a run failed, at least in part. */
interface RunFailure {
  readonly reason: string;
  /** Requests that reached the wire. */
  readonly requestsSpent: number;
}

type RunOutcome =
  | { readonly result: Result; readonly failure: RunFailure | undefined }
  | { readonly error: GridError; readonly failure: RunFailure };

/** Converts a GridError of a run to an outcome. Other errors are bugs and are rethrown. */
export async function toOutcome(run: Promise<Result>): Promise<RunOutcome> {
  try {
    const result = await run;
    const { failure, requestsSpent } = result.provenance;
    return { result, failure: failure && { reason: failure.reason, requestsSpent } };
  } catch (error) {
    if (!(error instanceof GridError)) throw error;
    return { error, failure: { reason: error.reason, requestsSpent: error.facts.requestsSpent ?? 0 } };
  }
}

/** Whether a run spent requests without getting all hours. A cancelled run leaves its requests to another window. */
export function hasWastedRequests(outcome: RunOutcome | undefined): boolean {
  if (!outcome) return false;
  const { failure } = outcome;
  if (failure || 'error' in outcome) return failure?.reason !== 'cancelled' && (failure?.requestsSpent ?? 0) > 0;
  const { coverage, provenance } = outcome.result;
  return provenance.requestsSpent > 0 && (coverage?.notRequested ?? 0) > 0;
}

/** The delay after a publication: the local clock may be ahead by a few seconds without counting as wrong. */
const publicationDelayMs = 10_000;
const maxDelayMs = 30_000;
const soonMs = 2_000;
const soonRandomMs = 8_000;
const retryMs = 300_000;
const retryRandomMs = minuteMs;

/** Computes when queries are run: UTC milliseconds by the service's clock. */
class RefreshSchedule {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a time after a short random delay: a starting window is busy, and several windows may start at once. */
  soon(now: number): number {
    return now + soonMs + this.#random() * soonRandomMs;
  }

  /** Returns a time just after the next publication. */
  next(now: number): number {
    return nextPublication(now) + publicationDelayMs + this.#random() * maxDelayMs;
  }

  /** Returns the time of a retry, but not after the next regular run. */
  retry(now: number): number {
    return Math.min(now + retryMs + this.#random() * retryRandomMs, this.next(now));
  }

  /** Whether a run is scheduled later than possible, because the clock was set back. */
  isTooFar(due: number, now: number): boolean {
    return due > nextPublication(now) + publicationDelayMs + maxDelayMs;
  }
}

/** The latest value of the stress index of each watched query. */
class StressGauge {
  readonly #latest = new Map<string, LatestStress>();
  readonly #changed = new Emitter<string>();
  /** Fires with the query's id after each change of its value. */
  readonly onDidChange = this.#changed.event;

  /** Returns the latest value with its hour; undefined before the first run, and for queries without the index. */
  get(queryId: string): LatestStress | undefined {
    return this.#latest.get(queryId);
  }

  /** Updates the value. A value of the same hour replaces the previous one, since the provider revises values. */
  update(queryId: string, reading: Reading): void {
    const previous = this.#latest.get(queryId);
    const latest = getLatestStress(reading);
    if (
      !latest ||
      (previous && (previous.hour > latest.hour || (previous.hour === latest.hour && previous.value === latest.value)))
    )
      return;
    this.#latest.set(queryId, latest);
    this.#changed.fire(queryId);
  }

  remove(queryId: string): void {
    if (this.#latest.delete(queryId)) this.#changed.fire(queryId);
  }
}
