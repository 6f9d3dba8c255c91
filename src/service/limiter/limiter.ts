import type { Limit } from '../../core/query/catalogue.ts';
import type { KeyState } from './keyState.ts';

/** Stores the state of each key's budget, by the key's fingerprint. */
export interface LimitStore {
  /**
   * Runs the change exclusively on the newest state, and stores the changed state. The change may run more than once, each time on another copy;
   * the result comes from the run whose state was stored.
   */
  update<T>(fingerprint: string, change: (state: KeyState) => T): Promise<T>;
  /** Returns a copy of the state, including pending updates. */
  read(fingerprint: string): Promise<KeyState>;
}

/** A key at a service. */
export interface ServiceKey {
  readonly origin: string;
  readonly key: string;
}

/** A scope of a key, which has a budget. */
export interface ServiceScope extends ServiceKey {
  readonly scope: string;
}

/** The priority of a request. In all windows, requests of the user precede background requests. */
export type Priority = 'user' | 'background';

/** How the service rejects a key: everywhere (401), or in this scope (403). */
export type KeyRefusal = 'keyRejected' | 'forbidden';
export const refusalStatus = { keyRejected: 401, forbidden: 403 } as const satisfies Readonly<
  Record<KeyRefusal, number>
>;

/**
 * How a request ended. `free`: it was never sent, so the server cannot have counted it. `abandoned` (cancelled, connection broken) and
 * `timedOut`: it was sent without a response, so the server may still count it. `throttledUntil`: a 429, which is not counted, or a counted
 * response after which no requests remain, blocks the scope until that instant (UTC ms). `refused`: a 401 or 403, which is not counted, ends the
 * use of the key.
 */
export type RequestOutcome =
  | 'counted'
  | 'free'
  | UnansweredOutcome
  | { readonly throttledUntil: number; readonly isCounted?: boolean }
  | { readonly refused: KeyRefusal };

export type UnansweredOutcome = 'abandoned' | 'timedOut';

/** The permission to send one request. It must be released when the request succeeded or failed. */
export interface Permit {
  /** Only the first call counts. */
  release(outcome: RequestOutcome): void;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the expected wait in milliseconds, when the wait begins and again when the expectation changes. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** `user` by default. */
  readonly priority?: Priority | undefined;
}

export interface Budget {
  /** The number of requests that could start immediately, after those that wait. */
  readonly left: number;
  /** Milliseconds until a new request could start; 0 while some are left. */
  readonly nextFreeInMs: number;
  /** Milliseconds until the last of `count` new requests could start, as an estimate; 0 if `count` is 0. */
  readonly lastStartsInMs: number;
  /** Milliseconds until the next used slot becomes free, even if others are free; undefined if none is used. */
  readonly nextSlotInMs: number | undefined;
  /** The number of requests that a rate limit window allows. */
  readonly allowed: number;
  /** The number of waiting requests in all windows. */
  readonly waiting: number;
  /** The instant, UTC milliseconds, before which no request starts after a 429. */
  readonly blockedUntil: number | undefined;
  readonly refusal: KeyRefusal | undefined;
}

/** Keeps each scope of each key within its limit, together with all other windows. */
export interface Limiter {
  /**
   * Waits for a permit: first come, first served inside a window, in turn between windows. Rejects with the signal's reason as soon as it is
   * aborted, and with a GridError (`keyRejected`, `forbidden`) while the service is known to reject the key.
   */
  acquire(scope: ServiceScope, limit: Limit, options?: AcquireOptions): Promise<Permit>;
  /** Returns the budget. `count`: the number of planned requests, for `lastStartsInMs`; may exceed the limit. */
  budget(scope: ServiceScope, limit: Limit, count?: number): Promise<Budget>;
  /** Clears an earlier rejection after the user has entered the key, perhaps again. */
  clearRejection(key: ServiceKey): Promise<void>;
}
