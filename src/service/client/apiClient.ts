import axios, {
  type AxiosAdapter,
  type AxiosError,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import axiosRetry from 'axios-retry';
import { normalizeKey } from '../../core/connections/connection.ts';
import type { Limit } from '../../core/query/catalogue.ts';
import type { Decoded } from '../../core/decode/decode.ts';
import { GridError } from '../../core/errors.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import type { ResponseReader } from './responseReader.ts';
import { getBlockMs, isTransient, recoverResponseHead, getRetryAfterMs, toGridError, wasNeverSent } from './failure.ts';
import type { Limiter, Permit, Priority, RequestOutcome } from '../limiter/limiter.ts';
import type { NextLink } from './readResponse.ts';
import { type CompletedRequest, logRequest, type RequestRecord } from './requestLog.ts';
import { resolveTarget, type RequestTarget, createTrace, type WireTrace } from './requestTrace.ts';
import { clampBlockMs, parseHttpDate, readResetMs } from './waitHeaders.ts';

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
  readonly reader: Pick<ResponseReader, 'read'>;
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
  /** `user` by default. Such requests precede background requests, which are not retried. */
  readonly priority?: Priority | undefined;
  readonly gate?: AttemptGate | undefined;
  /** Confirms the retry of a request that failed at the service. If omitted, it is not retried. */
  readonly confirmRetry?: ((failed: GridError) => Promise<boolean>) | undefined;
}

/** Whether a request may be sent: another window may be sending the same request, or may have fetched its hours already. */
export type GateResult = 'go' | 'busy' | 'unneeded';

/**
 * Serializes calls that request the same hours. A call with a permit never waits for the gate, and a call that waits for a permit does not hold
 * the gate, so there are no deadlocks.
 */
export interface AttemptGate {
  /** Called with a permit. Resolves without a long wait; after `busy` the permit is released. */
  enter(): Promise<GateResult>;
  /** Called after `busy`. Resolves when the call should acquire another permit; rejects when the call is aborted. */
  waitUntilFree(): Promise<void>;
  /** Lets other calls pass, after the attempt has failed. */
  leave(): Promise<void>;
}

/** The result of a call that sent no further request, because another window had already fetched its hours. */
export interface AlreadyFetched {
  readonly unneeded: true;
  readonly requestsSpent: number;
}

export interface ApiResponse {
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
  async get(request: ApiRequest): Promise<ApiResponse | AlreadyFetched> {
    const { signal, key } = request;
    const target = resolveTarget(request.baseUrl, request.path);
    const checked = normalizeKey(key);
    if (!checked.ok || checked.key !== key) throw new GridError('noKey', { requestsSpent: 0 });
    if (signal?.aborted) throw new GridError('cancelled', { requestsSpent: 0 });
    const call = new Call(request, target, this.#deps);
    try {
      const { response, completed } = await call.run();
      const bytes = response.data instanceof Uint8Array ? response.data : new Uint8Array();
      const readResult = await this.#deps.reader.read([bytes], key, signal);
      await call.log(completed, readResult.ok ? readResult.decoded.frame?.rowCount : undefined);
      if (!readResult.ok) throw new GridError('damagedResponse', { detail: readResult.why });
      const serverDate = parseHttpDate(response.headers['date']);
      return {
        body: readResult.cleaned ?? bytes,
        decoded: readResult.decoded,
        next: readResult.next,
        sentAt: completed.sentAt,
        headAt: completed.headAt,
        trace: createTrace(response, target, completed, key),
        ...(serverDate === undefined ? {} : { serverDate }),
        requestsSpent: call.requestsSpent,
        bytes: bytes.byteLength,
      };
    } catch (error) {
      const requestsSpent = call.requestsSpent;
      if (call.hasTimedOut) throw new GridError('timeout', { requestsSpent });
      if (signal?.aborted) throw new GridError('cancelled', { requestsSpent });
      if (error instanceof AlreadyFetchedError) return { unneeded: true, requestsSpent };
      // The limiter's errors do not have the number of requests spent.
      if (error instanceof GridError) throw new GridError(error.reason, { ...error.facts, requestsSpent });
      throw axios.isAxiosError(error) ? call.toFailure(error) : error;
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
    // The editor's patched http module handles proxies. Handling them twice would send the key to the wrong host.
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
class AlreadyFetchedError extends Error {}

/** One call with all its attempts. The methods are in the order in which an attempt uses them. */
class Call {
  readonly #request: ApiRequest;
  readonly #target: RequestTarget;
  readonly #deps: CallDeps;
  /** Aborted by the caller, and when the time on the wire is used up. */
  readonly #signal: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #windowMs: number;
  #remainingWireMs: number;
  #completed: CompletedRequest | undefined;
  /** Requests that reached the wire. */
  requestsSpent = 0;

  constructor(request: ApiRequest, target: RequestTarget, deps: CallDeps) {
    this.#request = request;
    this.#target = target;
    this.#deps = deps;
    this.#windowMs = request.limit.seconds * 1000;
    this.#remainingWireMs = deps.totalTimeoutMs;
    this.#signal = AbortSignal.any([this.#timeout.signal, ...(request.signal ? [request.signal] : [])]);
  }

  get hasTimedOut(): boolean {
    return this.#timeout.signal.aborted;
  }

  /** Throws the error of the last attempt, AlreadyFetchedError, a GridError of the limiter, or the reason of an aborted signal. */
  async run(): Promise<{ readonly response: AxiosResponse<unknown>; readonly completed: CompletedRequest }> {
    const { path, query, key, priority } = this.#request;
    const response = await this.#deps.http.get<unknown>(path, {
      baseURL: this.#target.baseUrl,
      params: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
      headers: { [keyHeader]: key },
      signal: this.#signal,
      ...(this.#target.lookup && { lookup: this.#target.lookup }),
      adapter: async config => this.#send(config, await this.#acquirePermit()),
      'axios-retry': {
        // A background request is sent only once: the next hourly refresh repeats it.
        retries: priority === 'background' ? 0 : maxRetries,
        shouldResetTimeout: true,
        retryCondition: async error => this.#shouldRetry(error),
        onRetry: async (count, error) => this.#waitForRetry(count, error),
        // `onRetry` waits, with the injected clock.
        retryDelay: () => 0,
      },
    });
    if (!this.#completed) throw new TypeError('The response was read before a request completed.');
    return { response, completed: this.#completed };
  }

  /** Waits for a permit. Throws AlreadyFetchedError or the signal's reason if the request is no longer needed. */
  async #acquirePermit(): Promise<Permit> {
    const { limit, onWait, priority, gate } = this.#request;
    const signal = this.#signal;
    for (;;) {
      const permit = await this.#deps.limiter.acquire(this.#budget, limit, { signal, onWait, priority });
      try {
        // The wait may have been long: meanwhile another window may have fetched the same.
        const gateResult = gate && !signal.aborted ? await gate.enter() : 'go';
        signal.throwIfAborted();
        if (gateResult === 'unneeded') throw new AlreadyFetchedError();
        if (gateResult === 'go') return permit;
      } catch (error) {
        permit.release('free');
        throw error;
      }
      permit.release('free');
      await gate?.waitUntilFree();
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
    const createRecord = (outcome: number | string, response?: AxiosResponse<unknown>): RequestRecord => {
      const bytes = response?.data instanceof Uint8Array ? response.data.byteLength : 0;
      return { path, query, outcome, ms: clock.now() - sentAt, bytes, attempt };
    };
    try {
      const response = await this.#runOnWire(async () => this.#deps.send({ ...config, onDownloadProgress }));
      this.requestsSpent += 1;
      permit.release(this.#getCountedOutcome(response));
      this.#completed = { ...createRecord(response.status, response), sentAt, headAt: headAt ?? clock.now() };
      return response;
    } catch (error) {
      const failed = axios.isAxiosError(error) ? error : undefined;
      const head = failed && !failed.response && recoverResponseHead(failed);
      if (head) failed.response = head;
      if (!failed || !wasNeverSent(failed)) this.requestsSpent += 1;
      permit.release(failed ? this.#getOutcome(failed) : 'counted');
      await this.log(createRecord(this.#getLogCode(failed), failed?.response));
      await gate?.leave();
      throw error;
    }
  }

  /** Ends the call once its time on the wire is used up. An idle timeout alone would not end a response of one byte per second. */
  async #runOnWire<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#deps;
    const started = clock.now();
    const finished = new AbortController();
    void clock.sleep(this.#remainingWireMs, finished.signal).then(
      () => this.#timeout.abort(),
      () => undefined,
    );
    try {
      return await work();
    } finally {
      finished.abort();
      this.#remainingWireMs = Math.max(0, this.#remainingWireMs - Math.max(0, clock.now() - started));
    }
  }

  /** Returns the outcome of a failed request. The service counts neither throttled requests nor requests whose key it rejects. */
  #getOutcome(error: AxiosError): RequestOutcome {
    if (wasNeverSent(error)) return 'free';
    const status = error.response?.status;
    if (status === undefined) return this.hasTimedOut || error.code === 'ECONNABORTED' ? 'timedOut' : 'abandoned';
    if (status === 401) return { refused: 'keyRejected' };
    if (status === 403) return { refused: 'forbidden' };
    if (status !== 429) return this.#getCountedOutcome(error.response);
    const now = this.#deps.clock.now();
    return { throttledUntil: now + getBlockMs(error, now, this.#windowMs) + blockMarginMs };
  }

  /** Returns the outcome of a counted request. If the service reports that no requests remain, the scope is blocked: other clients may use the same key. */
  #getCountedOutcome(response: AxiosResponse<unknown> | undefined): RequestOutcome {
    const now = this.#deps.clock.now();
    const waitMs = response && readResetMs(response.headers, now, this.#windowMs);
    if (waitMs === undefined) return 'counted';
    return { throttledUntil: now + clampBlockMs(waitMs, this.#windowMs) + blockMarginMs, isCounted: true };
  }

  #getLogCode(error: AxiosError | undefined): number | string {
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
  async #shouldRetry(error: AxiosError): Promise<boolean> {
    if (error.response?.status === 429) return true;
    if ((error.config?.['axios-retry']?.retryCount ?? 0) >= transientRetries || !isTransient(error)) return false;
    if ((getRetryAfterMs(error, this.#deps.clock.now()) ?? 0) > maxRetryAfterMs) return false;
    return wasNeverSent(error) || (await this.#request.confirmRetry?.(this.toFailure(error))) === true;
  }

  /** Waits with exponential backoff, and calls `onWait` each second with the time left. After a 429 the limiter blocks the whole scope instead. */
  async #waitForRetry(count: number, error: AxiosError): Promise<void> {
    const { clock, random, backoffMs } = this.#deps;
    const { onWait, onThrottled } = this.#request;
    if (error.response?.status === 429) return onThrottled?.();
    const failed = this.toFailure(error);
    const maxBackoff = Math.min(maxBackoffMs, backoffMs * 2 ** count);
    const backoff = maxBackoff / 2 + (maxBackoff / 2) * random();
    for (let left = Math.max(backoff, getRetryAfterMs(error, clock.now()) ?? 0); left > 0; left -= 1_000) {
      onWait?.(left, failed);
      await clock.sleep(Math.min(left, 1_000), this.#signal);
    }
    onWait?.(0, failed);
  }

  toFailure(error: AxiosError): GridError {
    const now = this.#deps.clock.now();
    return toGridError(error, {
      key: this.#request.key,
      requestsSpent: this.requestsSpent,
      windowMs: this.#windowMs,
      now,
    });
  }

  get #budget() {
    const { key, scope } = this.#request;
    return { origin: this.#target.origin, key, scope };
  }
}
