import type { Clock } from '../core/ports.ts';

export interface WhenAtRestDeps {
  readonly clock: Clock;
  readonly restMs: number;
  /** The longest time without a pause after which it acts all the same. */
  readonly maxMs?: number;
  readonly act: () => Promise<void>;
}

/** Acts after a pause, such as in typing. `act` handles its own errors. */
export class WhenAtRest {
  readonly #deps: WhenAtRestDeps;
  #waiting: { readonly since: number; readonly abort: AbortController } | undefined;

  constructor(deps: WhenAtRestDeps) {
    this.#deps = deps;
  }

  /** Restarts the pause. */
  stir(): void {
    const { clock, restMs, maxMs = Infinity } = this.#deps;
    const { since = clock.now() } = this.#waiting ?? {};
    this.stop();
    const { signal } = (this.#waiting = { since, abort: new AbortController() }).abort;
    clock.sleep(Math.max(0, Math.min(restMs, since + maxMs - clock.now())), signal).then(
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
    this.#waiting?.abort.abort();
    this.#waiting = undefined;
  }
}
