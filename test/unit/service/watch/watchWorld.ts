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
import { GridWorld, hour, enterGate, MemoryArchive } from '../gridWorld.ts';
import { FakeState } from '../storeFakes.ts';
import { settle, VirtualClock } from '../virtualClock.ts';
import { decode } from '../../../../src/core/decode/decode.ts';

export const minute = 60_000;

/** An archive in memory that, like the archive on disk, also returns the metadata of the latest response. */
class ArchiveWithMeta extends MemoryArchive {
  #latestResponse: ArchivedResponse | undefined;

  override async read(series: SeriesKey, intervalMs: number, span: Span): Promise<ArchivedRange> {
    const archived = await super.read(series, intervalMs, span);
    return this.#latestResponse
      ? { ...archived, meta: this.#latestResponse.meta, metaRequestedAt: this.#latestResponse.requestedAt }
      : archived;
  }

  override async merge(
    series: SeriesKey,
    intervalMs: number,
    requested: Span,
    response: ArchivedResponse,
  ): Promise<boolean> {
    this.#latestResponse = response;
    return super.merge(series, intervalMs, requested, response);
  }
}

/** Alert histories in memory, shared by all windows. */
export class MemoryAlertHistories implements AlertHistoryStore {
  readonly files = new Map<string, AlertHistory>();

  async update<T>(name: string, change: (history: AlertHistory) => HistoryChange<T>): Promise<T> {
    await Promise.resolve();
    const { history, value } = change(this.files.get(name) ?? emptyAlertHistory);
    this.files.set(name, history);
    return value;
  }
}

/** An event that a window has emitted. `instant` is by the service's clock. */
interface RecordedEvent<T> {
  readonly instant: number;
  readonly window: string;
  readonly query: string;
  readonly value: T;
}

interface WatchWindow {
  readonly watcher: Watcher;
  readonly alerts: AlertHistoryStore;
}

/** Simulates a computer with several VS Code windows and a service that publishes each hour, in virtual time. */
export class WatchWorld {
  readonly clock: VirtualClock;
  /** The milliseconds by which the computer's clock is ahead of the service's. */
  clockError = 0;
  /** Returns the row of an hour as the service has it at an instant, or undefined if the hour is not published yet. */
  row: (ms: number, instant: number) => Readonly<Record<string, unknown>> | undefined = () => ({});
  /** Called before each response. It may throw a `GridError` to simulate a failed request. */
  beforeResponse: (instant: number) => void = () => undefined;
  latencyMs = 2_000;
  /** Creates the fetcher of a window. If undefined, windows receive simulated responses. */
  createFetcher: ((window: string) => Pick<ResponseFetcher, 'fetch'>) | undefined;
  readonly sentRequests: { readonly instant: number; readonly window: string; readonly dataset: string }[] = [];
  readonly runs: {
    readonly instant: number;
    readonly window: string;
    readonly id: string;
    readonly refresh: string;
  }[] = [];
  readonly alerts: RecordedEvent<readonly AlertNotification[]>[] = [];
  readonly refreshed: RecordedEvent<Result>[] = [];
  readonly failures: RecordedEvent<GridError>[] = [];
  readonly stops: StoppedConnection[] = [];
  readonly errors: string[] = [];
  readonly #archive = new ArchiveWithMeta();
  /** The state that all windows share. It contains the clock offset of the service. */
  readonly #state = new FakeState();
  readonly #grid = new GridWorld('2026-01-01T00:00Z');
  readonly #random: () => number;
  /** The updates of alert histories that have not ended yet. */
  readonly #pendingUpdates = new Set<Promise<unknown>>();

  constructor(start: string, random: () => number = () => 0.5) {
    this.clock = new VirtualClock(Date.parse(start));
    this.#random = random;
  }

  /** The current time by the service's clock. */
  get now(): number {
    return this.clock.now() - this.clockError;
  }

  openWindow(window: string, alerts: AlertHistoryStore): WatchWindow {
    const { clock } = this;
    const serviceClock = new ServiceClock(clock, this.#state);
    const runner = this.#grid.window({
      archive: this.#archive,
      clock,
      serviceClock,
      fetcher: this.createFetcher?.(window) ?? {
        fetch: async (query, _, options) => this.#respond(query, window, options),
      },
    });
    const createRecorder = <T>(list: RecordedEvent<T>[]) => {
      return ({ id }: WatchedQuery, value: T) => void list.push({ instant: this.now, window, query: id, value });
    };
    const watcher = new Watcher({
      run: async ({ id, query, source }, options) => {
        this.runs.push({ instant: this.now, window, id, refresh: options.refresh ?? '' });
        const resolved = resolveQuery(query, serviceClock.now(source));
        if (!resolved.ok) throw new Error(resolved.problem);
        return runner.run(resolved.value, { ...this.#grid.endpoint, source }, options);
      },
      histories: this.#trackUpdates(alerts),
      clock,
      serviceClock,
      random: this.#random,
      logger: { error: line => this.errors.push(line) },
      events: {
        refreshed: createRecorder(this.refreshed),
        alerted: createRecorder(this.alerts),
        failed: createRecorder(this.failures),
        stopped: stop => this.stops.push(stop),
      },
    });
    return { watcher, alerts };
  }

  /** Clears the archive and the recorded events. The windows and their alert histories keep their state. */
  async clearArchiveAndRecords(): Promise<void> {
    await this.#archive.clear();
    for (const list of [this.sentRequests, this.runs, this.alerts, this.refreshed, this.failures]) list.splice(0);
  }

  /** Advances the clock minute by minute. Waits after each minute until all updates of alert histories have ended. */
  async advance(ms: number): Promise<void> {
    for (const end = this.clock.now() + ms; this.clock.now() < end;) {
      await this.clock.advance(Math.min(minute, end - this.clock.now()));
      await this.waitUntilIdle();
    }
  }

  /** Simulates sleep: the clock jumps, but timers do not fire meanwhile. */
  async sleep(ms: number): Promise<void> {
    await this.waitUntilIdle();
    this.clock.jump(ms);
  }

  /** Waits until no promise and no update of an alert history is pending. */
  async waitUntilIdle(): Promise<void> {
    await settle();
    while (this.#pendingUpdates.size > 0) {
      await Promise.allSettled(this.#pendingUpdates);
      await settle();
    }
  }

  #trackUpdates(store: AlertHistoryStore): AlertHistoryStore {
    return {
      update: async (name, change) => {
        const updated = store.update(name, change);
        this.#pendingUpdates.add(updated);
        return updated.finally(() => this.#pendingUpdates.delete(updated));
      },
    };
  }

  async #respond(
    query: ResolvedQuery,
    window: string,
    options: ResponseFetcherOptions = {},
  ): Promise<FetchedResponse | AlreadyFetched> {
    if (!(await enterGate(options))) return { unneeded: true, requestsSpent: 0 };
    const sentAt = this.clock.now();
    const instant = this.now;
    const record = { instant, window, dataset: query.dataset.id };
    this.sentRequests.push(record);
    if (this.latencyMs > 0)
      await this.clock.sleep(this.latencyMs, options.signal).catch(() => {
        throw new GridError('cancelled', { requestsSpent: 1 });
      });
    try {
      this.beforeResponse(instant);
    } catch (error) {
      if (error instanceof GridError && error.facts.requestsSpent === 0)
        this.sentRequests.splice(this.sentRequests.indexOf(record), 1);
      throw error;
    }
    const rows: unknown[] = [];
    const publishedEnd = Math.min(query.end, Math.floor(instant / hour) * hour);
    let lastPublished = query.start - hour;
    for (let ms = query.start; ms < publishedEnd; ms += hour) {
      const row = this.row(ms, instant);
      if (!row) continue;
      rows.push({ ts: formatInstant(ms), ...row });
      lastPublished = ms;
    }
    const isDelayed = lastPublished < publishedEnd - hour;
    const meta = isDelayed ? { data_delay: true, last_available: formatInstant(lastPublished) } : {};
    const respondedAt = Math.floor(this.now / 1000) * 1000;
    const times = { respondedAt, sentAt, headAt: this.clock.now() };
    return {
      decoded: decode([{ meta, data: rows }]),
      bodies: [],
      traces: [],
      requestsSpent: 1,
      incomplete: false,
      ...times,
    };
  }
}

/** Creates a query with hourly refresh. `fields` overrides its defaults. */
export function createWatchedQuery(
  id: string,
  fields: Partial<WatchedQuery> & { readonly dataset?: string } = {},
): WatchedQuery {
  const { dataset = 'gridStress', ...rest } = fields;
  const query = { dataset, range: 'last 48 hours', interval: '1h', params: {}, timeZone: 'UTC' };
  return { id, connectionId: 'one', source: 'world', query, keepFresh: true, ...rest };
}
