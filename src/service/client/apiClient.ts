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

/** Options of the HTTP transport. The defaults are `transportDefaults`. */
export interface TransportOptions {
  /** The maximum time without data: while connecting, before the first byte and between two bytes. */
  readonly idleTimeoutMs?: number;
  /** The maximum time on the wire for all attempts of a call; waits for a permit or between attempts do not count. */
  readonly totalTimeoutMs?: number;
  /** The maximum size of a decompressed body. */
  readonly maxBytes?: number;
  /** The base of the exponential backoff: the first wait is at most twice this, the next at most four times. */
  readonly backoffMs?: number;
  /** Replaces the network in tests. */
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
  /** Called with the expected wait in milliseconds: for a permit, or before the retry of a request that `failed`. */
  readonly onWait?: ((ms: number, failed?: GridError) => void) | undefined;
  /** Called after each 429, before the retry. */
  readonly onThrottled?: (() => void) | undefined;
  /** `person` by default. Such requests precede background requests, which are not retried. */
  readonly priority?: Priority | undefined;
  readonly gate?: AttemptGate | undefined;
  /** Confirms the retry of a request that failed at the service. If omitted, it is not retried. */
  readonly mayRetry?: ((failed: GridError) => Promise<boolean>) | undefined;
}

/** Whether a request may be sent: another window may be sending the same request, or may have fetched its hours already. */
export type Acquired = 'go' | 'busy' | 'unneeded';

/**
 * Serializes calls that request the same hours. A call with a permit never waits for the gate, and a call that waits for a permit does not hold
 * the gate, so there are no deadlocks.
 */
export interface AttemptGate {
  /** Called with a permit. Resolves soon; the permit is released after `busy`. */
  begin(): Promise<Acquired>;
  /** Called after `busy`. Resolves when it is worth acquiring another permit; rejects when the call is aborted. */
  untilFree(): Promise<void>;
  /** Lets other calls pass, after the attempt has failed. */
  leave(): Promise<void>;
}

/** The result of a call whose hours another window has fetched meanwhile, so that no further request was sent. */
export interface Unneeded {
  readonly unneeded: true;
  readonly requestsSpent: number;
}

export interface ApiAnswer {
  /** The received body with the key removed, and the table in it. */
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
  /** The request that got the response. */
  readonly trace: WireTrace;
  /** The size of the decompressed body. */
  readonly bytes: number;
}

/** The dependencies that the calls of a client share. */
type CallDeps = Omit<ApiClientOptions, 'transportOptions'> &
  Required<Omit<TransportOptions, 'adapter'>> & { readonly http: AxiosInstance; readonly send: AxiosAdapter };

/** Sends GET requests with a permit of the limiter, retries them if that may help, and checks the responses. */
export class ApiClient {
  readonly #deps: CallDeps;

  constructor({ transportOptions = {}, ...options }: ApiClientOptions) {
    const transport = { ...transportDefaults, ...transportOptions };
    const http = createHttp(transport.idleTimeoutMs, transport.maxBytes);
    this.#deps = { ...options, ...transport, http, send: transportOptions.adapter ?? axios.getAdapter('http') };
  }

  /**
   * Sends a request; resolves to `AlreadyFetched` if the gate reports that. All failures of the network, the server or by the caller's signal
   * are thrown as GridError.
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
      // The limiter's errors do not have the number of requests spent.
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
    // By default the library accepts HTML, an empty body or a truncated JSON text.
    responseType: 'arraybuffer',
    transformResponse: [(data: unknown) => data],
    redact: [keyHeader],
    headers: { Accept: 'application/json', 'Accept-Language': 'en' },
  });
  axiosRetry(http);
  return http;
}

/** The maximum number of retries of a call. */
const maxRetries = 3;
/** The maximum number of retries after a broken connection or a 502, 503 or 504. A third retry follows a 429 only. */
const transientRetries = 2;
const maxBackoffMs = 8_000;
/** A 502, 503 or 504 with a longer Retry-After fails immediately instead of showing a spinner for so long. A 429 always waits. */
const maxRetryAfterMs = 30_000;
/** Added to the wait of a 429, which is in whole seconds of another clock. */
const blockMarginMs = 250;

/** Thrown instead of sending a request whose hours were fetched meanwhile. */
class NotNeeded extends Error {}

/** One call with all its attempts. The methods are in the order in which an attempt uses them. */
class Call {
  readonly #request: ApiRequest;
  readonly #target: RequestTarget;
  readonly #deps: CallDeps;
  /** Aborted by the caller, and when the time on the wire is used up. */
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

  /** Throws the error of the last attempt, AlreadyFetchedError, a GridError of the limiter, or the reason of an aborted signal. */
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
        // `onRetry` waits, with the injected clock.
        retryDelay: () => 0,
      },
    });
    if (!this.#answered) throw new TypeError('A response without a request.');
    return { response, answered: this.#answered };
  }

  /** Waits for a permit. Throws AlreadyFetchedError or the signal's reason if the request is no longer needed. */
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

  /** Sends the request, reports the outcome to the limiter, and logs a failure. */
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

  /** Ends the call once its time on the wire is used up. With an idle timeout alone, a server could send one byte a second for ever. */
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

  /** Returns the outcome of a failed request. The service counts neither throttled requests nor those whose key it refuses. */
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

  /** Returns the outcome of a counted request. If the service reports that no requests remain, the scope is blocked: other clients may use the same key. */
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

  /** Logs a request with the budget that all windows share. */
  async log(record: RequestRecord, rows?: number): Promise<void> {
    const { limiter, logger } = this.#deps;
    const budget = await limiter.budget(this.#budget, this.#request.limit).catch(() => undefined);
    logRequest(logger, { ...record, rows, budget }, this.#request.key);
  }

  /** Retries three times after a 429, and twice after a transient failure, which needs a confirmation if the service may have counted the request. */
  async #mayRetry(error: AxiosError): Promise<boolean> {
    if (error.response?.status === 429) return true;
    if ((error.config?.['axios-retry']?.retryCount ?? 0) >= transientRetries || !isTransient(error)) return false;
    if ((retryAfterOf(error, this.#deps.clock.now()) ?? 0) > maxRetryAfterMs) return false;
    return wasNeverSent(error) || (await this.#request.mayRetry?.(this.failureOf(error))) === true;
  }

  /** Waits with exponential backoff, and calls `onWait` each second with the time left. After a 429 the limiter blocks the whole scope instead. */
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
