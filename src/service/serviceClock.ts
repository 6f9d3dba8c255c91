import type { Clock, KeyValueStore } from '../core/ports.ts';

/** Differences below this are network delay and whole seconds of the Date header, not a wrong clock. */
const toleranceMs = 5_000;
const name = 'clockOffsets';

/** What time it is at each service: a wrong local clock must not make hours look published or fresh. */
export class ServiceClock {
  readonly #clock: Clock;
  readonly #state: KeyValueStore;
  readonly #offsets: Map<string, number>;

  /** Offsets are kept in the state, so that the first question after a restart knows them already. */
  constructor(clock: Clock, state: KeyValueStore) {
    this.#clock = clock;
    this.#state = state;
    const kept = state.get(name);
    const entries = typeof kept === 'object' && kept !== null ? Object.entries(kept) : [];
    this.#offsets = new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  }

  /** UTC milliseconds; our own clock where the service has not said yet. */
  now(source: string): number {
    return this.#clock.now() + (this.#offsets.get(source) ?? 0);
  }

  /** The service said that it answered at that time, to a request that we sent at `sentAt` (by our clock) and have read now. */
  async heard(source: string, answeredAt: number, sentAt: number): Promise<void> {
    const now = this.#clock.now();
    // A long download is no wrong clock: any time between request and answer agrees with ours.
    const agrees = answeredAt > sentAt - toleranceMs && answeredAt < now + toleranceMs;
    const offset = agrees ? 0 : answeredAt - now;
    if (Math.abs(offset - (this.#offsets.get(source) ?? 0)) <= toleranceMs) return;
    if (offset === 0) this.#offsets.delete(source);
    else this.#offsets.set(source, offset);
    // What cannot be written down is learned again; the answer at hand is worth more.
    await this.#state.update(name, Object.fromEntries(this.#offsets)).catch(() => undefined);
  }
}
