import type { Clock } from '../../core/ports.ts';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import { mapScopes } from './scopes.ts';

/** Requests of one scope: accepted, and refused by the limit. */
export interface RequestCount {
  readonly accepted: number;
  readonly refused: number;
}

/** The requests of a key in one scope, up to the current second. */
export interface ScopeUsage {
  readonly lastMinute: RequestCount;
  readonly lastHour: RequestCount;
}

/** Counts requests for the dashboard; the limits do not depend on it. */
export class UsageMeter {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #counters = new Map<string, Readonly<Record<keyof RequestCount, SecondCounter>>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  record(key: string, scope: RateLimitScope, outcome: keyof RequestCount): void {
    const id = `${scope} ${key}`;
    let counters = this.#counters.get(id);
    if (!counters) this.#counters.set(id, (counters = { accepted: new SecondCounter(), refused: new SecondCounter() }));
    counters[outcome].add(this.#second());
  }

  /** `key` is the prefix under which the key ring lists it. */
  of(key: string): Readonly<Record<RateLimitScope, ScopeUsage>> {
    return mapScopes(scope => this.#usage(`${scope} ${key}`));
  }

  #usage(id: string): ScopeUsage {
    const now = this.#second();
    const counters = this.#counters.get(id);
    const last = (seconds: number): RequestCount => ({
      accepted: counters?.accepted.last(seconds, now) ?? 0,
      refused: counters?.refused.last(seconds, now) ?? 0,
    });
    return { lastMinute: last(60), lastHour: last(hourSeconds) };
  }

  #second(): number {
    return Math.floor(this.#clock.now() / 1000);
  }
}

const hourSeconds = 3_600;

/** A count for each second of the last hour, whatever the traffic. Takes its memory at the first count. */
class SecondCounter {
  #counts: Uint32Array | undefined;
  #newest = 0;

  add(second: number): void {
    this.#counts ??= new Uint32Array(hourSeconds);
    this.#goTo(second);
    const place = this.#newest % hourSeconds;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  last(seconds: number, now: number): number {
    const counts = this.#counts;
    if (!counts) return 0;
    this.#goTo(now);
    let sum = 0;
    for (let back = 0; back < seconds; back++) sum += counts[(this.#newest - back) % hourSeconds] ?? 0;
    return sum;
  }

  /** A clock that was set back counts into the newest second there was. */
  #goTo(second: number): void {
    if (second - this.#newest >= hourSeconds) this.#counts?.fill(0);
    else
      for (let next = this.#newest + 1; next <= second; next++)
        this.#counts?.fill(0, next % hourSeconds, (next % hourSeconds) + 1);
    this.#newest = Math.max(this.#newest, second);
  }
}
