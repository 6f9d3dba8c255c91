import type { Limit } from '../../core/query/catalogue.ts';
import type { KeyState } from './keyState.ts';

/** Keeps the state of each key's budget, by the key's fingerprint. */
export interface LimitStore {
  /**
   * Runs the change on the newest state while nobody else does, and stores the changed state. The change may run more than
   * once, each time on another copy; the result is that of the run whose state was stored.
   */
  update<T>(fingerprint: string, change: (state: KeyState) => T): Promise<T>;
  /** A copy, with the updates requested before. */
  read(fingerprint: string): Promise<KeyState>;
}

/** Whose budget: one key at one service. */
export interface KeyAt {
  readonly origin: string;
  readonly key: string;
}

/** One scope of a key's budget. */
export interface BudgetOf extends KeyAt {
  readonly scope: string;
}

/** A person's request starts before a background one, in every window. */
export type Priority = 'person' | 'background';

/** The service refuses the key: everywhere (401), or in this scope (403). */
export type KeyRefusal = 'keyRejected' | 'forbidden';
export const refusalStatus = { keyRejected: 401, forbidden: 403 } as const satisfies Readonly<
  Record<KeyRefusal, number>
>;

/**
 * How a request ended. `free`: the server cannot have counted it (never sent). `abandoned` (cancelled, connection broken)
 * and `timedOut`: sent and never answered, so that the server may still count it. A 429 was not counted, and blocks the
 * scope until that instant (UTC ms), as does a counted one that the service calls the last before then; neither was a 401 or 403
 * counted, which end the use of the key.
 */
export type RequestOutcome =
  | 'counted'
  | 'free'
  | Unanswered
  | { readonly throttledUntil: number; readonly isCounted?: boolean }
  | { readonly refused: KeyRefusal };

export type Unanswered = 'abandoned' | 'timedOut';

/** The right to send one request; release it when its response came or it failed. */
export interface Permit {
  /** Only the first call counts. */
  release(outcome: RequestOutcome): void;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the expected wait in milliseconds, when the wait begins and again when the expectation changes. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** `person` where left out. */
  readonly priority?: Priority | undefined;
}

export interface Budget {
  /** Requests that could start at once, after those that wait. */
  readonly left: number;
  /** Milliseconds until a new request could start; 0 while some are left. */
  readonly nextFreeInMs: number;
  /** Milliseconds until the last of `count` new requests could start, as far as can be known; 0 for none. */
  readonly lastStartsInMs: number;
  /** Milliseconds until the next taken slot becomes free, also while others are left; undefined for none. */
  readonly nextSlotInMs: number | undefined;
  /** Requests that a window has room for: the limit. */
  readonly allowed: number;
  /** Requests waiting, in all windows. */
  readonly waiting: number;
  /** UTC milliseconds until which no request starts after a 429. */
  readonly blockedUntil: number | undefined;
  readonly refusal: KeyRefusal | undefined;
}

/** Keeps each scope of each key within its limit, together with all other windows. */
export interface Limiter {
  /**
   * First come, first served inside a window, in turn between windows. Rejects with the signal's reason as soon as it is
   * aborted, and with a GridError (`keyRejected`, `forbidden`) while the service is known not to take the key.
   */
  acquire(of: BudgetOf, limit: Limit, options?: AcquireOptions): Promise<Permit>;
  /** `count`: how many requests are planned, for `lastStartsInMs`; may be more than a window has room for. */
  budget(of: BudgetOf, limit: Limit, count?: number): Promise<Budget>;
  /** The person entered the key, perhaps again: an earlier refusal no longer counts. */
  clearRejection(key: KeyAt): Promise<void>;
}
