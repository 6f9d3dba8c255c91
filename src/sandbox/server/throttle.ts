import type { Clock } from '../../core/ports.ts';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import type { ScopeLimit } from '../keys/scopes.ts';

/** `waitSeconds` is undefined if the limit was lowered below the count in the window: Django then returns no time. */
type Admission = { readonly admitted: true } | { readonly admitted: false; readonly waitSeconds: number | undefined };

/**
 * Reimplements Django REST framework's SimpleRateThrottle: a log of the accepted requests of each scope and key. Rejected
 * requests are not logged. Unlike Django's, the log has its oldest entry first and is not copied, so that a limit of many
 * thousands is not slower.
 */
export class ScopedThrottle {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windowMs: number;
  readonly #logs = new Map<string, RequestLog>();

  constructor(clock: Pick<Clock, 'now'>, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  /** Counts a request if it is within the limit; otherwise returns the whole seconds to wait. */
  admit(scope: RateLimitScope, key: string, limit: ScopeLimit): Admission {
    if (limit === null) return { admitted: true };
    const id = `${scope} ${key}`;
    let log = this.#logs.get(id);
    if (!log) this.#logs.set(id, (log = new RequestLog()));
    const now = this.#clock.now();
    log.dropUntil(now - this.#windowMs);
    if (log.size >= limit) return { admitted: false, waitSeconds: this.#computeWait(log, now, limit) };
    log.add(now);
    return { admitted: true };
  }

  #computeWait(log: RequestLog, now: number, limit: number): number | undefined {
    const freeSlots = limit - log.size + 1;
    if (freeSlots <= 0) return undefined;
    return Math.ceil((this.#windowMs - (now - (log.oldest ?? now))) / freeSlots / 1000);
  }
}

/** The times of accepted requests, oldest first. Expired times are removed in bulk, so that removal is cheap. */
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
