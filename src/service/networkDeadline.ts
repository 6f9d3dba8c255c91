import type { Clock } from '../core/ports.ts';

/**
 * A total time for all network work of one call. An idle time-out alone lets a server drip one byte a second for ever;
 * time spent waiting for a permit or between attempts is not charged.
 */
export class NetworkDeadline {
  readonly #clock: Clock;
  readonly #onExpire: () => void;
  #leftMs: number;
  #expired = false;

  constructor(totalMs: number, clock: Clock, onExpire: () => void) {
    this.#leftMs = totalMs;
    this.#clock = clock;
    this.#onExpire = onExpire;
  }

  get expired(): boolean {
    return this.#expired;
  }

  /** Runs the work with the time on; `onExpire` must make the work end. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const started = this.#clock.now();
    const stop = new AbortController();
    void this.#clock.sleep(this.#leftMs, stop.signal).then(
      () => {
        this.#expired = true;
        this.#onExpire();
      },
      () => undefined,
    );
    try {
      return await work();
    } finally {
      stop.abort();
      this.#leftMs = Math.max(0, this.#leftMs - Math.max(0, this.#clock.now() - started));
    }
  }
}
