import type { Clock, KeyValueStore } from '../../core/ports.ts';

/** Refusals of a service, or of something before it, that was out of order yesterday are no reason for many requests today. */
const suspicionMs = 24 * 3_600_000;
/** No service has shorter steps: a range in parts of less would have no end. */
const shortestMs = 60_000;

/**
 * The longest range each service was found to take, by source, dataset and interval. One entry of the state for each: what
 * another window learns of another series at the same time is not lost.
 */
export class MaxRangeStore {
  readonly #state: KeyValueStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(state: KeyValueStore, clock: Pick<Clock, 'now'>) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Milliseconds; undefined where no limit was met. */
  limitOf(series: string): number | undefined {
    const learned = this.#state.get(nameOf(series));
    const limits = [lengthOf(learned), this.#suspected(series)].filter(limit => limit !== undefined);
    return limits.length > 0 ? Math.min(...limits) : undefined;
  }

  /** A request of that length was answered after longer ones had been refused. */
  async learn(series: string, limitMs: number): Promise<void> {
    await this.#keep(nameOf(series), limitMs);
    if (this.#suspected(series) !== undefined) await this.#keep(suspicionOf(series), undefined);
  }

  /** Longer requests were refused as too long; whether one of that length is answered is not known yet. */
  async suspect(series: string, limitMs: number): Promise<void> {
    await this.#keep(suspicionOf(series), [limitMs, this.#clock.now()]);
  }

  #suspected(series: string): number | undefined {
    const stored = this.#state.get(suspicionOf(series));
    if (!Array.isArray(stored)) return undefined;
    const [limit, at] = stored as unknown[];
    const age = typeof at === 'number' ? this.#clock.now() - at : -1;
    return age >= 0 && age < suspicionMs ? lengthOf(limit) : undefined;
  }

  async #keep(name: string, value: unknown): Promise<void> {
    // What cannot be written down is learned again; the answer at hand is worth more.
    await this.#state.update(name, value).catch(() => undefined);
  }
}

function nameOf(series: string): string {
  return `spanLimit ${series}`;
}

function suspicionOf(series: string): string {
  return `suspectedSpanLimit ${series}`;
}

function lengthOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= shortestMs ? value : undefined;
}
