import type { Limit } from '../../core/query/catalogue.ts';
import type { Clock } from '../../core/ports.ts';
import type { AcquireOptions, Budget, BudgetOf, KeyAt, Limiter, Permit, LimitStore } from './limiter.ts';
import { budgetIn, clearAllRejections } from './permitScheduler.ts';
import { RequestQueue } from './requestQueue.ts';
import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** The longest a request can be in flight: the client's deadline, and some more for a process that was suspended. */
const defaultLeaseMs = 125_000;

interface SharedLimiterDeps {
  readonly store: LimitStore;
  readonly clock: Clock;
  /** A name no other window has. */
  readonly window: string;
  readonly fingerprint: Fingerprint;
  /** How long a slot is held for a window that does not give it back; milliseconds. */
  readonly leaseMs?: number;
}

/** The limiter of all windows that share a store; `schedulePermits` has the rules. */
export class SharedLimiter implements Limiter {
  readonly #deps: SharedLimiterDeps;
  readonly #leaseMs: number;
  readonly #queues = new Map<string, RequestQueue>();
  #requests = 0;

  constructor(deps: SharedLimiterDeps) {
    this.#deps = deps;
    this.#leaseMs = deps.leaseMs ?? defaultLeaseMs;
  }

  async acquire(of: BudgetOf, limit: Limit, options: AcquireOptions = {}): Promise<Permit> {
    const { signal } = options;
    if (!(limit.requests >= 1 && limit.seconds > 0)) throw new RangeError('a limit must allow requests');
    signal?.throwIfAborted();
    const fingerprint = await this.#deps.fingerprint(of.origin, of.key);
    signal?.throwIfAborted();
    return this.#queueOf(fingerprint, of.scope, limit).join(limit, options);
  }

  async budget(of: BudgetOf, limit: Limit, count?: number): Promise<Budget> {
    const { store, clock, fingerprint } = this.#deps;
    const state = await store.read(await fingerprint(of.origin, of.key));
    return budgetIn(state, { scope: of.scope, limit, now: clock.now(), leaseMs: this.#leaseMs }, count);
  }

  async clearRejection({ origin, key }: KeyAt): Promise<void> {
    await this.#deps.store.update(await this.#deps.fingerprint(origin, key), clearAllRejections);
  }

  #queueOf(fingerprint: string, scope: string, limit: Limit): RequestQueue {
    const name = JSON.stringify([fingerprint, scope]);
    let queue = this.#queues.get(name);
    if (!queue) {
      const { store, clock, window } = this.#deps;
      const newId = () => `${window} ${(this.#requests += 1)}`;
      queue = new RequestQueue({ store, clock, window, leaseMs: this.#leaseMs, newId }, fingerprint, scope, limit);
      this.#queues.set(name, queue);
    }
    return queue;
  }
}

const derive = promisify(scrypt) as (key: string, salt: string, length: number) => Promise<Buffer>;

/** Identifies a key at an origin without holding it; the same in every window. */
export type Fingerprint = (origin: string, key: string) => Promise<string>;

/** Slow to compute, so that a file's name does not help to guess the key; each is computed once. */
export function keyFingerprint(): Fingerprint {
  const known = new Map<string, Promise<string>>();
  return (origin, key) => {
    const index = createHash('sha256')
      .update(JSON.stringify([origin, key]))
      .digest('hex');
    let fingerprint = known.get(index);
    if (!fingerprint) {
      fingerprint = derive(key, origin, 20).then(bytes => bytes.toString('hex'));
      known.set(index, fingerprint);
    }
    return fingerprint;
  };
}
