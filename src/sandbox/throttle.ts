import type { Clock } from '../core/ports.ts';

/** Requests allowed in any window, by scope (grid data API specification, "Limits"). */
const scopeLimits = { normalized_data: 10, features: 3 } as const;
export type Scope = keyof typeof scopeLimits;

export type Admission = { readonly admitted: true } | { readonly admitted: false; readonly waitSeconds: number };

/**
 * Django REST framework's SimpleRateThrottle to the letter: a log of the accepted requests of a (scope, key), newest
 * first. A refused request leaves no trace.
 */
export class ScopedThrottle {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windowMs: number;
  readonly #logs = new Map<string, number[]>();

  constructor(clock: Pick<Clock, 'now'>, windowMs: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  /** Counts one request, or says how many whole seconds remain until the oldest one leaves the window. */
  admit(scope: Scope, key: string): Admission {
    const id = `${scope} ${key}`;
    const log = this.#logs.get(id) ?? [];
    const now = this.#clock.now();
    let oldest = log.at(-1);
    while (oldest !== undefined && oldest <= now - this.#windowMs) {
      log.pop();
      oldest = log.at(-1);
    }
    if (oldest !== undefined && log.length >= scopeLimits[scope])
      return { admitted: false, waitSeconds: Math.ceil((this.#windowMs - (now - oldest)) / 1000) };
    log.unshift(now);
    this.#logs.set(id, log);
    return { admitted: true };
  }
}
