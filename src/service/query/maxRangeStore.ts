import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';

/** A suspected limit expires: a fault of the service, or of something in front of it, must not cause many requests for ever. */
const suspicionMs = dayMs;
/** No service has shorter steps; a damaged value must not split a range into countless parts. */
const shortestMs = minuteMs;

/**
 * The longest range that each service accepts, as far as is known, by source, dataset and interval. Each is an entry of its own in
 * the state, so that windows do not overwrite what others store of other series.
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
    const limits = [lengthOf(this.#state.get(nameOf(series))), this.#suspected(series)].filter(
      limit => limit !== undefined,
    );
    return limits.length > 0 ? Math.min(...limits) : undefined;
  }

  /** A request of that length was answered after longer ones had been refused. */
  async learn(series: string, limitMs: number): Promise<void> {
    await this.#store(nameOf(series), limitMs);
    if (this.#suspected(series) !== undefined) await this.#store(suspectedNameOf(series), undefined);
  }

  /** Longer requests were refused as too long; whether one of that length is answered is not known yet. */
  async suspect(series: string, limitMs: number): Promise<void> {
    await this.#store(suspectedNameOf(series), [limitMs, this.#clock.now()]);
  }

  #suspected(series: string): number | undefined {
    const stored = this.#state.get(suspectedNameOf(series));
    if (!Array.isArray(stored)) return undefined;
    const [limit, at] = stored as unknown[];
    const age = typeof at === 'number' ? this.#clock.now() - at : -1;
    return age >= 0 && age < suspicionMs ? lengthOf(limit) : undefined;
  }

  async #store(name: string, value: unknown): Promise<void> {
    // What cannot be stored is found out again; the response at hand is worth more.
    await this.#state.update(name, value).catch(() => undefined);
  }
}

function nameOf(series: string): string {
  return `spanLimit ${series}`;
}

function suspectedNameOf(series: string): string {
  return `suspectedSpanLimit ${series}`;
}

function lengthOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= shortestMs ? value : undefined;
}
