import type { Clock, Logger, Random } from '../../core/ports.ts';
import { type SeriesKey, seriesIdentity } from '../../core/query/seriesKey.ts';
import type { Acquired, AttemptGate } from '../client/apiClient.ts';
import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularText } from '../files/regularFile.ts';
import { isLocked, takeLock } from '../files/fileLock.ts';
import { patientFs, type StorageFs } from '../files/fileSystem.ts';

/** The interval at which a run that waits for the budget checks whether another window has fetched its hours. */
const watchMs = 500;
/** The interval at which a run that waits for another window's request checks whether it has ended. */
const busyMs = 100;
/**
 * The maximum time to wait for another window. A response takes at most two minutes on the wire for each page, and is then read and archived. The
 * lease of a window that died ends within seconds. A window that holds a series for longer hangs; then two windows may request the same hours,
 * which is better than none.
 */
const patienceMs = 300_000;

interface SeriesLeaseDeps {
  readonly lock: Pick<SeriesLock, 'take' | 'isTaken' | 'version'>;
  readonly clock: Clock;
}

interface SeriesLeaseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with true when this window waits for the one that holds the series, with false when it continues. */
  readonly onShared?: ((waits: boolean) => void) | undefined;
}

/**
 * Lets one window at a time request hours of a series. A part first acquires a permit, then the series. While it waits for either it holds
 * neither, and checks what other windows fetch, so that it does not wait for a request that is no longer needed. From permit to response it
 * holds the series.
 */
export class SeriesLease implements AttemptGate {
  readonly #deps: SeriesLeaseDeps;
  readonly #series: SeriesKey;
  readonly #options: SeriesLeaseOptions;
  /** Checks in the archive whether the hours are still due. */
  readonly #isStillDue: () => Promise<boolean>;
  readonly #fetched = new AbortController();
  /** Aborted with the query, or when another window has fetched the hours while this one waited. */
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

  /** Whether another window has fetched the hours, which are in the archive. */
  get fetchedElsewhere(): boolean {
    return this.#fetched.signal.aborted && !this.#options.signal?.aborted;
  }

  /** Releases the series while the run waits for a permit, so that a window with a permit may acquire it. */
  waits(): void {
    void this.leave();
    if (this.#watch) return;
    const watch = (this.#watch = new AbortController());
    this.#watchSeries(watch.signal).catch(() => undefined);
  }

  /** Acquires the series, unless another window holds it, and checks whether the request is still needed. */
  async begin(): Promise<Acquired> {
    this.#stopWatching();
    await this.#leaving;
    this.#release ??= this.#isOverdue ? () => Promise.resolve() : await this.#deps.lock.take(this.#series);
    this.#report(!this.#release);
    if (!this.#release) return 'busy';
    return (await this.#isStillDue()) ? 'go' : 'unneeded';
  }

  /** Waits until the window that holds the series releases it, or has fetched the hours, which ends the call. */
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

  /** Releases the series after an attempt has failed or has to wait, so that other windows may acquire it. */
  async leave(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    if (release) this.#leaving = release();
    await this.#leaving;
  }

  /** Ends the lease, once the response is in the archive or the part has failed. */
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
      // The permit may be granted while the archive is read; `begin` decides then.
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

/** The maximum size of a version: an instant and a random number. */
const maxVersionBytes = 100;
/** The age after which the lock of a dead process is ignored; a living process renews it well before. */
const staleMs = 10_000;

interface SeriesLockDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  /** Node's file system by default. */
  readonly fs?: StorageFs;
}

/**
 * Lets one window at a time fetch a series: the others wait and find the hours in the archive. It is held only while a request is in flight,
 * never while one waits for the budget. If the folder is unusable, windows may send redundant requests.
 */
export class SeriesLock {
  readonly #deps: SeriesLockDeps & { readonly fs: StorageFs };

  constructor(deps: SeriesLockDeps) {
    this.#deps = { fs: nodeFs, ...deps };
  }

  /** Acquires the series without waiting. Resolves to a function that releases it; undefined if another window holds it. */
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
      logger.warn(`windows cannot lock a series (${code ?? 'unknown'})`);
      return () => Promise.resolve();
    }
  }

  /** Whether a living process holds the series. */
  async isTaken(series: SeriesKey): Promise<boolean> {
    return isLocked(`${this.#fileOf(series)}.lock`, { staleMs, fs: this.#deps.fs });
  }

  /** Returns a text that changes whenever a window releases the series. Only then must the archive be checked again. */
  async version(series: SeriesKey): Promise<string> {
    return readRegularText(`${this.#fileOf(series)}.done`, maxVersionBytes, this.#deps.fs).catch(() => '');
  }

  #fileOf(series: SeriesKey): string {
    return join(this.#deps.folder, createHash('sha256').update(seriesIdentity(series)).digest('hex').slice(0, 24));
  }
}
