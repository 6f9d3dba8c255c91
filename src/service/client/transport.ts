import axios from 'axios';
import type { AxiosAdapter, AxiosInstance } from 'axios';
import type { Clock } from '../../core/ports.ts';

export const keyHeader = 'X-API-KEY';

/** All have defaults: `transportDefaults`. */
export interface TransportOptions {
  /** The longest time without a byte: while connecting, before the first byte and between two. */
  readonly idleTimeoutMs?: number;
  /** The longest time on the wire for one call, all attempts together. */
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

/** An HTTP client that returns bytes, sends nothing to any other address, and holds no key. */
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
    // By default the library takes HTML, an empty body or half a JSON text for a success.
    responseType: 'arraybuffer',
    transformResponse: [(data: unknown) => data],
    redact: [keyHeader],
    headers: { Accept: 'application/json', 'Accept-Language': 'en' },
  });
}

/** Sends one request over Node's http or https. */
export const httpAdapter: AxiosAdapter = axios.getAdapter('http');

/** Resolves any name to this machine: a hosts file may map "localhost" elsewhere. */
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
 * The time limit for all network work of one call. With an idle timeout alone a server could send one byte a second for ever;
 * time spent waiting for a permit or between attempts does not count.
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

  /** Runs the work, which counts towards the limit; `onExpire` must end it. */
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
