import { GridError } from '../../../../src/core/errors.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import type { Span } from '../../../../src/core/range/resolveRange.ts';
import type { SeriesKey } from '../../../../src/core/query/seriesKey.ts';
import {
  type AlertNotification,
  type AlertHistory,
  emptyAlertHistory,
} from '../../../../src/core/watch/alertHistory.ts';
import type { WatchedQuery } from '../../../../src/core/watch/watchedQuery.ts';
import type {
  FetchedResponse,
  ResponseFetcher,
  ResponseFetcherOptions,
} from '../../../../src/service/client/responseFetcher.ts';
import type { AlreadyFetched } from '../../../../src/service/client/apiClient.ts';
import type { ArchivedRange, ArchivedResponse } from '../../../../src/service/archive/archive.ts';
import { ServiceClock } from '../../../../src/service/client/serviceClock.ts';
import type { HistoryChange, AlertHistoryStore } from '../../../../src/service/watch/alertHistoryStore.ts';
import type { StoppedConnection } from '../../../../src/service/watch/stoppedConnections.ts';
import { Watcher } from '../../../../src/service/watch/watcher.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { GridWorld, hour, mayGo, MemoryArchive } from '../gridWorld.ts';
import { FakeState } from '../storeFakes.ts';
import { settle, VirtualClock } from '../virtualClock.ts';
import { decode } from '../../../../src/core/decode/decode.ts';

export const minute = 60_000;

/** The archive of the model, with what the service said last of its data. */
class ArchiveWithMeta extends MemoryArchive {
  #newest: ArchivedResponse | undefined;

  override async read(series: SeriesKey, stepMs: number, span: Span): Promise<ArchivedRange> {
    const kept = await super.read(series, stepMs, span);
    return this.#newest ? { ...kept, meta: this.#newest.meta, metaRequestedAt: this.#newest.requestedAt } : kept;
  }

  override async merge(series: SeriesKey, stepMs: number, asked: Span, answer: ArchivedResponse): Promise<boolean> {
    this.#newest = answer;
    return super.merge(series, stepMs, asked, answer);
  }
}

/** What is remembered of alerts, in memory: one for all windows. */
export class MemoryTold implements AlertHistoryStore {
  readonly files = new Map<string, AlertHistory>();

  async update<T>(name: string, change: (history: AlertHistory) => HistoryChange<T>): Promise<T> {
    await Promise.resolve();
    const { history, value } = change(this.files.get(name) ?? emptyAlertHistory);
    this.files.set(name, history);
    return value;
  }
}

/** One event of a window, at the service's time. */
interface Heard<T> {
  readonly at: number;
  readonly window: string;
  readonly query: string;
  readonly what: T;
}

interface WatchWindow {
  readonly watcher: Watcher;
  readonly told: AlertHistoryStore;
}

/** A computer with windows that watch, and a service that publishes each hour, in virtual time. */
export class WatchWorld {
  readonly clock: VirtualClock;
  /** What the computer's clock is ahead of the service's. */
  clockError = 0;
  /** The row of an hour as the service has it at a time; undefined while it has none. */
  row: (ms: number, at: number) => Readonly<Record<string, unknown>> | undefined = () => ({});
  /** May throw what the client would throw. */
  beforeAnswer: (at: number) => void = () => undefined;
  latencyMs = 2_000;
  /** What a window asks with, in the place of answers made up here. */
  fetcherOf: ((window: string) => Pick<ResponseFetcher, 'fetch'>) | undefined;
  readonly asked: { readonly at: number; readonly window: string; readonly dataset: string }[] = [];
  readonly runs: { readonly at: number; readonly window: string; readonly id: string; readonly refresh: string }[] = [];
  readonly told: Heard<readonly AlertNotification[]>[] = [];
  readonly refreshed: Heard<Result>[] = [];
  readonly failures: Heard<GridError>[] = [];
  readonly stops: StoppedConnection[] = [];
  readonly errors: string[] = [];
  readonly #archive = new ArchiveWithMeta();
  /** What all windows of a computer share: what a window that starts knows of the service's clock. */
  readonly #state = new FakeState();
  readonly #grid = new GridWorld('2026-01-01T00:00Z');
  readonly #random: () => number;
  /** What is being read or written of what was told. */
  readonly #busy = new Set<Promise<unknown>>();

  constructor(start: string, random: () => number = () => 0.5) {
    this.clock = new VirtualClock(Date.parse(start));
    this.#random = random;
  }

  /** The service's time. */
  get now(): number {
    return this.clock.now() - this.clockError;
  }

  open(window: string, told: AlertHistoryStore): WatchWindow {
    const { clock } = this;
    const serviceClock = new ServiceClock(clock, this.#state);
    const runner = this.#grid.window({
      archive: this.#archive,
      clock,
      serviceClock,
      fetcher: this.fetcherOf?.(window) ?? { fetch: async (query, _, options) => this.#answer(query, window, options) },
    });
    const heard = <T>(list: Heard<T>[]) => {
      return ({ id }: WatchedQuery, what: T) => void list.push({ at: this.now, window, query: id, what });
    };
    const watcher = new Watcher({
      run: async ({ id, query, source }, options) => {
        this.runs.push({ at: this.now, window, id, refresh: options.refresh ?? '' });
        const resolved = resolveQuery(query, serviceClock.now(source));
        if (!resolved.ok) throw new Error(resolved.problem);
        return runner.run(resolved.value, { ...this.#grid.endpoint, source }, options);
      },
      histories: this.#counted(told),
      clock,
      serviceClock,
      random: this.#random,
      logger: { error: line => this.errors.push(line) },
      events: {
        refreshed: heard(this.refreshed),
        alerted: heard(this.told),
        failed: heard(this.failures),
        stopped: stop => this.stops.push(stop),
      },
    });
    return { watcher, told };
  }

  /** Empties the archive and all that is written down of what happened: what is held is then that of the windows. */
  async forget(): Promise<void> {
    await this.#archive.clear();
    for (const list of [this.asked, this.runs, this.told, this.refreshed, this.failures]) list.splice(0);
  }

  /** Lets time pass; what touches the disk is over before the next minute begins. */
  async pass(ms: number): Promise<void> {
    for (const end = this.clock.now() + ms; this.clock.now() < end;) {
      await this.clock.advance(Math.min(minute, end - this.clock.now()));
      await this.quiet();
    }
  }

  /** The computer sleeps: time goes on, timers do not. */
  async sleep(ms: number): Promise<void> {
    await this.quiet();
    this.clock.jump(ms);
  }

  /** Waits until nobody has anything to do before time passes, also on the disk. */
  async quiet(): Promise<void> {
    await settle();
    while (this.#busy.size > 0) {
      await Promise.allSettled(this.#busy);
      await settle();
    }
  }

  #counted(store: AlertHistoryStore): AlertHistoryStore {
    return {
      update: async (name, change) => {
        const updated = store.update(name, change);
        this.#busy.add(updated);
        return updated.finally(() => this.#busy.delete(updated));
      },
    };
  }

  async #answer(
    query: ResolvedQuery,
    window: string,
    options: ResponseFetcherOptions = {},
  ): Promise<FetchedResponse | AlreadyFetched> {
    if (!(await mayGo(options))) return { unneeded: true, requestsSpent: 0 };
    const sentAt = this.clock.now();
    const at = this.now;
    const record = { at, window, dataset: query.dataset.id };
    this.asked.push(record);
    if (this.latencyMs > 0)
      await this.clock.sleep(this.latencyMs, options.signal).catch(() => {
        throw new GridError('cancelled', { requestsSpent: 1 });
      });
    try {
      this.beforeAnswer(at);
    } catch (error) {
      if (error instanceof GridError && error.facts.requestsSpent === 0)
        this.asked.splice(this.asked.indexOf(record), 1);
      throw error;
    }
    const records: unknown[] = [];
    const over = Math.min(query.end, Math.floor(at / hour) * hour);
    let last = query.start - hour;
    for (let ms = query.start; ms < over; ms += hour) {
      const row = this.row(ms, at);
      if (row) records.push({ ts: formatInstant(ms), ...row });
      if (row) last = ms;
    }
    const meta = last < over - hour ? { data_delay: true, last_available: formatInstant(last) } : {};
    const respondedAt = Math.floor(this.now / 1000) * 1000;
    const times = { respondedAt, sentAt, headAt: this.clock.now() };
    return {
      decoded: decode([{ meta, data: records }]),
      bodies: [],
      traces: [],
      requestsSpent: 1,
      incomplete: false,
      ...times,
    };
  }
}

export function watched(id: string, change: Partial<WatchedQuery> & { readonly dataset?: string } = {}): WatchedQuery {
  const { dataset = 'gridStress', ...rest } = change;
  const query = { dataset, range: 'last 48 hours', interval: '1h', params: {}, timeZone: 'UTC' };
  return { id, connectionId: 'one', source: 'world', query, keepFresh: true, ...rest };
}
