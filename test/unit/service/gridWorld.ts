import { findTimeColumn } from '../../../src/core/frame/clip.ts';
import { recordsToFrame, decode } from '../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../src/core/decode/envelope.ts';
import { GridError } from '../../../src/core/errors.ts';
import { formatInstant } from '../../../src/core/time/instant.ts';
import { resolveQuery, type ResolvedQuery, type ServiceQuery } from '../../../src/core/query/query.ts';
import type { Price } from '../../../src/core/query/requestPlan.ts';
import type { Span } from '../../../src/core/range/resolveRange.ts';
import { generateRecords, type GridRecord } from '../../../src/core/frame/records.ts';
import { getSeriesIdentity, type SeriesKey } from '../../../src/core/query/seriesKey.ts';
import type { FetchedResponse, ResponseFetcherOptions } from '../../../src/service/client/responseFetcher.ts';
import type { AlreadyFetched } from '../../../src/service/client/apiClient.ts';
import {
  completeRange,
  type Archive,
  type ArchivedRange,
  type ArchivedResponse,
} from '../../../src/service/archive/archive.ts';
import { QueryEngine, type QueryEngineDeps } from '../../../src/service/query/queryEngine.ts';
import type { Frame } from '../../../src/shared/frame.ts';
import { FakeState } from './storeFakes.ts';
import { EndpointRunner } from '../../support/followRun.ts';
import { noConnections } from '../../support/noConnections.ts';
import { toServiceQuery } from '../../support/serviceQuery.ts';
import { realClock } from '../../support/realClock.ts';
import { ServiceClock } from '../../../src/service/client/serviceClock.ts';

export const hour = 3_600_000;

/** An archive in a Map: the model for tests of the real archive, and a fake for tests of its users. */
export class MemoryArchive implements Archive {
  readonly #series = new Map<string, { rows: Map<number, GridRecord[]>; requestedAt: Map<number, number> }>();
  /** Makes every merge fail, like a full disk. */
  full = false;

  read(series: SeriesKey, intervalMs: number, span: Span): Promise<ArchivedRange> {
    const { rows, requestedAt } = this.#of(series);
    const instants = [...rows.keys()].filter(ms => ms >= span.start && ms < span.end).sort((a, b) => a - b);
    const intervalCount = Math.ceil((span.end - span.start) / intervalMs);
    return Promise.resolve({
      frame: recordsToFrame(instants.flatMap(ms => rows.get(ms) ?? [])),
      requestedAt: Float64Array.from(
        { length: intervalCount },
        (_, index) => requestedAt.get(span.start + index * intervalMs) ?? 0,
      ),
      meta: {},
    });
  }

  merge(series: SeriesKey, intervalMs: number, requested: Span, response: ArchivedResponse): Promise<boolean> {
    if (this.full) return Promise.resolve(false);
    const { rows, requestedAt } = this.#of(series);
    const time = findTimeColumn(response.frame);
    const fresh = new Map<number, GridRecord[]>();
    let row = 0;
    for (const record of generateRecords(response.frame)) {
      const ms = time?.values[row++] ?? NaN;
      fresh.set(ms, [...(fresh.get(ms) ?? []), record]);
    }
    const { start, end } = completeRange(response, requested);
    for (const ms of rows.keys()) if (ms >= start && ms < end) rows.delete(ms);
    for (const [ms, records] of fresh) rows.set(ms, records);
    for (let ms = requested.start; ms < requested.end; ms += intervalMs) requestedAt.set(ms, response.requestedAt);
    return Promise.resolve(true);
  }

  size(): Promise<number> {
    return Promise.resolve(0);
  }

  clear(): Promise<void> {
    this.#series.clear();
    return Promise.resolve();
  }

  #of(series: SeriesKey): { rows: Map<number, GridRecord[]>; requestedAt: Map<number, number> } {
    const identity = getSeriesIdentity(series);
    const stored = this.#series.get(identity) ?? {
      rows: new Map<number, GridRecord[]>(),
      requestedAt: new Map<number, number>(),
    };
    this.#series.set(identity, stored);
    return stored;
  }
}

type EngineParts = Omit<QueryEngineDeps, 'endpoints'>;

/** A fake service that publishes hours when they have ended, with the other dependencies of a runner. Its clock moves only when a test moves it. */
export class GridWorld {
  now: number;
  /** The milliseconds by which the local clock is ahead of the service's. */
  clockError = 0;
  readonly sentRequests: { readonly dataset: string; readonly start: number; readonly end: number }[] = [];
  readonly archive = new MemoryArchive();
  readonly knownLimits = new Map<string, number>();
  readonly suspected = new Map<string, number>();
  readonly state = new FakeState();
  /** Hours that the service never publishes. */
  readonly holes = new Set<number>();
  /** The revised values of hours. */
  readonly revised = new Map<number, number>();
  /** The envelope of responses. */
  meta: JsonObject = { from: 'world' };
  /** The number of rows in the first pages of a response, whose other pages are not followed. */
  firstHours = Infinity;
  /** The number of rows for each instant. */
  rowsAnHour = 1;
  /** Returns additional fields of the first row of a response. */
  extraFields: () => Readonly<Record<string, unknown>> = () => ({});
  /** Called before each response; may throw the errors of the client. */
  beforeResponse: (query: ResolvedQuery) => void | Promise<void> = () => undefined;
  price = (requests: number): Price => ({ requests, now: requests, waitMs: 0 });

  constructor(now: string) {
    this.now = Date.parse(now);
  }

  readonly endpoint = { name: 'World', baseUrl: 'https://api.example.org', key: 'not-a-real-key', source: 'world' };

  /** Creates the runner of one window. Two windows share only the archive. */
  window(change: Partial<EngineParts> = {}): EndpointRunner {
    return new EndpointRunner(new QueryEngine({ ...this.deps(change), endpoints: noConnections }));
  }

  /** The dependencies of an engine over connections. */
  deps(change: Partial<EngineParts> = {}): EngineParts {
    const clock = { now: () => this.now + this.clockError, sleep: () => realClock.sleep(1) };
    const serviceClock = new ServiceClock(clock, this.state);
    return {
      fetcher: { fetch: (query, _, options) => this.#answer(query, options) },
      archive: this.archive,
      lock: {
        acquire: series => Promise.resolve(this.#take(getSeriesIdentity(series))),
        isHeldElsewhere: series => Promise.resolve(this.#taken.has(getSeriesIdentity(series))),
        readVersion: () => Promise.resolve(''),
      },
      maxRanges: {
        getLimit: series => this.knownLimits.get(series) ?? this.suspected.get(series),
        confirmLimit: (series, limit) => Promise.resolve(void this.knownLimits.set(series, limit)),
        suspectLimit: (series, limit) => Promise.resolve(void this.suspected.set(series, limit)),
      },
      getPrice: requests => Promise.resolve(this.price(requests)),
      clock,
      serviceClock,
      settledAfterMs: () => 48 * hour,
      ...change,
    };
  }

  query(range: string, dataset = 'systemState'): ServiceQuery {
    const resolved = resolveQuery({ dataset, range, interval: '1h', params: {}, timeZone: 'UTC' }, this.now);
    if (!resolved.ok) throw new Error(`${range}: ${resolved.problem}`);
    return toServiceQuery(resolved.value);
  }

  readonly #taken = new Set<string>();

  #take(series: string): (() => Promise<void>) | undefined {
    if (this.#taken.has(series)) return undefined;
    this.#taken.add(series);
    return () => Promise.resolve(void this.#taken.delete(series));
  }

  async #answer(query: ResolvedQuery, options: ResponseFetcherOptions = {}): Promise<FetchedResponse | AlreadyFetched> {
    if (!(await enterGate(options))) return { unneeded: true, requestsSpent: 0 };
    this.sentRequests.push({ dataset: query.dataset.id, start: query.start, end: query.end });
    const sentAt = this.now + this.clockError;
    await this.beforeResponse(query);
    const published = Math.floor(this.now / hour) * hour;
    const records: unknown[] = [];
    for (let ms = query.start; ms < Math.min(query.end, published); ms += query.intervalMs ?? hour) {
      const firstFields = records.length === 0 ? this.extraFields() : {};
      const value = this.revised.get(ms) ?? ms / hour;
      for (let unit = 0; unit < this.rowsAnHour && !this.holes.has(ms); unit++)
        records.push({ ts: formatInstant(ms), residual_demand_mw: value + unit, ...firstFields });
    }
    return {
      decoded: decode([{ meta: this.meta, data: records.slice(0, this.firstHours) }]),
      bodies: [],
      traces: [],
      requestsSpent: 1,
      respondedAt: this.now,
      sentAt,
      headAt: this.now + this.clockError,
      incomplete: records.length > this.firstHours,
    };
  }
}

/** Enters the gate like the client, without a budget. Returns false if the hours are already fetched. */
export async function enterGate({ gate, signal }: ResponseFetcherOptions): Promise<boolean> {
  for (;;) {
    await Promise.resolve();
    const gateResult = await gate?.enter();
    if (gateResult === 'unneeded') return false;
    if (signal?.aborted) throw new GridError('cancelled', { requestsSpent: 0 });
    if (gateResult !== 'busy') return true;
    await gate?.waitUntilFree().catch(() => undefined);
  }
}

/** Lists the instants of a result's rows, as texts. */
export function listInstants(result: { readonly frame: Frame | undefined }): string[] {
  const time = result.frame && findTimeColumn(result.frame);
  return Array.from(time?.values ?? [], formatInstant);
}
