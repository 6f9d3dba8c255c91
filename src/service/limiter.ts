import type { Limit } from '../core/catalogue.ts';
import type { Clock } from '../core/ports.ts';
import { abortError } from './abort.ts';
import { ScopeLog } from './scopeLog.ts';

/** The right to send one request; give it back when its answer came or it failed. */
export interface Permit {
  /** `free` where the server did not count the request (never sent, or answered 429). Only the first call counts. */
  release(outcome: 'counted' | 'free'): void;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told the expected wait in milliseconds, first when the wait begins and again when the expectation changes. */
  readonly onWait?: ((ms: number) => void) | undefined;
}

export interface Budget {
  /** Requests that would start at once. */
  readonly left: number;
  /** Milliseconds until a request asked for now would start; 0 while some are left. */
  readonly nextFreeInMs: number;
}

/** Keeps each scope within its limit. A scope key is opaque: see scopeKeyOf. */
export interface Limiter {
  /** First come, first served. Rejects with the signal's reason as soon as it is aborted. */
  acquire(scopeKey: string, limit: Limit, options?: AcquireOptions): Promise<Permit>;
  /** After a 429: nobody starts before that instant (UTC ms). */
  block(scopeKey: string, untilMs: number): void;
  budget(scopeKey: string, limit: Limit): Budget;
}

interface Waiter {
  readonly limit: Limit;
  readonly grant: () => void;
  readonly tell: (startAt: number, now: number) => void;
}

interface Scope {
  readonly log: ScopeLog;
  readonly queue: Waiter[];
  /** Aborting it ends the one timer a scope may have. */
  timer: AbortController | undefined;
}

/** The limiter of one process: a sliding log for each scope, kept in memory. */
export class MemoryLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #marginMs: number;
  readonly #scopes = new Map<string, Scope>();

  constructor(clock: Clock, marginMs = 50) {
    this.#clock = clock;
    this.#marginMs = marginMs;
  }

  acquire(scopeKey: string, limit: Limit, options: AcquireOptions = {}): Promise<Permit> {
    const { signal, onWait } = options;
    if (!(limit.requests >= 1 && limit.seconds > 0))
      return Promise.reject(new RangeError('a limit must allow requests'));
    if (signal?.aborted) return Promise.reject(abortError(signal));
    const scope = this.#scope(scopeKey);
    return new Promise((resolve, reject) => {
      const abort = () => {
        scope.queue.splice(scope.queue.indexOf(waiter), 1);
        this.#serve(scope);
        reject(signal ? abortError(signal) : new Error('aborted'));
      };
      let told: number | undefined;
      const waiter: Waiter = {
        limit,
        grant: () => {
          signal?.removeEventListener('abort', abort);
          scope.log.started();
          resolve(this.#permit(scope));
        },
        tell: (startAt, now) => {
          if (startAt !== told) onWait?.(startAt - now);
          told = startAt;
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      scope.queue.push(waiter);
      this.#serve(scope);
    });
  }

  block(scopeKey: string, untilMs: number): void {
    const scope = this.#scope(scopeKey);
    scope.log.block(this.#clock.now(), untilMs);
    this.#serve(scope);
  }

  budget(scopeKey: string, limit: Limit): Budget {
    const { log, queue } = this.#scope(scopeKey);
    const now = this.#clock.now();
    const left = Math.max(0, log.room(now, limit) - queue.length);
    const start = log.nextStarts(now, limit, queue.length + 1).at(-1) ?? now;
    return { left, nextFreeInMs: left > 0 ? 0 : start - now };
  }

  #scope(scopeKey: string): Scope {
    let scope = this.#scopes.get(scopeKey);
    if (!scope) {
      scope = { log: new ScopeLog(this.#marginMs), queue: [], timer: undefined };
      this.#scopes.set(scopeKey, scope);
    }
    return scope;
  }

  #permit(scope: Scope): Permit {
    let held = true;
    return {
      release: outcome => {
        if (!held) return;
        held = false;
        scope.log.ended(this.#clock.now(), outcome);
        this.#serve(scope);
      },
    };
  }

  /** Grants what may start, tells the others how long, and sleeps until the next may. Called after every change. */
  #serve(scope: Scope): void {
    scope.timer?.abort();
    scope.timer = undefined;
    const now = this.#clock.now();
    let head = scope.queue[0];
    while (head && scope.log.room(now, head.limit) > 0) {
      scope.queue.shift();
      head.grant();
      head = scope.queue[0];
    }
    if (!head) return;
    const starts = scope.log.nextStarts(now, head.limit, scope.queue.length);
    const timer = new AbortController();
    scope.timer = timer;
    void this.#clock.sleep((starts[0] ?? now) - now, timer.signal).then(
      () => this.#serve(scope),
      () => undefined,
    );
    [...scope.queue].forEach((waiter, position) => waiter.tell(starts[position] ?? now, now));
  }
}
