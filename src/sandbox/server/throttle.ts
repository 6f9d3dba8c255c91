import type { Clock } from '../../core/ports.ts';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import type { ScopeLimit } from '../keys/scopes.ts';

/** `waitSeconds` is undefined where the limit was lowered below what is in the window: Django then names no time. */
type Admission = { readonly admitted: true } | { readonly admitted: false; readonly waitSeconds: number | undefined };

/**
 * Django REST framework's SimpleRateThrottle to the letter: a log of the accepted requests of a (scope, key). A refused
 * request leaves no trace. It differs in one thing that cannot be seen: the log has its oldest entry first, and is not
 * copied, so that a key with a limit of many thousands costs no more.
 */
export class ScopedThrottle {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windowMs: number;
  readonly #logs = new Map<string, RequestLog>();

  constructor(clock: Pick<Clock, 'now'>, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  /** Counts one request, or says how many whole seconds remain until there is room. */
  admit(scope: RateLimitScope, key: string, limit: ScopeLimit): Admission {
    if (limit === null) return { admitted: true };
    const id = `${scope} ${key}`;
    let log = this.#logs.get(id);
    if (!log) this.#logs.set(id, (log = new RequestLog()));
    const now = this.#clock.now();
    log.dropUntil(now - this.#windowMs);
    if (log.size >= limit) return { admitted: false, waitSeconds: this.#wait(log, now, limit) };
    log.add(now);
    return { admitted: true };
  }

  #wait(log: RequestLog, now: number, limit: number): number | undefined {
    const room = limit - log.size + 1;
    if (room <= 0) return undefined;
    return Math.ceil((this.#windowMs - (now - (log.oldest ?? now))) / room / 1000);
  }
}

/** Times in the order of their coming; taken off at the front without moving the rest each time. */
class RequestLog {
  #times: number[] = [];
  #first = 0;

  get size(): number {
    return this.#times.length - this.#first;
  }

  get oldest(): number | undefined {
    return this.#times[this.#first];
  }

  add(time: number): void {
    this.#times.push(time);
  }

  dropUntil(end: number): void {
    while ((this.#times[this.#first] ?? Number.POSITIVE_INFINITY) <= end) this.#first++;
    if (this.#first * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }
}
