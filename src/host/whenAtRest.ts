import type { Clock } from '../core/ports.ts';

export interface WhenAtRestDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly restMs: number;
  readonly act: () => Promise<void>;
}

/** Acts after a pause, such as in typing. `act` handles its own errors. */
export class WhenAtRest {
  readonly #deps: WhenAtRestDeps;
  #waiting: AbortController | undefined;

  constructor(deps: WhenAtRestDeps) {
    this.#deps = deps;
  }

  /** Restarts the pause. */
  stir(): void {
    const { clock, restMs } = this.#deps;
    this.stop();
    const waiting = (this.#waiting = new AbortController());
    clock.sleep(restMs, waiting.signal).then(
      () => void this.now(),
      () => undefined,
    );
  }

  /** Acts at once if it is waiting for the pause. */
  async now(): Promise<void> {
    if (!this.#waiting) return;
    this.stop();
    await this.#deps.act();
  }

  /** Cancels what is waiting. */
  stop(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
  }
}
