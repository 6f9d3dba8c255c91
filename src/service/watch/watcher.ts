import { publicationMs, nextPublication } from '../../core/query/freshness.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { queryIdentity } from '../../core/query/query.ts';
import { readingOf } from '../../core/watch/reading.ts';
import {
  evaluateAlerts,
  type RefreshTurn,
  endRefreshTurn,
  takeRefreshTurn,
  keepAlerts,
} from '../../core/watch/alertHistory.ts';
import { liveAlerts, type WatchedQuery } from '../../core/watch/watchedQuery.ts';
import type { Result } from '../../shared/result.ts';
import type { ServiceClock } from '../client/serviceClock.ts';
import { StressGauge } from './stressGauge.ts';
import { toldName, type AlertHistoryStore } from './alertHistoryStore.ts';
import type { RunWatched, WatchEvents, Stopped } from './watchEvents.ts';
import { GridError } from '../../core/errors.ts';
import { ruleText } from '../../core/watch/alert.ts';

/** A timer stands still while the computer sleeps: the time is looked at again after this at the latest. */
const lookMs = 60_000;
/** Queries under way at a time; further ones wait. */
const width = 3;

export interface WatcherDeps {
  readonly run: RunWatched;
  readonly told: AlertHistoryStore;
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

  async #outcome(entry: Entry, turn: RefreshTurn, signal: AbortSignal): Promise<RunOutcome> {
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
      const { told: after, tellings: value } = evaluateAlerts(told, alerts, reading);
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

/** Lets one window at a time ask for a query that is kept fresh. `now` is the service's time, UTC milliseconds. */
class Turns {
  readonly #told: AlertHistoryStore;

  constructor(told: AlertHistoryStore) {
    this.#told = told;
  }

  async take(query: WatchedQuery, now: number): Promise<RefreshTurn> {
    return this.#told.update(toldName(query), told => {
      const { turn, asked } = takeRefreshTurn(told.asked, now);
      return { told: asked === told.asked ? told : { ...told, asked }, value: turn };
    });
  }

  /** `failed`: the turn cost a request and brought nothing. */
  async end(query: WatchedQuery, now: number, failed: boolean): Promise<void> {
    await this.#told.update(toldName(query), told => {
      return { told: { ...told, asked: endRefreshTurn(now, failed) }, value: undefined };
    });
  }
}

/** Why a run brought nothing, or less than was due. */
interface RunFailure {
  readonly reason: string;
  /** Requests that reached the wire. */
  readonly requestsSpent: number;
}

type RunOutcome =
  | { readonly result: Result; readonly failure: RunFailure | undefined }
  | { readonly error: GridError; readonly failure: RunFailure };

/** How a run ended, as a value. Rejects with what is no GridError: that is a mistake of ours. */
export async function outcomeOf(run: Promise<Result>): Promise<RunOutcome> {
  try {
    const result = await run;
    const { failure, requestsSpent } = result.provenance;
    return { result, failure: failure && { reason: failure.reason, requestsSpent } };
  } catch (error) {
    if (!(error instanceof GridError)) throw error;
    return { error, failure: { reason: error.reason, requestsSpent: error.facts.requestsSpent ?? 0 } };
  }
}

/** Whether requests were spent and something did not come. A run that was cancelled leaves its question to another. */
export function wasSpentInVain(outcome: RunOutcome | undefined): boolean {
  if (!outcome) return false;
  const { failure } = outcome;
  if (failure || 'error' in outcome) return failure?.reason !== 'cancelled' && (failure?.requestsSpent ?? 0) > 0;
  const { coverage, provenance } = outcome.result;
  return provenance.requestsSpent > 0 && (coverage?.notAsked ?? 0) > 0;
}

/** Notes since when each alert is watched, as soon as this window knows of it: an alert says nothing of the time before. */
class AlertBeginnings {
  readonly #told: AlertHistoryStore;
  /** The file of each query, and its alerts as noted there. */
  readonly #seen = new Map<string, { readonly name: string; readonly rules: string }>();
  #settled: Promise<unknown> = Promise.resolve();

  constructor(told: AlertHistoryStore) {
    this.#told = told;
  }

  /** Resolves when all is noted. */
  get settled(): Promise<unknown> {
    return this.#settled;
  }

  /** Only what changed is noted: a window that knows an older state of a query must not undo what another noted. */
  see(query: WatchedQuery, now: number): void {
    const before = this.#seen.get(query.id);
    if (!before && !query.alerts?.length) return;
    const name = toldName(query);
    const alerts = liveAlerts(query);
    const rules = JSON.stringify(alerts.map(alert => [alert.id, ruleText(alert)]));
    if (before?.name === name && before.rules === rules) return;
    this.#seen.set(query.id, { name, rules });
    if (before && before.name !== name) this.#note(before.name, [], now);
    this.#note(name, alerts, now);
  }

  #note(name: string, alerts: ReturnType<typeof liveAlerts>, now: number): void {
    const noted = this.#told.update(name, told => ({ told: keepAlerts(told, alerts, now), value: undefined }));
    this.#settled = Promise.allSettled([this.#settled, noted]);
  }
}

/** The connections whose key does not work: asking again every hour would only be refused again. */
class Stops {
  readonly #stops = new Map<string, Stopped>();
  readonly #eras = new Map<string, number>();

  /** Changes with each `resume`: a run that began before may have used the old key, and says nothing of the new one. */
  eraOf({ connectionId }: Pick<WatchedQuery, 'connectionId'>): number {
    return this.#eras.get(connectionId) ?? 0;
  }

  /** Notes why the query cannot go on; undefined where that is no reason to stop, or is known. */
  add({ connectionId, query: { dataset } }: WatchedQuery, reason: string): Stopped | undefined {
    const stop = stopOf(connectionId, dataset, reason);
    if (!stop || this.#stops.has(nameOf(stop))) return undefined;
    this.#stops.set(nameOf(stop), stop);
    return stop;
  }

  has({ connectionId, query: { dataset } }: WatchedQuery): boolean {
    return this.#stops.has(nameOf({ connectionId })) || this.#stops.has(nameOf({ connectionId, dataset }));
  }

  /** The connection has another key, or may do more. Whether it, or a dataset of it, was stopped. */
  resume(connectionId: string): boolean {
    this.#eras.set(connectionId, this.eraOf({ connectionId }) + 1);
    const own = [...this.#stops].filter(([, stop]) => stop.connectionId === connectionId);
    for (const [name] of own) this.#stops.delete(name);
    return own.length > 0;
  }
}

function stopOf(connectionId: string, dataset: string, reason: string): Stopped | undefined {
  if (reason === 'forbidden') return { connectionId, reason, dataset };
  return reason === 'noKey' || reason === 'keyRejected' ? { connectionId, reason } : undefined;
}

function nameOf({ connectionId, dataset }: Pick<Stopped, 'connectionId' | 'dataset'>): string {
  return JSON.stringify([connectionId, dataset]);
}

/** Our clock may differ from the service's by a few seconds without being called wrong: before this, nothing may be out yet. */
const afterPublicationMs = 10_000;
const spreadMs = 30_000;
const soonMs = 2_000;
const soonSpreadMs = 8_000;
const againMs = 300_000;
const againSpreadMs = 60_000;

/** When queries are to be run: UTC milliseconds by the service's clock. */
class Schedule {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Shortly: a window that starts has other things to do first, and several windows start at once. */
  soon(now: number): number {
    return now + soonMs + this.#random() * soonSpreadMs;
  }

  /** Just after the next publication. */
  next(now: number): number {
    return nextPublication(now) + afterPublicationMs + this.#random() * spreadMs;
  }

  /** Once more within the hour, if that is not over by then. */
  again(now: number): number {
    return Math.min(now + againMs + this.#random() * againSpreadMs, this.next(now));
  }

  /** Further ahead than any run is planned: the clock was set back. */
  isTooFar(due: number, now: number): boolean {
    return due > nextPublication(now) + afterPublicationMs + spreadMs;
  }
}
