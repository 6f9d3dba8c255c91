import { AxiosError, AxiosHeaders } from 'axios';
import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { ResponseFetcher } from '../../../../src/service/client/responseFetcher.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { ApiClient } from '../../../../src/service/client/apiClient.ts';
import { createWindow } from '../limiter/limiterSetUp.ts';
import { MemoryStore } from '../limiter/memoryStore.ts';
import type { WatchWorld } from './watchWorld.ts';

const hour = 3_600_000;

/** How the service handles a request. */
export type Trouble = 'none' | 'serverError' | 'unavailable' | 'broken' | { readonly retryAfter: number };

/** A service with the real client and limiter of each window, in virtual time. Records the requests that it receives. */
export class TroubledService {
  readonly requests: { readonly requestedAt: number; readonly path: string; readonly outcome: Trouble }[] = [];
  trouble: (requestedAt: number, path: string) => Trouble = () => 'none';
  readonly #world: WatchWorld;
  readonly #limits = new MemoryStore();

  constructor(world: WatchWorld) {
    this.#world = world;
  }

  fetcher(window: string): ResponseFetcher {
    const { clock } = this.#world;
    const ignore = (): void => undefined;
    const reader = new ResponseReader(new ReaderProcesses());
    const client = new ApiClient({
      reader,
      limiter: createWindow(clock, this.#limits, window),
      clock,
      random: () => 0.5,
      logger: { info: ignore, warn: ignore, error: ignore },
      transportOptions: { adapter: this.#respond },
    });
    return new ResponseFetcher(client, reader);
  }

  readonly #respond: AxiosAdapter = async config => {
    const path = config.url ?? '';
    const requestedAt = this.#world.now;
    const outcome = this.trouble(requestedAt, path);
    this.requests.push({ requestedAt, path, outcome });
    await this.#world.clock.sleep(1_500);
    if (outcome === 'broken') throw new AxiosError('broken', 'ECONNRESET', config);
    if (outcome === 'serverError') return rejectRequest(config, 500);
    if (outcome === 'unavailable') return rejectRequest(config, 503);
    if (typeof outcome === 'object') return rejectRequest(config, 429, { 'retry-after': String(outcome.retryAfter) });
    const query = config.params as URLSearchParams;
    const start = Date.parse(query.get('start') ?? '');
    const end = Date.parse(query.get('end') ?? '');
    const data: object[] = [];
    for (let ms = start; ms < Math.min(end, Math.floor(requestedAt / hour) * hour); ms += hour)
      data.push({ ts: new Date(ms).toISOString(), ...this.#world.row(ms, requestedAt) });
    return reply(config, 200, { data }, { date: new Date(this.#world.now).toUTCString() });
  };
}

function reply(
  config: InternalAxiosRequestConfig,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): AxiosResponse {
  const data = Buffer.from(JSON.stringify(body));
  return { status, statusText: '', config, data, headers: new AxiosHeaders(headers) };
}

function rejectRequest(
  config: InternalAxiosRequestConfig,
  status: number,
  headers: Record<string, string> = {},
): never {
  const response = reply(config, status, { detail: 'Not now.' }, headers);
  throw new AxiosError('rejected', 'ERR_BAD_RESPONSE', config, undefined, response);
}
