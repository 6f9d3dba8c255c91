import { createApp, type AppParts } from '../../../src/sandbox/server/app.ts';
import { type GridHour } from '../../../src/sandbox/data/gridHour.ts';
import { KeyRing } from '../../../src/sandbox/keys/keyRing.ts';
import { generateHours, type HourSource, Publication } from '../../../src/sandbox/data/source.ts';
import { documentedLimits } from '../../../src/sandbox/keys/scopes.ts';
import { SyntheticSource } from '../../../src/sandbox/synthetic/syntheticSource.ts';
import { ScopedThrottle } from '../../../src/sandbox/server/throttle.ts';
import { UsageMeter } from '../../../src/sandbox/keys/usage.ts';
import { hourMs } from '../../../src/shared/durations.ts';
import { assertDocumented } from '../../support/documentedResponses.ts';

export const systemState = '/api/v1/grid/system-state';
export const gridStress = '/api/v1/features/grid-stress';
export const noon = Date.UTC(2023, 5, 15, 12);
export const port = 49_152;

/** Creates a clock that only advances when a test advances it. */
export function fakeClock(start = noon) {
  let now = start;
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}

/** Creates a fake random generator whose bytes are all 1, then all 2, and so on, so that keys differ and are obviously fake. */
export function countingBytes() {
  let count = 0;
  return (length: number) => new Uint8Array(length).fill(++count);
}

interface RequestOptions {
  readonly method?: string;
  /** The key to send; undefined for none. Defaults to the key of the fake service. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Overrides extends Partial<AppParts> {
  readonly windowMs?: number;
  readonly delayHours?: number;
}

/** Creates the whole service without a socket, on a fake clock. Every response is checked against the OpenAPI document. */
export function fakeService({ windowMs = 60_000, delayHours = 0, ...overrides }: Overrides = {}) {
  const clock = fakeClock();
  const keys = new KeyRing(clock, countingBytes());
  const source = new SyntheticSource(1);
  const throttle = new ScopedThrottle(clock, windowMs);
  const usage = new UsageMeter(clock);
  const publication = new Publication(clock);
  publication.delayHours = delayHours;
  const parts = {
    source,
    keys,
    throttle,
    usage,
    publication,
    limits: documentedLimits,
    windowMs,
    port,
    faults: undefined,
  };
  const app = createApp({ ...parts, ...overrides });
  const created = keys.create('test');
  return {
    clock,
    keys,
    source,
    usage,
    publication,
    key: created.value,
    prefix: created.prefix,
    request: async (path: string, options: RequestOptions = {}): Promise<Response> => {
      const { method = 'GET' } = options;
      const key = 'key' in options ? options.key : created.value;
      const headers = { host: `127.0.0.1:${port}`, ...(key !== undefined && { 'x-api-key': key }), ...options.headers };
      const response = await app.request(path, { method, headers });
      const body = await response.clone().text();
      assertDocumented({ method, path, status: response.status, headers: response.headers, body });
      return response;
    },
  };
}

/** Collects the existing hours of [from, to). */
export async function collectHours(source: HourSource, from: number, to: number): Promise<GridHour[]> {
  const hours: GridHour[] = [];
  for await (const batch of generateHours(source, from, to)) hours.push(...batch);
  return hours;
}

export interface SandboxResponse {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

export async function parseResponse(response: Response): Promise<SandboxResponse> {
  return (await response.json()) as SandboxResponse;
}

/** Formats the query of a range; instants are UTC milliseconds. */
export function range(start: number, end: number, extraParams = ''): string {
  return `?start=${new Date(start).toISOString()}&end=${new Date(end).toISOString()}${extraParams}`;
}

export function toHour(instant: number): number {
  return instant / hourMs;
}
