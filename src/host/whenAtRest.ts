import type { Clock } from '../core/ports.ts';

export interface WhenAtRestDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly restMs: number;
  readonly act: () => Promise<void>;
}

/** Does something once nothing has stirred for a while, so that what is typed is not read at each key. `act` reports its own faults. */
export class WhenAtRest {
  readonly #deps: WhenAtRestDeps;
  #waiting: AbortController | undefined;

  constructor(deps: WhenAtRestDeps) {
    this.#deps = deps;
  }

  /** Something stirs: the rest begins anew. */
  stir(): void {
    const { clock, restMs } = this.#deps;
    this.stop();
    const waiting = (this.#waiting = new AbortController());
    clock.sleep(restMs, waiting.signal).then(
      () => void this.now(),
      () => undefined,
    );
  }

  /** Does at once what waits for the rest; nothing where nothing waits. */
  async now(): Promise<void> {
    if (!this.#waiting) return;
    this.stop();
    await this.#deps.act();
  }

  /** Forgets what waits. */
  stop(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
  }
}
