import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A copy of Django REST framework's SimpleRateThrottle, which keeps the times of accepted requests, newest first. */
export class StrictThrottle {
  #history: number[] = [];

  allow(now: number, requests: number, windowMs: number): boolean {
    while (this.#history.length > 0 && (this.#history.at(-1) ?? now) <= now - windowMs) this.#history.pop();
    if (this.#history.length >= requests) return false;
    this.#history.unshift(now);
    return true;
  }
}

/** A received request; `at` is in milliseconds of a monotonic clock. */
interface Hit {
  readonly client: string;
  readonly at: number;
  readonly ok: boolean;
}

export interface StrictServer {
  readonly baseUrl: string;
  readonly hits: readonly Hit[];
  close(): Promise<void>;
}

/** Starts a server with a strict rate limit and a latency of up to `latencyMs` each way. The path names the client. */
export async function startStrictServer(requests: number, windowMs: number, latencyMs: number): Promise<StrictServer> {
  const throttle = new StrictThrottle();
  const hits: Hit[] = [];
  const delay = () => sleep(randomInt(latencyMs + 1));
  const server = createServer((request, response) => {
    void delay()
      .then(async () => {
        const at = performance.now();
        const ok = throttle.allow(at, requests, windowMs);
        hits.push({ client: (request.url ?? '/').slice(1), at, ok });
        await delay();
        response.writeHead(ok ? 200 : 429, { 'Content-Type': 'application/json' }).end('{}');
      })
      .catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
