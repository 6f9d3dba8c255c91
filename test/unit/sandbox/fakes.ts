import { createApp } from '../../../src/sandbox/app.ts';
import type { AppParts } from '../../../src/sandbox/app.ts';
import { hourMs } from '../../../src/sandbox/hours.ts';
import { KeyRing } from '../../../src/sandbox/keyRing.ts';
import { SyntheticSource } from '../../../src/sandbox/synthetic/syntheticSource.ts';
import { ScopedThrottle } from '../../../src/sandbox/throttle.ts';

export const systemState = '/api/v1/grid/system-state';
export const gridStress = '/api/v1/features/grid-stress';
export const noon = Date.UTC(2023, 5, 15, 12);
export const port = 49_152;

/** A clock that stands still until a test moves it. */
export function fakeClock(start = noon) {
  let now = start;
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}

/** 1, 2, 3 … in every byte: keys that differ and are plainly no secrets. */
export function countingBytes() {
  let count = 0;
  return (length: number) => new Uint8Array(length).fill(++count);
}

interface Call {
  readonly method?: string;
  /** The key to send; undefined for none. The service's own if left out. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole service without a socket, on a fake clock. */
export function fakeService(overrides: Partial<AppParts> & { readonly windowMs?: number } = {}) {
  const clock = fakeClock();
  const keys = new KeyRing(clock, countingBytes());
  const source = new SyntheticSource(1);
  const throttle = new ScopedThrottle(clock, overrides.windowMs ?? 60_000);
  const app = createApp({ source, keys, throttle, clock, port, delayHours: 0, ...overrides });
  const created = keys.create('test');
  return {
    clock,
    keys,
    source,
    key: created.value,
    prefix: created.prefix,
    request: async (path: string, call: Call = {}): Promise<Response> => {
      const key = 'key' in call ? call.key : created.value;
      const headers = { host: `127.0.0.1:${port}`, ...(key !== undefined && { 'x-api-key': key }), ...call.headers };
      return app.request(path, { method: call.method ?? 'GET', headers });
    },
  };
}

export interface Answer {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

export async function answerOf(response: Response): Promise<Answer> {
  return (await response.json()) as Answer;
}

/** The query of a range; instants in UTC milliseconds. */
export function range(start: number, end: number, more = ''): string {
  return `?start=${new Date(start).toISOString()}&end=${new Date(end).toISOString()}${more}`;
}

export function hourOf(instant: number): number {
  return instant / hourMs;
}
