import type { Limit } from '../core/catalogue.ts';

/**
 * The sliding log of one scope: which requests are in flight and when the others were answered. Without timers.
 * A slot frees one window after the *answer*: the server noted the request before that, and a later one reaches it
 * after it was sent, so no difference of travelling times can put one request too many into the server's window.
 */
export class ScopeLog {
  readonly #marginMs: number;
  #inFlight = 0;
  #answered: number[] = [];
  #blockedUntil = 0;
  #longestWindowMs = 0;
  #lastNow = 0;

  /** `marginMs` is added to each wait, for timers and clocks that round. */
  constructor(marginMs: number) {
    this.#marginMs = marginMs;
  }

  started(): void {
    this.#inFlight += 1;
  }

  /** `counted` where the server may have noted the request. */
  ended(now: number, outcome: 'counted' | 'free'): void {
    this.#advance(now);
    this.#inFlight -= 1;
    if (outcome === 'counted') this.#answered.push(now);
  }

  block(now: number, until: number): void {
    this.#advance(now);
    this.#blockedUntil = Math.max(this.#blockedUntil, until + this.#marginMs);
  }

  /** Requests the scope has room for right now. */
  room(now: number, limit: Limit): number {
    const busy = this.#slotEnds(now, limit).length;
    return this.#blockedUntil > now ? 0 : Math.max(0, limit.requests - busy);
  }

  /** When each of the next `count` requests may start; those behind requests in flight are the earliest guess. */
  nextStarts(now: number, limit: Limit, count: number): number[] {
    const ends = this.#slotEnds(now, limit);
    const busy = ends.length;
    const starts: number[] = [];
    for (let position = 0; position < count; position += 1) {
      const start = Math.max(now, this.#blockedUntil, ends[busy + position - limit.requests] ?? now);
      starts.push(start);
      ends.push(start + this.#windowMs(limit));
    }
    return starts;
  }

  #slotEnds(now: number, limit: Limit): number[] {
    this.#longestWindowMs = Math.max(this.#longestWindowMs, this.#windowMs(limit));
    this.#advance(now);
    const windowMs = this.#windowMs(limit);
    const answered = this.#answered.map(instant => instant + windowMs).filter(end => end > now);
    return [...answered, ...Array.from({ length: this.#inFlight }, () => now + windowMs)];
  }

  #windowMs(limit: Limit): number {
    return limit.seconds * 1000 + this.#marginMs;
  }

  #advance(now: number): void {
    const back = this.#lastNow - now;
    if (back > 0) {
      // The machine's clock was set back: without this, old stamps would lie in the future and block for as long.
      this.#answered = this.#answered.map(instant => instant - back);
      this.#blockedUntil -= back;
    }
    this.#lastNow = now;
    this.#answered = this.#answered.filter(instant => instant + this.#longestWindowMs > now);
  }
}
