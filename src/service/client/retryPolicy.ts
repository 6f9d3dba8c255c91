import axios from 'axios';
import type { AxiosError } from 'axios';
import type { IAxiosRetryConfig } from 'axios-retry';
import type { Clock, Random } from '../../core/ports.ts';
import { abortError } from '../pausedSteps.ts';
import { wasNeverSent } from './connectionTrouble.ts';

const retries = 2;
const maxBackoffMs = 8_000;
/** Who asks us to stay away for longer gets no second attempt: nobody should watch a spinner for it. */
const maxRetryAfterMs = 30_000;

const passingStatuses: readonly number[] = [502, 503, 504];
const brokenConnections: readonly string[] = ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT'];

/**
 * Two more attempts for a broken connection and for 502, 503 and 504, later each time, jittered.
 * Never for 429: the limiter holds the whole scope back instead. The wait uses the injected clock and ends with the signal.
 * `mayRetry` is asked before what the service may count, and gets what failed; without it that is not sent again.
 */
export function retryPolicy(
  clock: Clock,
  random: Random,
  backoffMs: number,
  mayRetry?: (failed: AxiosError) => Promise<boolean>,
): IAxiosRetryConfig {
  return {
    retries,
    shouldResetTimeout: true,
    retryCondition: async error => {
      if (!isPassing(error) || (retryAfterOf(error, clock.now()) ?? 0) > maxRetryAfterMs) return false;
      return wasNeverSent(error) || (await mayRetry?.(error)) === true;
    },
    // The library waits by its own timer; it awaits onRetry first, so the wait is made there.
    retryDelay: () => 0,
    onRetry: async (count, error, config) => {
      const signal = config.signal as AbortSignal | undefined;
      if (signal?.aborted) throw abortError(signal);
      const step = Math.min(maxBackoffMs, backoffMs * 2 ** count);
      const delay = step / 2 + (step / 2) * random();
      await clock.sleep(Math.max(delay, retryAfterOf(error, clock.now()) ?? 0), signal);
    },
  };
}

/** Whether another attempt may succeed. */
function isPassing(error: AxiosError): boolean {
  if (axios.isCancel(error) || error.config?.signal?.aborted) return false;
  const status = error.response?.status;
  if (status !== undefined && (status < 200 || status > 299)) return passingStatuses.includes(status);
  return isBrokenConnection(error);
}

/** A connection that was refused or broke, also inside the body (then there is a response, and its status may be 200). */
function isBrokenConnection(error: AxiosError): boolean {
  return brokenConnections.includes(error.code ?? '') || error.message === 'stream has been aborted';
}

/** The answer's Retry-After in milliseconds, read by the sender's clock where it gave its time. */
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
