import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';

/** How long a suspected limit is used: a temporary fault of the service or a proxy must not cause many requests permanently. */
const suspectedLimitLifetimeMs = dayMs;
/** The minimum limit. No service has shorter intervals, and a damaged value must not split a range into countless parts. */
const minLimitMs = minuteMs;

/**
 * Stores the known maximum range that a service accepts, by source, dataset and interval. Each limit is a separate entry of the
 * state, so that windows do not overwrite each other's entries.
 */
export class MaxRangeStore {
  readonly #state: KeyValueStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(state: KeyValueStore, clock: Pick<Clock, 'now'>) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Returns the limit in milliseconds; undefined if none is known. */
  getLimit(series: string): number | undefined {
    const limits = [parseLimit(this.#state.get(getLimitKey(series))), this.#getSuspectedLimit(series)].filter(
      limit => limit !== undefined,
    );
    return limits.length > 0 ? Math.min(...limits) : undefined;
  }

  /** Stores a limit after a request of that length succeeded and longer ones had been rejected. */
  async confirmLimit(series: string, limitMs: number): Promise<void> {
    await this.#store(getLimitKey(series), limitMs);
    if (this.#getSuspectedLimit(series) !== undefined) await this.#store(getSuspectedLimitKey(series), undefined);
  }

  /** Stores a suspected limit: longer requests were rejected as too long, but no request of that length has succeeded yet. */
  async suspectLimit(series: string, limitMs: number): Promise<void> {
    await this.#store(getSuspectedLimitKey(series), [limitMs, this.#clock.now()]);
  }

  #getSuspectedLimit(series: string): number | undefined {
    const storedValue = this.#state.get(getSuspectedLimitKey(series));
    if (!Array.isArray(storedValue)) return undefined;
    const [limit, storedAt] = storedValue as unknown[];
    const age = typeof storedAt === 'number' ? this.#clock.now() - storedAt : -1;
    return age >= 0 && age < suspectedLimitLifetimeMs ? parseLimit(limit) : undefined;
  }

  async #store(name: string, value: unknown): Promise<void> {
    // If it cannot be stored, a later run detects it again; the current response must not fail because of that.
    await this.#state.update(name, value).catch(() => undefined);
  }
}

function getLimitKey(series: string): string {
  return `spanLimit ${series}`;
}

function getSuspectedLimitKey(series: string): string {
  return `suspectedSpanLimit ${series}`;
}

function parseLimit(value: unknown): number | undefined {
  return typeof value === 'number' && value >= minLimitMs ? value : undefined;
}
