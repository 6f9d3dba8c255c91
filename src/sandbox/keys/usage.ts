import type { Clock } from '../../core/ports.ts';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import { mapScopes } from './scopes.ts';

/** The numbers of requests that the limit accepted and rejected. */
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
    counters[outcome].add(this.#getSecond());
  }

  /** `key` is the prefix under which the key ring lists it. */
  getUsage(key: string): Readonly<Record<RateLimitScope, ScopeUsage>> {
    return mapScopes(scope => this.#computeUsage(`${scope} ${key}`));
  }

  #computeUsage(id: string): ScopeUsage {
    const now = this.#getSecond();
    const counters = this.#counters.get(id);
    const countRequests = (seconds: number): RequestCount => ({
      accepted: counters?.accepted.sumLast(seconds, now) ?? 0,
      refused: counters?.refused.sumLast(seconds, now) ?? 0,
    });
    return { lastMinute: countRequests(60), lastHour: countRequests(hourSeconds) };
  }

  #getSecond(): number {
    return Math.floor(this.#clock.now() / 1000);
  }
}

const hourSeconds = 3_600;

/** Counts events in each second of the last hour, in constant memory that is allocated at the first event. */
class SecondCounter {
  #counts: Uint32Array | undefined;
  #newest = 0;

  add(second: number): void {
    this.#counts ??= new Uint32Array(hourSeconds);
    this.#advanceTo(second);
    const index = this.#newest % hourSeconds;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  sumLast(seconds: number, now: number): number {
    const counts = this.#counts;
    if (!counts) return 0;
    this.#advanceTo(now);
    let sum = 0;
    for (let secondsBack = 0; secondsBack < seconds; secondsBack++)
      sum += counts[(this.#newest - secondsBack) % hourSeconds] ?? 0;
    return sum;
  }

  /** Advances to a second. If the clock was set back, events count into the newest second. */
  #advanceTo(second: number): void {
    if (second - this.#newest >= hourSeconds) this.#counts?.fill(0);
    else
      for (let next = this.#newest + 1; next <= second; next++)
        this.#counts?.fill(0, next % hourSeconds, (next % hourSeconds) + 1);
    this.#newest = Math.max(this.#newest, second);
  }
}
