import type { Clock } from '../core/ports.ts';
import type { SeriesKey } from '../core/seriesKey.ts';
import type { SeriesLock } from './seriesLock.ts';

/** How soon who waits for the budget notices that another window fetched the same. */
const watchMs = 500;

export interface PartTurnDeps {
  readonly lock: Pick<SeriesLock, 'acquire' | 'version'>;
  readonly clock: Clock;
}

/**
 * One part's way to the service: first the budget, then the series. While it waits for the budget it watches what other
 * windows fetch, so that nobody waits for a request that is no longer needed; between permit and answer it holds the series.
 */
export class PartTurn {
  readonly #deps: PartTurnDeps;
  readonly #series: SeriesKey;
  readonly #query: AbortSignal | undefined;
  /** Looks into the archive. */
  readonly #isStillDue: () => Promise<boolean>;
  readonly #fetched = new AbortController();
  /** Aborted when the query is, or when another window fetched the hours while this one waited. */
  readonly signal: AbortSignal;
  #watch: AbortController | undefined;
  #release: (() => Promise<void>) | undefined;

  constructor(
    deps: PartTurnDeps,
    series: SeriesKey,
    signal: AbortSignal | undefined,
    isStillDue: () => Promise<boolean>,
  ) {
    this.#deps = deps;
    this.#series = series;
    this.#query = signal;
    this.signal = signal ? AbortSignal.any([signal, this.#fetched.signal]) : this.#fetched.signal;
    this.#isStillDue = isStillDue;
  }

  /** Another window fetched the hours; they are in the archive. */
  get fetchedElsewhere(): boolean {
    return this.#fetched.signal.aborted && !this.#query?.aborted;
  }

  /** The budget lets nothing go now. */
  waits(): void {
    if (this.#watch || this.#release) return;
    const watch = (this.#watch = new AbortController());
    this.#lookOut(watch.signal).catch(() => undefined);
  }

  /** The permit is there: takes the series, and says whether the request is still needed. */
  async begin(): Promise<boolean> {
    this.#stopWatching();
    this.#release ??= await this.#deps.lock.acquire(this.#series, this.#query);
    return this.#isStillDue();
  }

  /** The answer is in the archive, or the part is given up. */
  async end(): Promise<void> {
    this.#stopWatching();
    await this.#release?.();
    this.#release = undefined;
  }

  async #lookOut(watch: AbortSignal): Promise<void> {
    const { lock, clock } = this.#deps;
    let seen: string | undefined;
    const isOver = (): boolean => watch.aborted;
    while (!isOver()) {
      const version = await lock.version(this.#series);
      // The permit may have come while the archive was read: then `begin` decides.
      if (version !== seen && !(await this.#isStillDue()) && !isOver()) this.#fetched.abort();
      seen = version;
      await clock.sleep(watchMs, watch);
    }
  }

  #stopWatching(): void {
    this.#watch?.abort();
    this.#watch = undefined;
  }
}
