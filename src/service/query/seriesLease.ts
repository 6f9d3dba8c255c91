import type { Clock, Logger, Random } from '../../core/ports.ts';
import { type SeriesKey, seriesIdentity } from '../../core/query/seriesKey.ts';
import type { Acquired, AttemptGate } from '../client/attempt.ts';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLocked, takeLock } from '../files/fileLock.ts';

/** How soon who waits for the budget notices that another window fetched the same. */
const watchMs = 500;
/** How soon who waits for another window's request notices that it is over. */
const busyMs = 100;
/**
 * An answer is two minutes on the wire at the most, then read and written down; one of several pages takes as long for each.
 * A window that died is passed over within seconds: who holds a series for longer hangs, and then two windows may ask for
 * the same, which is better than none.
 */
const patienceMs = 300_000;

export interface SeriesLeaseDeps {
  readonly lock: Pick<SeriesLock, 'take' | 'isTaken' | 'version'>;
  readonly clock: Clock;
}

export interface SeriesLeaseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told true when another window is at the series and this one waits, false when it goes on. */
  readonly onShared?: ((waits: boolean) => void) | undefined;
}

/**
 * One part's way to the service: first the budget, then the series. While it waits for either it holds neither, and watches
 * what other windows fetch, so that nobody waits for a request that is no longer needed; between permit and answer it holds
 * the series.
 */
export class SeriesLease implements AttemptGate {
  readonly #deps: SeriesLeaseDeps;
  readonly #series: SeriesKey;
  readonly #options: SeriesLeaseOptions;
  /** Looks into the archive. */
  readonly #isStillDue: () => Promise<boolean>;
  readonly #fetched = new AbortController();
  /** Aborted when the query is, or when another window fetched the hours while this one waited. */
  readonly signal: AbortSignal;
  #watch: AbortController | undefined;
  #release: (() => Promise<void>) | undefined;
  #leaving: Promise<void> = Promise.resolve();
  #shared = false;
  #impatient = false;

  constructor(
    deps: SeriesLeaseDeps,
    series: SeriesKey,
    options: SeriesLeaseOptions,
    isStillDue: () => Promise<boolean>,
  ) {
    this.#deps = deps;
    this.#series = series;
    this.#options = options;
    const { signal } = options;
    this.signal = signal ? AbortSignal.any([signal, this.#fetched.signal]) : this.#fetched.signal;
    this.#isStillDue = isStillDue;
  }

  /** Another window fetched the hours; they are in the archive. */
  get fetchedElsewhere(): boolean {
    return this.#fetched.signal.aborted && !this.#options.signal?.aborted;
  }

  /** The budget lets nothing go now: whoever has a permit may have the series meanwhile. */
  waits(): void {
    void this.leave();
    if (this.#watch) return;
    const watch = (this.#watch = new AbortController());
    this.#lookOut(watch.signal).catch(() => undefined);
  }

  /** The permit is there: takes the series, unless another window has it, and says whether the request is still needed. */
  async begin(): Promise<Acquired> {
    this.#stopWatching();
    await this.#leaving;
    this.#release ??= this.#impatient ? () => Promise.resolve() : await this.#deps.lock.take(this.#series);
    this.#tell(!this.#release);
    if (!this.#release) return 'busy';
    return (await this.#isStillDue()) ? 'go' : 'unneeded';
  }

  /** Another window has the series: waits until it is done with it, or has fetched the hours, which ends the call. */
  async untilFree(): Promise<void> {
    const { lock, clock } = this.#deps;
    let seen: string | undefined;
    for (let waited = 0; ; waited += busyMs) {
      const isTaken = await lock.isTaken(this.#series);
      const version = await lock.version(this.#series);
      if (version !== seen && !(await this.#isStillDue())) this.#fetched.abort();
      seen = version;
      this.signal.throwIfAborted();
      this.#impatient = waited > patienceMs;
      if (!isTaken || this.#impatient) return;
      await clock.sleep(busyMs, this.signal);
    }
  }

  /** An attempt failed, or has to wait: others may have the series. */
  async leave(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    if (release) this.#leaving = release();
    await this.#leaving;
  }

  /** The answer is in the archive, or the part is given up. */
  async end(): Promise<void> {
    this.#stopWatching();
    await this.leave();
    this.#tell(false);
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

  #tell(shared: boolean): void {
    if (shared !== this.#shared) this.#options.onShared?.(shared);
    this.#shared = shared;
  }

  #stopWatching(): void {
    this.#watch?.abort();
    this.#watch = undefined;
  }
}

/** A holder that died is passed over after this; a living one renews its lock well before. */
const staleMs = 10_000;

/**
 * Lets one window at a time fetch a series: the others wait and find the hours in the archive. Held only while a request is
 * out, never while one waits for the budget. Without a usable folder windows do not know of each other, and the worst is a
 * request too many.
 */
export class SeriesLock {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(deps: { folder: string; clock: Clock; random: Random; logger: Pick<Logger, 'warn'> }) {
    this.#folder = deps.folder;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#logger = deps.logger;
  }

  /** Takes the series, and resolves to the way to give it back; undefined where another has it now. Never waits for it. */
  async take(series: SeriesKey): Promise<(() => Promise<void>) | undefined> {
    const file = this.#fileOf(series);
    try {
      const lock = await takeLock(`${file}.lock`, { clock: this.#clock, random: this.#random, staleMs, patienceMs: 0 });
      return async () => {
        await this.#mark(file);
        await lock.release();
      };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ELOCKED') return undefined;
      this.#logger.warn(`windows cannot take turns (${code ?? 'unknown'})`);
      return () => Promise.resolve();
    }
  }

  /** Whether another has the series now, and lives. */
  async isTaken(series: SeriesKey): Promise<boolean> {
    return isLocked(`${this.#fileOf(series)}.lock`, { clock: this.#clock, staleMs });
  }

  /** A text that changes whenever a window is done with the series: who waits for the budget looks into the archive then. */
  async version(series: SeriesKey): Promise<string> {
    return readFile(`${this.#fileOf(series)}.done`, 'utf8').catch(() => '');
  }

  async #mark(file: string): Promise<void> {
    await writeFile(`${file}.done`, `${this.#clock.now()} ${this.#random()}`, { mode: 0o600 }).catch(() => undefined);
  }

  #fileOf(series: SeriesKey): string {
    return join(this.#folder, createHash('sha256').update(seriesIdentity(series)).digest('hex').slice(0, 24));
  }
}
