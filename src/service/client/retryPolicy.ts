import axios from 'axios';
import type { AxiosError } from 'axios';
import type { IAxiosRetryConfig } from 'axios-retry';
import type { Clock, Random } from '../../core/ports.ts';
import type { FailureDetail, FailureReason } from '../../core/errors.ts';

/** The most retries of a call, whatever they follow. */
const retries = 3;
/** After a broken connection or a 502, 503 or 504. The third retry is for a 429 only. */
const transientRetries = 2;
const maxBackoffMs = 8_000;
/** A longer Retry-After of a 502, 503 or 504 fails at once: nobody should watch a spinner for so long. That of a 429 is waited for. */
const maxRetryAfterMs = 30_000;

const transientStatuses: readonly number[] = [502, 503, 504];
const brokenConnections: readonly string[] = ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT'];

interface RetryDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly backoffMs: number;
  /** Asked before a retry that the service may count, with what failed; left out, such requests are not retried. */
  readonly mayRetry?: ((failed: AxiosError) => Promise<boolean>) | undefined;
  /** Called before each retry with how long it has to wait: 0 after a 429, for which the limiter blocks the whole scope. */
  readonly hold: (ms: number, failed: AxiosError) => void;
}

/**
 * Up to two retries after a broken connection and after 502, 503 and 504, with increasing, jittered delays, and three after a 429.
 * The library waits only by timers of its own; `hold` lets the next attempt wait by the injected clock.
 */
export function retryPolicy({ clock, random, backoffMs, mayRetry, hold }: RetryDeps): IAxiosRetryConfig {
  return {
    retries,
    shouldResetTimeout: true,
    retryCondition: async error => {
      if (isThrottled(error)) return true;
      if ((error.config?.['axios-retry']?.retryCount ?? 0) >= transientRetries) return false;
      if (!isTransient(error) || (retryAfterOf(error, clock.now()) ?? 0) > maxRetryAfterMs) return false;
      return wasNeverSent(error) || (await mayRetry?.(error)) === true;
    },
    retryDelay: (count, error) => {
      const step = Math.min(maxBackoffMs, backoffMs * 2 ** count);
      const backoff = step / 2 + (step / 2) * random();
      hold(isThrottled(error) ? 0 : Math.max(backoff, retryAfterOf(error, clock.now()) ?? 0), error);
      return 0;
    },
  };
}

function isThrottled({ response }: AxiosError): boolean {
  return response?.status === 429;
}

/** Whether another attempt may succeed. */
function isTransient(error: AxiosError): boolean {
  if (axios.isCancel(error) || error.config?.signal?.aborted) return false;
  const status = error.response?.status;
  if (status !== undefined && (status < 200 || status > 299)) return transientStatuses.includes(status);
  // Refused or broken, also within the body (then there is a response, and its status may be 200).
  return brokenConnections.includes(error.code ?? '') || error.message === 'stream has been aborted';
}

/** The response's Retry-After in milliseconds, by the server's clock where it sent a Date. */
export function retryAfterOf(error: AxiosError, now: number): number | undefined {
  const headers = error.response?.headers;
  return parseRetryAfter(headers?.['retry-after'], parseHttpDate(headers?.['date']) ?? now);
}

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date ("Sun, 06 Nov 1994 08:49:37 GMT") as UTC milliseconds; undefined for any other text. */
export function parseHttpDate(text: unknown): number | undefined {
  if (typeof text !== 'string' || !httpDate.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/**
 * A Retry-After header as milliseconds, never below 0; undefined for anything but whole seconds or an HTTP date.
 * `now` is the sender's clock where its Date header is known, else ours.
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}

const words: Readonly<Record<string, FailureDetail>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection broken',
  EPIPE: 'connection broken',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found',
  ETIMEDOUT: 'no answer to the connection attempt',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EPROTO: 'no secure connection',
};

// With these codes the connection never carried a request: the server cannot have counted one.
const neverSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|EACCES|EADDRNOTAVAIL|ERR_INVALID_|ERR_BAD_OPTION|ERR_TLS_|ERR_SSL_)/;
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/;

/** Whether the request cannot have reached the server. */
export function wasNeverSent(error: AxiosError): boolean {
  const code = error.code ?? '';
  return error.response === undefined && (neverSent.test(code) || certificate.test(code));
}

/** A failure without a usable status, in a few words that name no address. `hasHead`: status and headers had come. */
export function connectionTrouble(
  error: AxiosError,
  hasHead: boolean,
): { readonly reason: FailureReason; readonly detail: FailureDetail | `${FailureDetail} (${string})` } {
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) return { reason: 'damagedResponse', detail: 'the response is not HTTP' };
  if (hasHead) return { reason: 'damagedResponse', detail: brokenBody(code) };
  if (certificate.test(code)) return { reason: 'unreachable', detail: withCode('certificate not trusted', code) };
  return { reason: 'unreachable', detail: withCode(words[code] ?? 'no connection', code) };
}

function brokenBody(code: string): FailureDetail {
  // zlib's codes; brotli's begin with ERR and two underscores.
  return /^(?:Z_|ERR__|ZSTD_)/.test(code) ? 'the response could not be decompressed' : 'the response ended early';
}

function withCode(text: FailureDetail, code: string): FailureDetail | `${FailureDetail} (${string})` {
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? (`${text} (${code})` as const) : text;
}
