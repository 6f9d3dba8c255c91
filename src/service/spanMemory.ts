import type { KeyValueStore } from '../core/ports.ts';

const name = 'spanLimits';

/** The longest range each service was found to take, by source, dataset and interval. */
export class SpanMemory {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  /** Milliseconds; undefined where no limit was met. */
  limitOf(series: string): number | undefined {
    const limit = this.#all()[series];
    return typeof limit === 'number' && limit > 0 ? limit : undefined;
  }

  async learn(series: string, limitMs: number): Promise<void> {
    // What cannot be written down is learned again; the answer at hand is worth more.
    await this.#state.update(name, { ...this.#all(), [series]: limitMs }).catch(() => undefined);
  }

  #all(): Readonly<Record<string, unknown>> {
    const stored = this.#state.get(name);
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  }
}
