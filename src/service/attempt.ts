import axios from 'axios';
import type { AxiosAdapter, AxiosError, AxiosResponse } from 'axios';
import type { Limit } from '../core/catalogue.ts';
import type { Clock, Logger } from '../core/ports.ts';
import { abortError } from './abort.ts';
import { wasNeverSent } from './connectionTrouble.ts';
import { blockMs } from './failure.ts';
import type { Limiter } from './limiter.ts';
import type { NetworkDeadline } from './networkDeadline.ts';
import { logRequest } from './requestLog.ts';

/** What all attempts of one call share. */
export interface AttemptContext {
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly deadline: NetworkDeadline;
  readonly scopeKey: string;
  readonly limit: Limit;
  readonly signal: AbortSignal;
  readonly onWait: ((ms: number) => void) | undefined;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly key: string;
}

/** Counts a call's requests. */
export class AttemptCounter {
  #attempts = 0;
  #spent = 0;

  get spent(): number {
    return this.#spent;
  }

  begin(): number {
    this.#attempts += 1;
    return this.#attempts;
  }

  reachedWire(): void {
    this.#spent += 1;
  }
}

/**
 * Wraps an adapter so that each attempt, retries included, waits for its own permit, is charged to the call's deadline,
 * is counted and leaves one line in the log.
 */
export function attemptAdapter(send: AxiosAdapter, context: AttemptContext, counter: AttemptCounter): AxiosAdapter {
  const { limiter, clock, deadline, signal } = context;
  return async config => {
    const permit = await limiter.acquire(context.scopeKey, context.limit, { signal, onWait: context.onWait });
    if (signal.aborted) {
      permit.release('free');
      throw abortError(signal);
    }
    const attempt = counter.begin();
    const started = clock.now();
    const log = (outcome: number | string, bytes: number) => {
      const { path, query, key } = context;
      logRequest(context.logger, { path, query, outcome, ms: clock.now() - started, bytes, attempt }, key);
    };
    try {
      const response = await deadline.run(() => send(config));
      counter.reachedWire();
      permit.release('counted');
      log(response.status, byteCount(response));
      return response;
    } catch (error) {
      const failed = axios.isAxiosError(error) ? error : undefined;
      if (!failed || !wasNeverSent(failed)) counter.reachedWire();
      permit.release(afterFailure(failed, context));
      log(outcomeOf(failed, deadline), failed?.response ? byteCount(failed.response) : 0);
      throw error;
    }
  };
}

/** The server does not count what it answers with 429; its scope stays closed as long as it says. */
function afterFailure(error: AxiosError | undefined, context: AttemptContext): 'counted' | 'free' {
  if (!error) return 'counted';
  if (error.response?.status === 429) {
    const now = context.clock.now();
    context.limiter.block(context.scopeKey, now + blockMs(error, now, context.limit.seconds * 1000));
    return 'free';
  }
  return wasNeverSent(error) ? 'free' : 'counted';
}

function outcomeOf(error: AxiosError | undefined, deadline: NetworkDeadline): number | string {
  const status = error?.response?.status;
  if (status !== undefined && status >= 300) return status;
  if (deadline.expired) return 'timeout';
  return error?.code ?? 'failed';
}

function byteCount(response: AxiosResponse<unknown>): number {
  return response.data instanceof Uint8Array ? response.data.byteLength : 0;
}
