import { AxiosHeaders, type AxiosAdapter, type AxiosResponse } from 'axios';
import { findTimeColumn } from '../../src/core/frame/clip.ts';
import { resolveQuery, type ResolvedQuery } from '../../src/core/query/query.ts';
import type { Span } from '../../src/core/range/resolveRange.ts';
import type { StorageFs } from '../../src/service/files/fileSystem.ts';
import type { Result } from '../../src/shared/result.ts';
import { VirtualClock } from '../unit/service/virtualClock.ts';
import { diskWindow } from './diskWindow.ts';
import { serviceQuery } from './serviceQuery.ts';
import type { ScriptedQuery } from './monthOfUse.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const hour = 3_600_000;
const endpoint = { name: 'World', baseUrl: 'https://api.example.org', key: 'not-a-real-key', source: 'world' };

interface Ran {
  readonly query: ResolvedQuery;
  readonly result: Result;
  /** Requests left in the query's scope, as all windows know. */
  readonly left: number;
}

/**
 * Windows over one real folder in virtual time, and the service they ask: its hours appear when they are over, and their
 * values are corrected a day later.
 */
export class DiskMonth {
  readonly clock: VirtualClock;
  /** What reached the service. */
  readonly asked: Span[] = [];
  readonly warnings: string[] = [];
  readonly #folder = temporaryFolder();
  readonly #fs: StorageFs | undefined;
  #windows = new Map<number, ReturnType<typeof diskWindow>>();
  #started = 0;

  constructor(start: number, fs?: StorageFs) {
    this.clock = new VirtualClock(start);
    this.#fs = fs;
  }

  /** How many sets of objects were made so far. */
  get windowsStarted(): number {
    return this.#started;
  }

  /** Runs one query of the script when its time has come; after a restart nothing but the folder is left. */
  async run({ at, restart, window, dataset, range }: ScriptedQuery): Promise<Ran> {
    await this.clock.advance(at - this.clock.now());
    if (restart) this.#windows = new Map();
    const opened = this.#windows.get(window) ?? this.#open();
    this.#windows.set(window, opened);
    const { runner, limiter } = opened;
    const resolved = resolveQuery({ dataset, range, interval: '1h', params: {}, timeZone: 'UTC' }, at);
    if (!resolved.ok) throw new Error(`${range}: ${resolved.problem}`);
    const result = await runner.run(resolved.value, endpoint);
    const { scope, limit } = serviceQuery(resolved.value).dataset;
    // Waits until the permit is back on disk, too: nobody in another window may find the file locked in standing time.
    const { left } = await limiter.budget({ origin: endpoint.baseUrl, key: endpoint.key, scope }, limit);
    return { query: resolved.value, result, left };
  }

  #open(): ReturnType<typeof diskWindow> {
    const warn = (line: string): void => void this.warnings.push(line);
    return diskWindow({
      folder: this.#folder,
      clock: this.clock,
      name: `window ${++this.#started}`,
      ...(this.#fs && { fs: this.#fs }),
      logger: { info: () => undefined, warn, error: warn },
      // The slow one would take most of the time: every window computes it anew.
      fingerprint: () => Promise.resolve('0123abcd'),
      transportOptions: { adapter: this.#answer },
    });
  }

  readonly #answer: AxiosAdapter = config => {
    const query = config.params as URLSearchParams;
    const asked = { start: Date.parse(query.get('start') ?? ''), end: Date.parse(query.get('end') ?? '') };
    this.asked.push(asked);
    const now = this.clock.now();
    const data = publishedHours(asked, now).map(ms => {
      return { ts: new Date(ms).toISOString(), residual_demand_mw: valueAt(ms, now) };
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

/** How many rows of a result are not what the service would answer now, or are missing. */
export function wrongRows({ frame }: Result, query: ResolvedQuery, now: number): number {
  const instants = (frame && findTimeColumn(frame)?.values) ?? new Float64Array();
  const values = frame?.columns.find(({ name }) => name === 'residual_demand_mw');
  const hours = publishedHours(query, now);
  const wrong = hours.filter((ms, row) => {
    const value = values?.kind === 'number' ? values.values[row] : undefined;
    return instants[row] !== ms || value !== valueAt(ms, now);
  });
  return wrong.length + Math.max(0, instants.length - hours.length);
}

function publishedHours({ start, end }: Span, now: number): number[] {
  const hours = Math.floor((Math.min(end, Math.floor(now / hour) * hour) - start) / hour);
  return Array.from({ length: Math.max(0, hours) }, (_, index) => start + index * hour);
}

function valueAt(ms: number, now: number): number {
  const age = Math.floor(now / hour) * hour - ms;
  return ms / hour + (age > 24 * hour ? 0 : 0.5);
}
