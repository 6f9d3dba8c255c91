import type { Clock } from '../core/ports.ts';

export interface DebouncerDeps {
  readonly clock: Clock;
  readonly restMs: number;
  /** The maximum delay after the first trigger, even without a pause. */
  readonly maxMs?: number;
  readonly run: () => Promise<void>;
}

/** Calls `run` once no trigger has come for `restMs`, such as after a pause in typing. `run` handles its own errors. */
export class Debouncer {
  readonly #deps: DebouncerDeps;
  #pending: { readonly since: number; readonly abort: AbortController } | undefined;

  constructor(deps: DebouncerDeps) {
    this.#deps = deps;
  }

  /** Restarts the delay. */
  trigger(): void {
    const { clock, restMs, maxMs = Infinity } = this.#deps;
    const { since = clock.now() } = this.#pending ?? {};
    this.cancel();
    const { signal } = (this.#pending = { since, abort: new AbortController() }).abort;
    clock.sleep(Math.max(0, Math.min(restMs, since + maxMs - clock.now())), signal).then(
      () => void this.flush(),
      () => undefined,
    );
  }

  /** Runs at once if a run is pending. */
  async flush(): Promise<void> {
    if (!this.#pending) return;
    this.cancel();
    await this.#deps.run();
  }

  /** Cancels the pending run. */
  cancel(): void {
    this.#pending?.abort.abort();
    this.#pending = undefined;
  }
}
