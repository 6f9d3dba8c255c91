import type { Clock, Logger, Random } from '../../core/ports.ts';
import { type SeriesKey, seriesIdentity } from '../../core/query/seriesKey.ts';
import type { Acquired, AttemptGate } from '../client/apiClient.ts';
import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularText } from '../files/regularFile.ts';
import { isLocked, takeLock } from '../files/fileLock.ts';
import { patientFs, type StorageFs } from '../files/fileSystem.ts';

/** How often a run that waits for the budget checks whether another window fetched the same. */
const watchMs = 500;
/** How often a run that waits for another window's request checks whether it is over. */
const busyMs = 100;
/**
 * A response takes two minutes on the wire at most, and is then read and archived; one of several pages takes as long for each.
 * The lease of a window that died ends within seconds: a window that holds a series for longer hangs, and then two windows
 * may request the same, which is better than none.
 */
const patienceMs = 300_000;

interface SeriesLeaseDeps {
  readonly lock: Pick<SeriesLock, 'take' | 'isTaken' | 'version'>;
  readonly clock: Clock;
}

interface SeriesLeaseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with true when this window waits for another that has the series, with false when it continues. */
  readonly onShared?: ((waits: boolean) => void) | undefined;
}

/**
 * Lets one window at a time request hours of a series. A part first gets a permit, then the series. While it waits for either it
 * holds neither, and checks what other windows fetch, so that nobody waits for a request that is no longer needed; from permit to
 * response it holds the series.
 */
export class SeriesLease implements AttemptGate {
  readonly #deps: SeriesLeaseDeps;
  readonly #series: SeriesKey;
  readonly #options: SeriesLeaseOptions;
  /** Checks the archive. */
  readonly #isStillDue: () => Promise<boolean>;
  readonly #fetched = new AbortController();
  /** Aborted when the query is, or when another window fetched the hours while this one waited. */
  readonly signal: AbortSignal;
  #watch: AbortController | undefined;
  #release: (() => Promise<void>) | undefined;
  #leaving: Promise<void> = Promise.resolve();
  #shared = false;
  #isOverdue = false;

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

  /** The run waits for a permit: a window that has one may take the series meanwhile. */
  waits(): void {
    void this.leave();
    if (this.#watch) return;
    const watch = (this.#watch = new AbortController());
    this.#watchSeries(watch.signal).catch(() => undefined);
  }

  /** With a permit: takes the series, unless another window has it, and checks whether the request is still needed. */
  async begin(): Promise<Acquired> {
    this.#stopWatching();
    await this.#leaving;
    this.#release ??= this.#isOverdue ? () => Promise.resolve() : await this.#deps.lock.take(this.#series);
    this.#report(!this.#release);
    if (!this.#release) return 'busy';
    return (await this.#isStillDue()) ? 'go' : 'unneeded';
  }

  /** Another window has the series: waits until it releases it, or has fetched the hours, which ends the call. */
  async untilFree(): Promise<void> {
    const { lock, clock } = this.#deps;
    let seen: string | undefined;
    for (let waited = 0; ; waited += busyMs) {
      const isTaken = await lock.isTaken(this.#series);
      const version = await lock.version(this.#series);
      if (version !== seen && !(await this.#isStillDue())) this.#fetched.abort();
      seen = version;
      this.signal.throwIfAborted();
      this.#isOverdue = waited > patienceMs;
      if (!isTaken || this.#isOverdue) return;
      await clock.sleep(busyMs, this.signal);
    }
  }

  /** An attempt failed, or has to wait: other windows may take the series. */
  async leave(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    if (release) this.#leaving = release();
    await this.#leaving;
  }

  /** The response is in the archive, or the part is given up. */
  async end(): Promise<void> {
    this.#stopWatching();
    await this.leave();
    this.#report(false);
  }

  async #watchSeries(watch: AbortSignal): Promise<void> {
    const { lock, clock } = this.#deps;
    let seen: string | undefined;
    const isOver = (): boolean => watch.aborted;
    while (!isOver()) {
      const version = await lock.version(this.#series);
      // The permit may come while the archive is read: then `begin` decides.
      if (version !== seen && !(await this.#isStillDue()) && !isOver()) this.#fetched.abort();
      seen = version;
      await clock.sleep(watchMs, watch);
    }
  }

  #report(shared: boolean): void {
    if (shared !== this.#shared) this.#options.onShared?.(shared);
    this.#shared = shared;
  }

  #stopWatching(): void {
    this.#watch?.abort();
    this.#watch = undefined;
  }
}

/** An instant and a random number. */
const maxVersionBytes = 100;
/** The lock of a process that died is ignored after this; a living one renews it well before. */
const staleMs = 10_000;

interface SeriesLockDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  /** In place of Node's. */
  readonly fs?: StorageFs;
}

/**
 * Lets one window at a time fetch a series: the others wait and find the hours in the archive. Held only while a request is
 * in flight, never while one waits for the budget. Without a usable folder, windows may send a request too many.
 */
export class SeriesLock {
  readonly #deps: SeriesLockDeps & { readonly fs: StorageFs };

  constructor(deps: SeriesLockDeps) {
    this.#deps = { fs: nodeFs, ...deps };
  }

  /** Takes the series, and resolves to a function that releases it; undefined where another window has it now. Never waits for it. */
  async take(series: SeriesKey): Promise<(() => Promise<void>) | undefined> {
    const file = this.#fileOf(series);
    const { clock, random, logger, fs } = this.#deps;
    try {
      const lock = await takeLock(`${file}.lock`, { clock, random, staleMs, patienceMs: 0, fs });
      return async () => {
        const done = patientFs(fs, clock).writeFile(`${file}.done`, `${clock.now()} ${random()}`, { mode: 0o600 });
        await done.catch(() => undefined);
        await lock.release();
      };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ELOCKED') return undefined;
      logger.warn(`windows cannot take turns (${code ?? 'unknown'})`);
      return () => Promise.resolve();
    }
  }

  /** Whether a living process has the series now. */
  async isTaken(series: SeriesKey): Promise<boolean> {
    return isLocked(`${this.#fileOf(series)}.lock`, { staleMs, fs: this.#deps.fs });
  }

  /** A text that changes whenever a window releases the series: only then does the archive need to be checked again. */
  async version(series: SeriesKey): Promise<string> {
    return readRegularText(`${this.#fileOf(series)}.done`, maxVersionBytes, this.#deps.fs).catch(() => '');
  }

  #fileOf(series: SeriesKey): string {
    return join(this.#deps.folder, createHash('sha256').update(seriesIdentity(series)).digest('hex').slice(0, 24));
  }
}
