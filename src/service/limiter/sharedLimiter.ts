import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Limit } from '../../core/query/catalogue.ts';
import type { Clock } from '../../core/ports.ts';
import {
  type AcquireOptions,
  type Budget,
  type ServiceScope,
  type ServiceKey,
  type Limiter,
  type LimitStore,
  type Permit,
  refusalStatus,
  type RequestOutcome,
} from './limiter.ts';
import {
  computeBudget,
  clearAllRejections,
  pollMs,
  type SchedulerContext,
  getRank,
  type Refusal,
  releasePermit,
  type ScheduledPermits,
  schedulePermits,
  type WaitingRequest,
} from './permitScheduler.ts';
import { adjustToClock, maxLeaseMs, type KeyState } from './keyState.ts';
import { GridError } from '../../core/errors.ts';

/** The machine, for detecting that its clock was changed. */
export interface Machine {
  readonly name: string;
  /** Returns the milliseconds since its start, including sleep and independent of its clock; the same in all processes. */
  readonly uptimeMs: () => number;
}

interface SharedLimiterDeps {
  readonly store: LimitStore;
  readonly clock: Clock;
  readonly machine: Machine;
  /** The unique name of the window. */
  readonly window: string;
  readonly fingerprint: Fingerprint;
  /** How long a slot is reserved for a window that does not release it, in milliseconds. */
  readonly leaseMs?: number;
}

/** A limiter for all windows that share a store. The rules are in `schedulePermits`. */
export class SharedLimiter implements Limiter {
  readonly #deps: SharedLimiterDeps;
  readonly #leaseMs: number;
  readonly #queues = new Map<string, RequestQueue>();
  #requestCount = 0;

  constructor(deps: SharedLimiterDeps) {
    this.#deps = deps;
    this.#leaseMs = deps.leaseMs ?? maxLeaseMs;
  }

  async acquire(scope: ServiceScope, limit: Limit, options: AcquireOptions = {}): Promise<Permit> {
    const { signal } = options;
    if (!(limit.requests >= 1 && limit.seconds > 0)) throw new RangeError('a limit must allow requests');
    signal?.throwIfAborted();
    const fingerprint = await this.#deps.fingerprint(scope.origin, scope.key);
    signal?.throwIfAborted();
    return this.#getQueue(fingerprint, scope.scope, limit).join(limit, options);
  }

  async budget(scope: ServiceScope, limit: Limit, count?: number): Promise<Budget> {
    const { store, fingerprint } = this.#deps;
    const state = await store.read(await fingerprint(scope.origin, scope.key));
    const now = getAdjustedTime(state, this.#deps);
    return computeBudget(state, { scope: scope.scope, limit, now, leaseMs: this.#leaseMs }, count);
  }

  async clearRejection({ origin, key }: ServiceKey): Promise<void> {
    await this.#deps.store.update(await this.#deps.fingerprint(origin, key), clearAllRejections);
  }

  #getQueue(fingerprint: string, scope: string, limit: Limit): RequestQueue {
    const name = JSON.stringify([fingerprint, scope]);
    let queue = this.#queues.get(name);
    if (!queue) {
      const newId = () => `${this.#deps.window} ${(this.#requestCount += 1)}`;
      queue = new RequestQueue({ ...this.#deps, leaseMs: this.#leaseMs, newId }, fingerprint, scope, limit);
      this.#queues.set(name, queue);
    }
    return queue;
  }
}

/** Returns the current time, after shifting the state's instants if the clock was changed. */
function getAdjustedTime(state: KeyState, { clock, machine }: Pick<SharedLimiterDeps, 'clock' | 'machine'>): number {
  const now = clock.now();
  adjustToClock(state, { machine: machine.name, now, uptimeMs: machine.uptimeMs() });
  return now;
}

const deriveKey = promisify(scrypt) as (key: string, salt: string, length: number) => Promise<Buffer>;

/** Identifies a key at an origin without holding it; the same in every window. */
export type Fingerprint = (origin: string, key: string) => Promise<string>;

/** Creates a fingerprint function. It is slow, so that a file's name does not help to guess the key; results are cached. */
export function createFingerprint(): Fingerprint {
  const cached = new Map<string, Promise<string>>();
  return (origin, key) => {
    const index = createHash('sha256')
      .update(JSON.stringify([origin, key]))
      .digest('hex');
    let fingerprint = cached.get(index);
    if (!fingerprint) {
      fingerprint = deriveKey(key, origin, 20).then(bytes => bytes.toString('hex'));
      cached.set(index, fingerprint);
    }
    return fingerprint;
  };
}

interface RequestQueueDeps extends Required<Omit<SharedLimiterDeps, 'fingerprint'>> {
  readonly newId: () => string;
}

/** The maximum number of queued requests of a window in the shared state, which has to stay small. Others follow as these are sent. */
const maxQueued = 500;

interface QueuedWaiter extends WaitingRequest {
  readonly grant: (permit: Permit) => void;
  readonly fail: (error: Error) => void;
  readonly notify: (startAt: number, now: number) => void;
}

/** The requests of one window that wait for one scope of one key. */
class RequestQueue {
  readonly #deps: RequestQueueDeps;
  readonly #fingerprint: string;
  readonly #scope: string;
  #limit: Limit;
  #waiters: QueuedWaiter[] = [];
  #timer: AbortController | undefined;
  #isScheduling = false;
  #isOutdated = false;

  constructor(deps: RequestQueueDeps, fingerprint: string, scope: string, limit: Limit) {
    this.#deps = deps;
    this.#fingerprint = fingerprint;
    this.#scope = scope;
    this.#limit = limit;
  }

  /** Adds a request to the queue. Rejects and removes it as soon as the signal is aborted. */
  join(limit: Limit, { signal, onWait, priority = 'user' }: AcquireOptions): Promise<Permit> {
    this.#limit = limit;
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        this.#waiters = this.#waiters.filter(candidate => candidate !== waiter);
      };
      const fail = (error: Error) => {
        leave();
        reject(error);
      };
      const abort = () => {
        fail(signal?.reason as Error);
        this.schedule();
      };
      let lastSeconds: number | undefined;
      const waiter: QueuedWaiter = {
        id: this.#deps.newId(),
        priority,
        fail,
        grant: permit => {
          leave();
          resolve(permit);
        },
        notify: (startAt, now) => {
          // Called once a second, for a countdown.
          const left = Math.max(0, startAt - now);
          const seconds = Math.ceil(left / 1000);
          if (seconds !== lastSeconds) onWait?.(left);
          lastSeconds = seconds;
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters.push(waiter);
      this.schedule();
    });
  }

  /** Schedules permits: after each change by this window, and when a slot becomes free. */
  schedule(): void {
    this.#timer?.abort();
    this.#timer = undefined;
    this.#isOutdated = true;
    if (this.#isScheduling) return;
    this.#isScheduling = true;
    void this.#scheduleAll();
  }

  async #scheduleAll(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      try {
        this.#apply(await this.#updateState());
      } catch (error) {
        for (const waiter of this.#waiters)
          waiter.fail(error instanceof Error ? error : new Error('the permit could not be acquired'));
      }
    }
    this.#isScheduling = false;
  }

  #updateState(): Promise<ScheduledPermits> {
    return this.#deps.store.update(this.#fingerprint, state => {
      const queued = this.#waiters.toSorted((a, b) => getRank(a) - getRank(b)).slice(0, maxQueued);
      return schedulePermits(state, this.#createContext(state), queued);
    });
  }

  #apply({ granted, refused, starts }: ScheduledPermits): void {
    for (const id of granted) {
      const waiter = this.#waiters.find(candidate => candidate.id === id);
      if (waiter) waiter.grant(this.#createPermit(id));
      else this.#release(id, 'free');
    }
    if (refused) for (const waiter of this.#waiters) waiter.fail(createRefusalError(refused));
    const now = this.#deps.clock.now();
    for (const waiter of this.#waiters) {
      const start = starts.get(waiter.id);
      if (start !== undefined) waiter.notify(start, now);
    }
    if (this.#waiters.length > 0 && !this.#isOutdated) this.#sleep(Math.min(...starts.values()) - now);
  }

  #sleep(ms: number): void {
    const timer = (this.#timer = new AbortController());
    void this.#deps.clock.sleep(Math.max(0, Math.min(pollMs, ms)), timer.signal).then(
      () => this.schedule(),
      () => undefined,
    );
  }

  #createPermit(id: string): Permit {
    let isHeld = true;
    return {
      release: outcome => {
        if (isHeld) this.#release(id, outcome);
        isHeld = false;
      },
    };
  }

  #release(id: string, outcome: RequestOutcome): void {
    const { store, clock } = this.#deps;
    const endedAt = clock.now();
    // This fails only because of a bug; then the slot expires after `leaseMs`.
    void store
      .update(this.#fingerprint, state => releasePermit(state, this.#createContext(state), id, outcome, endedAt))
      .catch(() => undefined);
    if (this.#waiters.length > 0) this.schedule();
  }

  #createContext(state: KeyState): SchedulerContext {
    const { window, leaseMs } = this.#deps;
    return { scope: this.#scope, window, limit: this.#limit, now: getAdjustedTime(state, this.#deps), leaseMs };
  }
}

/** Creates the error of an earlier rejection. */
function createRefusalError({ refusal, at }: Refusal): GridError {
  return new GridError(refusal, { status: refusalStatus[refusal], refusedAt: at, requestsSpent: 0 });
}
