import { AxiosHeaders, type AxiosAdapter, type AxiosResponse } from 'axios';
import { findTimeColumn } from '../../src/core/frame/clip.ts';
import { resolveQuery, type ResolvedQuery } from '../../src/core/query/query.ts';
import type { Span } from '../../src/core/range/resolveRange.ts';
import type { StorageFs } from '../../src/service/files/fileSystem.ts';
import type { Result } from '../../src/shared/result.ts';
import { VirtualClock } from '../unit/service/virtualClock.ts';
import { createDiskWindow } from './diskWindow.ts';
import { toServiceQuery } from './serviceQuery.ts';
import type { ScriptedQuery } from './monthOfUse.ts';
import { createTemporaryFolder } from './temporaryFolder.ts';

const hour = 3_600_000;
const endpoint = { name: 'World', baseUrl: 'https://api.example.org', key: 'not-a-real-key', source: 'world' };

interface CompletedQuery {
  readonly query: ResolvedQuery;
  readonly result: Result;
  /** The requests left in the query's scope, shared by all windows. */
  readonly left: number;
}

/**
 * Windows that share a real folder in virtual time, and their service, which publishes hours when they have ended and revises their
 * values a day later.
 */
export class DiskMonth {
  readonly clock: VirtualClock;
  /** The ranges requested from the service. */
  readonly requestedSpans: Span[] = [];
  readonly warnings: string[] = [];
  readonly #folder = createTemporaryFolder();
  readonly #fs: StorageFs | undefined;
  #windows = new Map<number, ReturnType<typeof createDiskWindow>>();
  #startCount = 0;

  constructor(start: number, fs?: StorageFs) {
    this.clock = new VirtualClock(start);
    this.#fs = fs;
  }

  /** The number of windows started so far. */
  get windowsStarted(): number {
    return this.#startCount;
  }

  /** Advances the clock and runs a query of the script. After a restart only the folder remains. */
  async run({ at, restart, window, dataset, range }: ScriptedQuery): Promise<CompletedQuery> {
    await this.clock.advance(at - this.clock.now());
    if (restart) this.#windows = new Map();
    const diskWindow = this.#windows.get(window) ?? this.#open();
    this.#windows.set(window, diskWindow);
    const { runner, limiter } = diskWindow;
    const resolved = resolveQuery({ dataset, range, interval: '1h', params: {}, timeZone: 'UTC' }, at);
    if (!resolved.ok) throw new Error(`${range}: ${resolved.problem}`);
    const result = await runner.run(resolved.value, endpoint);
    const { scope, limit } = toServiceQuery(resolved.value).dataset;
    // Also waits until the permit is written back: in stopped virtual time, another window would find the file locked.
    const { left } = await limiter.budget({ origin: endpoint.baseUrl, key: endpoint.key, scope }, limit);
    return { query: resolved.value, result, left };
  }

  #open(): ReturnType<typeof createDiskWindow> {
    const warn = (line: string): void => void this.warnings.push(line);
    return createDiskWindow({
      folder: this.#folder,
      clock: this.clock,
      name: `window ${++this.#startCount}`,
      ...(this.#fs && { fs: this.#fs }),
      logger: { info: () => undefined, warn, error: warn },
      // Computing the real fingerprint for every window would take most of the time.
      fingerprint: () => Promise.resolve('0123abcd'),
      transportOptions: { adapter: this.#respond },
    });
  }

  readonly #respond: AxiosAdapter = config => {
    const query = config.params as URLSearchParams;
    const requested = { start: Date.parse(query.get('start') ?? ''), end: Date.parse(query.get('end') ?? '') };
    this.requestedSpans.push(requested);
    const now = this.clock.now();
    const data = listPublishedHours(requested, now).map(ms => {
      return { ts: new Date(ms).toISOString(), residual_demand_mw: computeValue(ms, now) };
    });
    const response: AxiosResponse = {
      status: 200,
      statusText: 'OK',
      config,
      data: Buffer.from(JSON.stringify({ data })),
      headers: new AxiosHeaders({ date: new Date(now).toUTCString() }),
    };
    return Promise.resolve(response);
  };
}

/** Counts the rows of a result that are missing or differ from what the service would return now. */
export function countWrongRows({ frame }: Result, query: ResolvedQuery, now: number): number {
  const instants = (frame && findTimeColumn(frame)?.values) ?? new Float64Array();
  const values = frame?.columns.find(({ name }) => name === 'residual_demand_mw');
  const hours = listPublishedHours(query, now);
  const wrong = hours.filter((ms, row) => {
    const value = values?.kind === 'number' ? values.values[row] : undefined;
    return instants[row] !== ms || value !== computeValue(ms, now);
  });
  return wrong.length + Math.max(0, instants.length - hours.length);
}

function listPublishedHours({ start, end }: Span, now: number): number[] {
  const hours = Math.floor((Math.min(end, Math.floor(now / hour) * hour) - start) / hour);
  return Array.from({ length: Math.max(0, hours) }, (_, index) => start + index * hour);
}

function computeValue(ms: number, now: number): number {
  const age = Math.floor(now / hour) * hour - ms;
  return ms / hour + (age > 24 * hour ? 0 : 0.5);
}
