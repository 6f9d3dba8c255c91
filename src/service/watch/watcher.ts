import { publicationMs } from '../../core/freshness.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { queryIdentity } from '../../core/query.ts';
import { readingOf } from '../../core/watch/reading.ts';
import { tell } from '../../core/watch/told.ts';
import type { Turn } from '../../core/watch/turns.ts';
import { liveAlerts, type WatchedQuery } from '../../core/watch/watchedQuery.ts';
import type { Result } from '../../shared/result.ts';
import type { ServiceClock } from '../serviceClock.ts';
import { AlertBeginnings } from './alertBeginnings.ts';
import { Schedule } from './schedule.ts';
import { outcomeOf, wasSpentInVain, type RunFailure, type RunOutcome } from './runOutcome.ts';
import { Stops } from './stops.ts';
import { StressGauge } from './stressGauge.ts';
import { toldName } from './toldName.ts';
import { Turns } from './turns.ts';
import type { ToldStore } from './toldStore.ts';
import type { RunWatched, WatchEvents } from './watchEvents.ts';

/** A timer stands still while the computer sleeps: the time is looked at again after this at the latest. */
const lookMs = 60_000;
/** Queries under way at a time; further ones wait. */
const width = 3;

export interface WatcherDeps {
  readonly run: RunWatched;
  readonly told: ToldStore;
  readonly clock: Clock;
  readonly serviceClock: Pick<ServiceClock, 'now'>;
  readonly random: Random;
  readonly logger: Pick<Logger, 'error'>;
  readonly events: WatchEvents;
}

interface Entry {
  query: WatchedQuery;
  /** By the service's clock, UTC milliseconds. */
  due: number;
  /** The run under way. */
  running: AbortController | undefined;
  /** The hour in which it was tried again. */
  triedAgainIn: number;
}

/**
 * Runs each query that is kept fresh once an hour, just after the service has published, and finds out what its alerts have
 * to say. What this window or another asked for already comes from the archive. Without such a query it does nothing at all.
 */
export class Watcher {
  readonly stress = new StressGauge();
  readonly #deps: WatcherDeps;
  readonly #schedule: Schedule;
  readonly #beginnings: AlertBeginnings;
  readonly #turns: Turns;
  readonly #stops = new Stops();
  readonly #entries = new Map<string, Entry>();
  #running = 0;
  #timer: AbortController | undefined;
  #disposed = false;

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
    this.#schedule = new Schedule(deps.random);
    this.#beginnings = new AlertBeginnings(deps.told);
    this.#turns = new Turns(deps.told);
  }

  /** These are all saved queries from now on, those not kept fresh among them. A query that asks something else runs soon. */
  watch(queries: readonly WatchedQuery[]): void {
    if (this.#disposed) return;
    const fresh = new Map(queries.filter(({ keepFresh }) => keepFresh).map(query => [query.id, query]));
    for (const [id, entry] of this.#entries) {
      const query = fresh.get(id);
      if (query && questionOf(query) === questionOf(entry.query)) entry.query = query;
      else this.#remove(id, entry);
    }
    for (const [id, query] of fresh) {
      if (this.#entries.has(id)) continue;
      const due = this.#schedule.soon(this.#now(query));
      this.#entries.set(id, { query, due, running: undefined, triedAgainIn: NaN });
    }
    for (const query of queries) this.#beginnings.see(query, this.#now(query));
    this.#look();
  }

  /** The connection's key was replaced or its dataset granted: its queries run again. */
  resume(connectionId: string): void {
    if (!this.#stops.resume(connectionId)) return;
    for (const entry of this.#entries.values())
      if (entry.query.connectionId === connectionId) entry.due = this.#schedule.soon(this.#now(entry.query));
    this.#look();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.abort();
    for (const [id, entry] of this.#entries) this.#remove(id, entry);
  }

  #remove(id: string, entry: Entry): void {
    this.#entries.delete(id);
    entry.running?.abort();
    if (!this.#disposed) this.stress.drop(id);
  }

  /** Starts what is due, and looks again when the next is. */
  #look(): void {
    this.#timer?.abort();
    this.#timer = undefined;
    if (this.#disposed) return;
    let wait = Infinity;
    for (const entry of this.#entries.values()) {
      if (entry.running || this.#stops.has(entry.query)) continue;
      const now = this.#now(entry.query);
      if (this.#schedule.isTooFar(entry.due, now)) entry.due = this.#schedule.next(now);
      if (entry.due > now) wait = Math.min(wait, entry.due - now);
      else if (this.#running < width) void this.#run(entry);
    }
    // One that is due and waits for its turn is looked at when another ends.
    if (wait < Infinity) this.#sleep(Math.min(lookMs, Math.max(1, wait)));
  }

  #sleep(ms: number): void {
    const timer = (this.#timer = new AbortController());
    this.#deps.clock.sleep(ms, timer.signal).then(
      () => this.#look(),
      () => undefined,
    );
  }

  async #run(entry: Entry): Promise<void> {
    const { signal } = (entry.running = new AbortController());
    this.#running += 1;
    try {
      await this.#beginnings.settled;
      await this.#runInTurn(entry, signal);
    } catch (error) {
      entry.due = this.#schedule.next(this.#now(entry.query));
      // The message alone: what else a foreign error holds is not known.
      this.#deps.logger.error(`keeping a query fresh failed: ${error instanceof Error ? error.message : 'unknown'}`);
    }
    this.#running -= 1;
    entry.running = undefined;
    this.#look();
  }

  async #runInTurn(entry: Entry, signal: AbortSignal): Promise<void> {
    const { query } = entry;
    const turn = await this.#turns.take(query, this.#now(query));
    if (turn === 'wait') entry.due = this.#schedule.soon(this.#now(query));
    if (turn === 'wait') return;
    let outcome: RunOutcome | undefined;
    try {
      if (!signal.aborted) outcome = await this.#outcome(entry, turn, signal);
    } finally {
      if (turn === 'ask') await this.#turns.end(query, this.#now(query), wasSpentInVain(outcome));
    }
    if (!outcome || signal.aborted) return;
    if ('error' in outcome) this.#deps.events.failed(entry.query, outcome.error);
    else await this.#take(entry, outcome.result);
  }

  async #outcome(entry: Entry, turn: Turn, signal: AbortSignal): Promise<RunOutcome> {
    const era = this.#stops.eraOf(entry.query);
    const refresh = turn === 'ask' ? 'ifStale' : 'never';
    const outcome = await outcomeOf(this.#deps.run(entry.query, { refresh, priority: 'background', signal }));
    if (!signal.aborted) this.#plan(entry, outcome.failure, era);
    return outcome;
  }

  async #take({ query }: Entry, result: Result): Promise<void> {
    const reading = readingOf(result, this.#now(query));
    this.#deps.events.refreshed(query, result);
    this.stress.take(query.id, reading);
    const alerts = liveAlerts(query);
    if (alerts.length === 0) return;
    const tellings = await this.#deps.told.update(toldName(query), told => {
      const { told: after, tellings: value } = tell(told, alerts, reading);
      return { told: after, value };
    });
    if (tellings.length > 0 && !this.#disposed) this.#deps.events.told(query, tellings);
  }

  /** The next run. One that failed before anything was sent is tried once more within the hour: a computer that wakes has no network yet. */
  #plan(entry: Entry, failure: RunFailure | undefined, era: number): void {
    const now = this.#now(entry.query);
    entry.due = this.#schedule.next(now);
    if (!failure || failure.reason === 'cancelled') return;
    if (era !== this.#stops.eraOf(entry.query)) {
      entry.due = this.#schedule.soon(now);
      return;
    }
    const stop = this.#stops.add(entry.query, failure.reason);
    if (stop) this.#deps.events.stopped(stop);
    const hour = Math.floor(now / publicationMs);
    if (failure.requestsSpent > 0 || entry.triedAgainIn === hour) return;
    entry.triedAgainIn = hour;
    entry.due = this.#schedule.again(now);
  }

  #now({ source }: WatchedQuery): number {
    return this.#deps.serviceClock.now(source);
  }
}

/** What a run asks, and whom: a query whose alerts or name alone changed goes on as planned. */
function questionOf({ connectionId, source, query }: WatchedQuery): string {
  return JSON.stringify([connectionId, source, queryIdentity(query)]);
}
