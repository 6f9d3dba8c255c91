import axios from 'axios';
import type { AxiosError } from 'axios';
import type { IAxiosRetryConfig } from 'axios-retry';
import type { Clock, Random } from '../../core/ports.ts';
import { wasNeverSent } from './connectionTrouble.ts';

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
  return isBrokenConnection(error);
}

/** A connection that was refused or broke, also within the body (then there is a response, and its status may be 200). */
function isBrokenConnection(error: AxiosError): boolean {
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
