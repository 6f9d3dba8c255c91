import type { Clock } from '../core/ports.ts';

export interface WhenAtRestDeps {
  readonly clock: Clock;
  readonly restMs: number;
  /** The maximum delay after the first trigger, even without a pause. */
  readonly maxMs?: number;
  readonly act: () => Promise<void>;
}

/** Calls `run` once no trigger has come for `restMs`, such as after a pause in typing. `run` handles its own errors. */
export class WhenAtRest {
  readonly #deps: WhenAtRestDeps;
  #waiting: { readonly since: number; readonly abort: AbortController } | undefined;

  constructor(deps: WhenAtRestDeps) {
    this.#deps = deps;
  }

  /** Restarts the delay. */
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

  /** Runs at once if a run is pending. */
  async now(): Promise<void> {
    if (!this.#waiting) return;
    this.stop();
    await this.#deps.act();
  }

  /** Cancels the pending run. */
  stop(): void {
    this.#waiting?.abort.abort();
    this.#waiting = undefined;
  }
}
