import axios, {
  type AxiosAdapter,
  type AxiosError,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import axiosRetry from 'axios-retry';
import { normaliseKey } from '../../core/connections/connection.ts';
import type { Limit } from '../../core/query/catalogue.ts';
import type { Decoded } from '../../core/decode/decode.ts';
import { GridError } from '../../core/errors.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import type { AnswerReader } from './answerReader.ts';
import { blockMs, isTransient, responseHead, retryAfterOf, toGridError, wasNeverSent } from './failure.ts';
import type { Limiter, Permit, Priority, RequestOutcome } from '../limiter/limiter.ts';
import type { NextLink } from './readAnswer.ts';
import { type AnsweredRequest, logRequest, type RequestRecord } from './requestLog.ts';
import { requestTarget, type RequestTarget, traceOf, type WireTrace } from './requestTrace.ts';
import { boundedBlockMs, parseHttpDate, resetMs } from './waitHeaders.ts';

/** All have defaults: `transportDefaults`. */
export interface TransportOptions {
  /** The longest time without a byte: while connecting, before the first byte and between two. */
  readonly idleTimeoutMs?: number;
  /** The longest time on the wire for one call, all attempts together; waits for a permit or between attempts do not count. */
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
  /** Called after each 429 before the request is sent once more. */
  readonly onThrottled?: (() => void) | undefined;
  /** `person` where left out: before any background request, which is sent only once. */
  readonly priority?: Priority | undefined;
  readonly gate?: AttemptGate | undefined;
  /** Asked before a request that failed at the service is sent once more, with how it failed; left out, it is not. */
  readonly mayRetry?: ((failed: GridError) => Promise<boolean>) | undefined;
}

/** Whether a request may be sent: another window may be sending the same, or may have fetched it already. */
export type Acquired = 'go' | 'busy' | 'unneeded';

/**
 * How a call takes turns with others that request the same. Whoever holds a permit never waits for the gate, and whoever waits for a
 * permit does not hold the gate: no deadlock.
 */
export interface AttemptGate {
  /** Called with a permit. Resolves soon; after `busy` the permit is released. */
  begin(): Promise<Acquired>;
  /** After `busy`: resolves when another permit is worth acquiring; rejects when the call is aborted. */
  untilFree(): Promise<void>;
  /** The attempt failed: another call may pass before the next one. */
  leave(): Promise<void>;
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

/** What the calls of one client have in common. */
type CallDeps = Omit<ApiClientOptions, 'transportOptions'> &
  Required<Omit<TransportOptions, 'adapter'>> & { readonly http: AxiosInstance; readonly send: AxiosAdapter };

/** Sends GET requests: each with a permit of the limiter, retried where that helps, its response checked. */
export class ApiClient {
  readonly #deps: CallDeps;

  constructor({ transportOptions = {}, ...options }: ApiClientOptions) {
    const transport = { ...transportDefaults, ...transportOptions };
    const http = createHttp(transport.idleTimeoutMs, transport.maxBytes);
    this.#deps = { ...options, ...transport, http, send: transportOptions.adapter ?? axios.getAdapter('http') };
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
    if (signal?.aborted) throw new GridError('cancelled', { requestsSpent: 0 });
    const call = new Call(request, target, this.#deps);
    try {
      const { response, answered } = await call.run();
      const bytes = response.data instanceof Uint8Array ? response.data : new Uint8Array();
      const read = await this.#deps.reader.read([bytes], key, signal);
      await call.log(answered, read.ok ? read.decoded.frame?.rowCount : undefined);
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
        requestsSpent: call.spent,
        bytes: bytes.byteLength,
      };
    } catch (error) {
      const requestsSpent = call.spent;
      if (call.hasTimedOut) throw new GridError('timeout', { requestsSpent });
      if (signal?.aborted) throw new GridError('cancelled', { requestsSpent });
      if (error instanceof NotNeeded) return { unneeded: true, requestsSpent };
      // Of the limiter: it does not know how many requests were spent.
      if (error instanceof GridError) throw new GridError(error.reason, { ...error.facts, requestsSpent });
      throw axios.isAxiosError(error) ? call.failureOf(error) : error;
    }
  }
}

const keyHeader = 'X-API-KEY';

/** An HTTP client that returns bytes, sends nothing to any other address, and holds no key. */
function createHttp(idleTimeoutMs: number, maxBytes: number): AxiosInstance {
  const http = axios.create({
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
  axiosRetry(http);
  return http;
}

/** The most retries of a call, whatever they follow. */
const maxRetries = 3;
/** After a broken connection or a 502, 503 or 504. The third retry is for a 429 only. */
const transientRetries = 2;
const maxBackoffMs = 8_000;
/** A longer Retry-After of a 502, 503 or 504 fails at once: nobody should watch a spinner for so long. That of a 429 is waited for. */
const maxRetryAfterMs = 30_000;
/** Added to the wait that a 429 names, which is whole seconds of another clock. */
const blockMarginMs = 250;

/** Thrown instead of sending, where the response is no longer needed. */
class NotNeeded extends Error {}

/** One call from its first attempt to its last. The methods stand in the order in which an attempt goes through them. */
class Call {
  readonly #request: ApiRequest;
  readonly #target: RequestTarget;
  readonly #deps: CallDeps;
  /** Aborted by the caller, and when the time on the wire is over. */
  readonly #signal: AbortSignal;
  readonly #timeOver = new AbortController();
  readonly #windowMs: number;
  #wireMsLeft: number;
  #answered: AnsweredRequest | undefined;
  /** Requests that reached the wire. */
  spent = 0;

  constructor(request: ApiRequest, target: RequestTarget, deps: CallDeps) {
    this.#request = request;
    this.#target = target;
    this.#deps = deps;
    this.#windowMs = request.limit.seconds * 1000;
    this.#wireMsLeft = deps.totalTimeoutMs;
    this.#signal = AbortSignal.any([this.#timeOver.signal, ...(request.signal ? [request.signal] : [])]);
  }

  get hasTimedOut(): boolean {
    return this.#timeOver.signal.aborted;
  }

  /** Throws what the last attempt failed with, NotNeeded, a GridError of the limiter, or the reason of an aborted signal. */
  async run(): Promise<{ readonly response: AxiosResponse<unknown>; readonly answered: AnsweredRequest }> {
    const { path, query, key, priority } = this.#request;
    const response = await this.#deps.http.get<unknown>(path, {
      baseURL: this.#target.baseUrl,
      params: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
      headers: { [keyHeader]: key },
      signal: this.#signal,
      ...(this.#target.lookup && { lookup: this.#target.lookup }),
      adapter: async config => this.#send(config, await this.#permit()),
      'axios-retry': {
        // A background request is sent only once: the next hourly refresh repeats it.
        retries: priority === 'background' ? 0 : maxRetries,
        shouldResetTimeout: true,
        retryCondition: async error => this.#mayRetry(error),
        onRetry: async (count, error) => this.#waitToRetry(count, error),
        // `onRetry` has waited, by the clock that is handed in.
        retryDelay: () => 0,
      },
    });
    if (!this.#answered) throw new TypeError('A response without a request.');
    return { response, answered: this.#answered };
  }

  /** Waits for a permit for a request that is still wanted; throws NotNeeded or the signal's reason where it is not. */
  async #permit(): Promise<Permit> {
    const { limit, onWait, priority, gate } = this.#request;
    const signal = this.#signal;
    for (;;) {
      const permit = await this.#deps.limiter.acquire(this.#budget, limit, { signal, onWait, priority });
      try {
        // The wait may have been long: meanwhile another window may have fetched the same.
        const acquired = gate && !signal.aborted ? await gate.begin() : 'go';
        signal.throwIfAborted();
        if (acquired === 'unneeded') throw new NotNeeded();
        if (acquired === 'go') return permit;
      } catch (error) {
        permit.release('free');
        throw error;
      }
      permit.release('free');
      await gate?.untilFree();
    }
  }

  /** Sends the request, tells the limiter how it ended, and leaves a line in the log where it failed. */
  async #send(config: InternalAxiosRequestConfig, permit: Permit): Promise<AxiosResponse<unknown>> {
    const { clock } = this.#deps;
    const { path, query, gate } = this.#request;
    const attempt = (config['axios-retry']?.retryCount ?? 0) + 1;
    const sentAt = clock.now();
    let headAt: number | undefined;
    const onDownloadProgress = (): void => void (headAt ??= clock.now());
    const recordOf = (outcome: number | string, response?: AxiosResponse<unknown>): RequestRecord => {
      const bytes = response?.data instanceof Uint8Array ? response.data.byteLength : 0;
      return { path, query, outcome, ms: clock.now() - sentAt, bytes, attempt };
    };
    try {
      const response = await this.#onWire(async () => this.#deps.send({ ...config, onDownloadProgress }));
      this.spent += 1;
      permit.release(this.#countedOutcome(response));
      this.#answered = { ...recordOf(response.status, response), sentAt, headAt: headAt ?? clock.now() };
      return response;
    } catch (error) {
      const failed = axios.isAxiosError(error) ? error : undefined;
      const head = failed && !failed.response && responseHead(failed);
      if (head) failed.response = head;
      if (!failed || !wasNeverSent(failed)) this.spent += 1;
      permit.release(failed ? this.#outcomeOf(failed) : 'counted');
      await this.log(recordOf(this.#codeOf(failed), failed?.response));
      await gate?.leave();
      throw error;
    }
  }

  /** Ends the call once its time is over. With an idle timeout alone a server could send one byte a second for ever. */
  async #onWire<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#deps;
    const started = clock.now();
    const finished = new AbortController();
    void clock.sleep(this.#wireMsLeft, finished.signal).then(
      () => this.#timeOver.abort(),
      () => undefined,
    );
    try {
      return await work();
    } finally {
      finished.abort();
      this.#wireMsLeft = Math.max(0, this.#wireMsLeft - Math.max(0, clock.now() - started));
    }
  }

  /** The service counts neither requests that it throttles nor those whose key it refuses. */
  #outcomeOf(error: AxiosError): RequestOutcome {
    if (wasNeverSent(error)) return 'free';
    const status = error.response?.status;
    if (status === undefined) return this.hasTimedOut || error.code === 'ECONNABORTED' ? 'timedOut' : 'abandoned';
    if (status === 401) return { refused: 'keyRejected' };
    if (status === 403) return { refused: 'forbidden' };
    if (status !== 429) return this.#countedOutcome(error.response);
    const now = this.#deps.clock.now();
    return { throttledUntil: now + blockMs(error, now, this.#windowMs) + blockMarginMs };
  }

  /** A service that says how many requests remain is believed where that is none: the budget here may not know of others. */
  #countedOutcome(response: AxiosResponse<unknown> | undefined): RequestOutcome {
    const now = this.#deps.clock.now();
    const waitMs = response && resetMs(response.headers, now, this.#windowMs);
    if (waitMs === undefined) return 'counted';
    return { throttledUntil: now + boundedBlockMs(waitMs, this.#windowMs) + blockMarginMs, isCounted: true };
  }

  #codeOf(error: AxiosError | undefined): number | string {
    const status = error?.response?.status;
    if (status !== undefined && status >= 300) return status;
    return this.hasTimedOut ? 'timeout' : (error?.code ?? 'failed');
  }

  /** Writes the line of a request; the budget in it is that of all windows. */
  async log(record: RequestRecord, rows?: number): Promise<void> {
    const { limiter, logger } = this.#deps;
    const budget = await limiter.budget(this.#budget, this.#request.limit).catch(() => undefined);
    logRequest(logger, { ...record, rows, budget }, this.#request.key);
  }

  /** Three times after a 429; twice after what passes, for which the person is asked where the service may count it. */
  async #mayRetry(error: AxiosError): Promise<boolean> {
    if (error.response?.status === 429) return true;
    if ((error.config?.['axios-retry']?.retryCount ?? 0) >= transientRetries || !isTransient(error)) return false;
    if ((retryAfterOf(error, this.#deps.clock.now()) ?? 0) > maxRetryAfterMs) return false;
    return wasNeverSent(error) || (await this.#request.mayRetry?.(this.failureOf(error))) === true;
  }

  /** Waits longer each time, and calls `onWait` each second with the time left. After a 429 the limiter blocks the whole scope instead. */
  async #waitToRetry(count: number, error: AxiosError): Promise<void> {
    const { clock, random, backoffMs } = this.#deps;
    const { onWait, onThrottled } = this.#request;
    if (error.response?.status === 429) return onThrottled?.();
    const failed = this.failureOf(error);
    const longest = Math.min(maxBackoffMs, backoffMs * 2 ** count);
    const backoff = longest / 2 + (longest / 2) * random();
    for (let left = Math.max(backoff, retryAfterOf(error, clock.now()) ?? 0); left > 0; left -= 1_000) {
      onWait?.(left, failed);
      await clock.sleep(Math.min(left, 1_000), this.#signal);
    }
    onWait?.(0, failed);
  }

  failureOf(error: AxiosError): GridError {
    const now = this.#deps.clock.now();
    return toGridError(error, { key: this.#request.key, requestsSpent: this.spent, windowMs: this.#windowMs, now });
  }

  get #budget() {
    const { key, scope } = this.#request;
    return { origin: this.#target.origin, key, scope };
  }
}
