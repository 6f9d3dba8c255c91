import axios from 'axios';
import type { AxiosError, AxiosInstance, AxiosResponse } from 'axios';
import axiosRetry from 'axios-retry';
import { normaliseKey } from '../../core/connections/connection.ts';
import type { Limit } from '../../core/query/catalogue.ts';
import type { Decoded } from '../../core/decode/decode.ts';
import { GridError } from '../../core/errors.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import type { AnswerReader } from './answerReader.ts';
import {
  attemptAdapter,
  AttemptCounter,
  type AttemptGate,
  logRequest,
  NotNeeded,
  type RequestFacts,
  type RequestRecord,
} from './attempt.ts';
import { toGridError } from './failure.ts';
import type { Limiter, Priority } from '../limiter/limiter.ts';
import {
  createTransport,
  httpAdapter,
  keyHeader,
  loopbackLookup,
  NetworkDeadline,
  transportDefaults,
  type TransportOptions,
} from './transport.ts';
import type { NextLink } from './readAnswer.ts';
import { requestTarget, type RequestTarget, traceOf, type WireTrace } from './requestTrace.ts';
import { parseHttpDate, retryPolicy } from './retryPolicy.ts';

interface ApiClientOptions {
  readonly limiter: Limiter;
  readonly reader: Pick<AnswerReader, 'read'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly transportOptions?: TransportOptions;
}

export interface ApiRequest {
  readonly baseUrl: string;
  /** Begins with a slash; added to the base URL. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly key: string;
  /** The rate-limit scope and what it allows. */
  readonly scope: string;
  readonly limit: Limit;
  readonly signal?: AbortSignal | undefined;
  /** Called with the expected wait in milliseconds: for a permit, or before a request that `failed` is sent once more. */
  readonly onWait?: ((ms: number, failed?: GridError) => void) | undefined;
  /** `person` where left out: before any background request, which is sent only once. */
  readonly priority?: Priority | undefined;
  readonly gate?: AttemptGate | undefined;
  /** Asked before a request that failed at the service is sent once more, with how it failed; left out, it is not. */
  readonly mayRetry?: ((failed: GridError) => Promise<boolean>) | undefined;
}

/** Another window fetched the same meanwhile: no further request was sent. */
export interface Unneeded {
  readonly unneeded: true;
  readonly requestsSpent: number;
}

export interface ApiAnswer {
  /** The body as received, without the key, and the table in it. */
  readonly body: Uint8Array;
  readonly decoded: Decoded;
  readonly next: NextLink;
  /** When the request was sent and its response began: UTC milliseconds by our clock. */
  readonly sentAt: number;
  readonly headAt: number;
  /** The Date header, UTC milliseconds. */
  readonly serverDate?: number;
  /** Requests that reached the wire, retries included. */
  readonly requestsSpent: number;
  /** The request that was answered. */
  readonly trace: WireTrace;
  /** Size of the body, decompressed. */
  readonly bytes: number;
}

/** Sends GET requests: each with a permit of the limiter, retried where that helps, its response checked. */
export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #transport: Required<Omit<TransportOptions, 'adapter'>> & TransportOptions;
  readonly #http: AxiosInstance;

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.#transport = { ...transportDefaults, ...options.transportOptions };
    this.#http = createTransport(this.#transport.idleTimeoutMs, this.#transport.maxBytes);
    axiosRetry(this.#http);
  }

  /**
   * `Unneeded` where the gate says so. Throws a GridError, and nothing else, for whatever the network, the server or the
   * caller's signal does.
   */
  async get(request: ApiRequest): Promise<ApiAnswer | Unneeded> {
    const { signal, key } = request;
    const target = requestTarget(request.baseUrl, request.path);
    const checked = normaliseKey(key);
    if (!checked.ok || checked.key !== key) throw new GridError('noKey', { requestsSpent: 0 });
    const { clock } = this.#options;
    const aborter = new AbortController();
    const cancel = () => aborter.abort();
    const deadline = new NetworkDeadline(this.#transport.totalTimeoutMs, clock, cancel);
    const counter = new AttemptCounter();
    if (signal?.aborted) throw new GridError('cancelled', { requestsSpent: 0 });
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const response = await this.#send(request, target, aborter.signal, deadline, counter);
      const bytes = response.data instanceof Uint8Array ? response.data : new Uint8Array();
      const read = await this.#options.reader.read([bytes], key, signal);
      const { answered, spent: requestsSpent } = counter;
      if (!answered) throw new TypeError('A response without a request.');
      await this.#log(request, target, { ...answered, rows: read.ok ? read.decoded.frame?.rowCount : undefined });
      if (!read.ok) throw new GridError('damagedResponse', { detail: read.why });
      const serverDate = parseHttpDate(response.headers['date']);
      return {
        body: read.cleaned ?? bytes,
        decoded: read.decoded,
        next: read.next,
        sentAt: answered.sentAt,
        headAt: answered.headAt,
        trace: traceOf(response, target, answered, key),
        ...(serverDate === undefined ? {} : { serverDate }),
        requestsSpent,
        bytes: bytes.byteLength,
      };
    } catch (error) {
      const requestsSpent = counter.spent;
      if (deadline.expired) throw new GridError('timeout', { requestsSpent });
      if (signal?.aborted) throw new GridError('cancelled', { requestsSpent });
      if (error instanceof NotNeeded) return { unneeded: true, requestsSpent };
      // Of the limiter: it does not know how many requests were spent.
      if (error instanceof GridError) throw new GridError(error.reason, { ...error.facts, requestsSpent });
      if (!axios.isAxiosError(error)) throw error;
      throw this.#failureOf(error, request, counter);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #send(
    request: ApiRequest,
    target: RequestTarget,
    signal: AbortSignal,
    deadline: NetworkDeadline,
    counter: AttemptCounter,
  ): Promise<AxiosResponse<unknown>> {
    const { limiter, clock, random } = this.#options;
    const { path, query, key, scope, limit, onWait, priority, gate, mayRetry } = request;
    const budget = { origin: target.origin, key, scope };
    const log = async (record: RequestRecord): Promise<void> => this.#log(request, target, record);
    const context = { limiter, clock, log, deadline, budget, limit, signal, onWait, priority, gate, path, query };
    const failureOf = (failed: AxiosError): GridError => this.#failureOf(failed, request, counter);
    return this.#http.get<unknown>(path, {
      baseURL: target.baseUrl,
      params: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
      headers: { [keyHeader]: key },
      signal,
      'axios-retry':
        // Sent only once: the next hourly refresh repeats it.
        priority === 'background'
          ? { retries: 0 }
          : retryPolicy({
              clock,
              random,
              backoffMs: this.#transport.backoffMs,
              mayRetry: mayRetry && (async failed => mayRetry(failureOf(failed))),
              hold: (ms, failed) => void (counter.retry = ms > 0 ? { ms, failed: failureOf(failed) } : undefined),
            }),
      adapter: attemptAdapter(this.#transport.adapter ?? httpAdapter, context, counter),
      ...(target.pinLoopback ? { lookup: loopbackLookup } : {}),
    });
  }

  #failureOf(error: AxiosError, { key, limit }: ApiRequest, { spent: requestsSpent }: AttemptCounter): GridError {
    const now = this.#options.clock.now();
    return toGridError(error, { key, requestsSpent, windowMs: limit.seconds * 1000, now });
  }

  /** The one line of a request; the budget is that of all windows. */
  async #log(request: ApiRequest, { origin }: RequestTarget, record: RequestRecord & RequestFacts): Promise<void> {
    const { key, scope, limit } = request;
    const budget = await this.#options.limiter.budget({ origin, key, scope }, limit).catch(() => undefined);
    logRequest(this.#options.logger, { ...record, budget }, key);
  }
}
