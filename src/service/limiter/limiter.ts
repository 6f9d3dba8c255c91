import type { Limit } from '../../core/query/catalogue.ts';
import type { KeyState } from './keyState.ts';

/** Keeps the state of each key's budget, by the key's fingerprint. */
export interface LimitStore {
  /**
   * Runs the change on the newest state while nobody else does, and keeps what it made of it. The change may run more than
   * once, each time on a state of its own; the result is that of the run that was kept.
   */
  update<T>(fingerprint: string, change: (state: KeyState) => T): Promise<T>;
  /** A copy, with the updates asked for before. */
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

/** A person's request goes before a background one, in every window. */
export type Priority = 'person' | 'background';

/** The service does not take the key any more: at all (401), or in this scope (403). */
export type KeyRefusal = 'keyRejected' | 'forbidden';
export const refusalStatus = { keyRejected: 401, forbidden: 403 } as const satisfies Readonly<
  Record<KeyRefusal, number>
>;

/**
 * What became of a request. `free` where the server cannot have counted it (never sent). `abandoned` (cancelled, connection
 * broken) and `timedOut`: sent and never answered, so that the server may count it yet. A 429 was not counted, and closes
 * the scope until that instant (UTC ms); neither was a 401 or 403, which end the use of the key.
 */
export type RequestOutcome =
  'counted' | 'free' | Unanswered | { readonly throttledUntil: number } | { readonly refused: KeyRefusal };

export type Unanswered = 'abandoned' | 'timedOut';

/** The right to send one request; give it back when its answer came or it failed. */
export interface Permit {
  /** Only the first call counts. */
  release(outcome: RequestOutcome): void;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told the expected wait in milliseconds, first when the wait begins and again when the expectation changes. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** `person` where left out. */
  readonly priority?: Priority | undefined;
}

export interface Budget {
  /** Requests that would start at once, after those that wait. */
  readonly left: number;
  /** Milliseconds until a request asked for now would start; 0 while some are left. */
  readonly nextFreeInMs: number;
  /** Milliseconds until the last of `count` requests asked for now would start, as far as can be known; 0 for none. */
  readonly lastStartsInMs: number;
  /** Milliseconds until the next of the slots that are taken frees, also while others are left; undefined for none. */
  readonly nextSlotInMs: number | undefined;
  /** Requests a window has room for: the limit, or less where the service was found to allow less. */
  readonly allowed: number;
  /** Requests waiting, in all windows. */
  readonly waiting: number;
  /** UTC milliseconds until which nobody starts after a 429. */
  readonly blockedUntil: number | undefined;
  /** Until when (UTC ms) the lower number counts; then the limit is tried again. */
  readonly learnedUntil: number | undefined;
  readonly refusal: KeyRefusal | undefined;
}

/** Keeps each scope of each key within its limit, together with all other windows. */
export interface Limiter {
  /**
   * First come, first served inside a window, in turn between windows. Rejects with the signal's reason as soon as it is
   * aborted, and with a GridError (`keyRejected`, `forbidden`) while the service is known not to take the key.
   */
  acquire(of: BudgetOf, limit: Limit, options?: AcquireOptions): Promise<Permit>;
  /** `count`: how many requests somebody thinks of, for `lastStartsInMs`; may be more than a window has room for. */
  budget(of: BudgetOf, limit: Limit, count?: number): Promise<Budget>;
  /** The person entered the key, perhaps again: what the service said of it no longer counts. */
  clearRejection(key: KeyAt): Promise<void>;
}
