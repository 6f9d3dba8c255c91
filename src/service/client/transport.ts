import axios from 'axios';
import type { AxiosAdapter, AxiosInstance } from 'axios';
import type { Clock } from '../../core/ports.ts';

export const keyHeader = 'X-API-KEY';

/** All optional: the defaults are the product's. */
export interface TransportOptions {
  /** Longest silence on the wire: while connecting, before the first byte and between two. */
  readonly idleTimeoutMs?: number;
  /** Longest time on the wire for one call, all attempts together. */
  readonly totalTimeoutMs?: number;
  /** Largest body, decompressed. */
  readonly maxBytes?: number;
  /** The first wait before another attempt is at most twice this, the next at most four times. */
  readonly backoffMs?: number;
  /** Stands in for the network. */
  readonly adapter?: AxiosAdapter;
}

export const transportDefaults = {
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 120_000,
  maxBytes: 64 * 2 ** 20,
  backoffMs: 500,
} as const;

/** An HTTP client that hands over bytes, talks to nobody but the address asked for, and holds no key. */
export function createTransport(idleTimeoutMs: number, maxBytes: number): AxiosInstance {
  return axios.create({
    // The key's header would survive a redirect to another host.
    maxRedirects: 0,
    sensitiveHeaders: [keyHeader],
    allowAbsoluteUrls: false,
    // The editor's patched http module does proxies; doing it twice sends the key to the wrong host.
    proxy: false,
    timeout: idleTimeoutMs,
    maxContentLength: maxBytes,
    maxBodyLength: 100_000,
    // Left to itself the library takes HTML, an empty body or half a JSON text for a success.
    responseType: 'arraybuffer',
    transformResponse: [(data: unknown) => data],
    redact: [keyHeader],
    headers: { Accept: 'application/json', 'Accept-Language': 'en' },
  });
}

/** Sends one request over Node's http or https. */
export const httpAdapter: AxiosAdapter = axios.getAdapter('http');

/** Resolves any name to this machine: a hosts file may say otherwise of "localhost". */
export function loopbackLookup(
  _hostname: string,
  _options: object,
  done: (error: null, addresses: { address: string; family: 4 | 6 }[]) => void,
): void {
  done(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
}

/**
 * A total time for all network work of one call. An idle time-out alone lets a server drip one byte a second for ever;
 * time spent waiting for a permit or between attempts is not charged.
 */
export class NetworkDeadline {
  readonly #clock: Clock;
  readonly #onExpire: () => void;
  #leftMs: number;
  #expired = false;

  constructor(totalMs: number, clock: Clock, onExpire: () => void) {
    this.#leftMs = totalMs;
    this.#clock = clock;
    this.#onExpire = onExpire;
  }

  get expired(): boolean {
    return this.#expired;
  }

  /** Runs the work with the time on; `onExpire` must make the work end. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const started = this.#clock.now();
    const stop = new AbortController();
    void this.#clock.sleep(this.#leftMs, stop.signal).then(
      () => {
        this.#expired = true;
        this.#onExpire();
      },
      () => undefined,
    );
    try {
      return await work();
    } finally {
      stop.abort();
      this.#leftMs = Math.max(0, this.#leftMs - Math.max(0, this.#clock.now() - started));
    }
  }
}
