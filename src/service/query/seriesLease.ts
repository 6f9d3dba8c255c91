import type { Clock, Logger, Random } from '../../core/ports.ts';
import { type SeriesKey, getSeriesIdentity } from '../../core/query/seriesKey.ts';
import type { GateResult, AttemptGate } from '../client/apiClient.ts';
import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularTextFile } from '../files/regularFile.ts';
import { isLocked, acquireLock } from '../files/fileLock.ts';
import { createRetryingFs, type StorageFs } from '../files/fileSystem.ts';

/** The interval at which a run that waits for the budget checks whether another window has fetched its hours. */
const permitPollMs = 500;
/** The interval at which a run that waits for another window's request checks whether it has ended. */
const busyPollMs = 100;
/**
 * The maximum time to wait for another window. A response takes at most two minutes on the wire for each page, and is then read and archived. The
 * lease of a window that died ends within seconds. A window that holds a series for longer has probably hung. Then two windows may request
 * the same hours, which is better than no window requesting them.
 */
const maxWaitMs = 300_000;

interface SeriesLeaseDeps {
  readonly lock: Pick<SeriesLock, 'acquire' | 'isHeldElsewhere' | 'readVersion'>;
  readonly clock: Clock;
}

interface SeriesLeaseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with true when this window starts to wait for the window that holds the series, and with false when it continues. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
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
  #watcher: AbortController | undefined;
  #release: (() => Promise<void>) | undefined;
  #releasing: Promise<void> = Promise.resolve();
  #isWaiting = false;
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
  get isFetchedElsewhere(): boolean {
    return this.#fetched.signal.aborted && !this.#options.signal?.aborted;
  }

  /** Releases the series while the run waits for a permit, so that a window with a permit may acquire it. */
  waitForPermit(): void {
    void this.leave();
    if (this.#watcher) return;
    const watch = (this.#watcher = new AbortController());
    this.#watchSeries(watch.signal).catch(() => undefined);
  }

  /** Acquires the series, unless another window holds it, and checks whether the request is still needed. */
  async enter(): Promise<GateResult> {
    this.#stopWatching();
    await this.#releasing;
    this.#release ??= this.#isOverdue ? () => Promise.resolve() : await this.#deps.lock.acquire(this.#series);
    this.#reportWaiting(!this.#release);
    if (!this.#release) return 'busy';
    return (await this.#isStillDue()) ? 'go' : 'unneeded';
  }

  /** Waits until the window that holds the series releases it, or has fetched the hours, which ends the call. */
  async waitUntilFree(): Promise<void> {
    const { lock, clock } = this.#deps;
    let lastVersion: string | undefined;
    for (let waited = 0; ; waited += busyPollMs) {
      const isHeldElsewhere = await lock.isHeldElsewhere(this.#series);
      const version = await lock.readVersion(this.#series);
      if (version !== lastVersion && !(await this.#isStillDue())) this.#fetched.abort();
      lastVersion = version;
      this.signal.throwIfAborted();
      this.#isOverdue = waited > maxWaitMs;
      if (!isHeldElsewhere || this.#isOverdue) return;
      await clock.sleep(busyPollMs, this.signal);
    }
  }

  /** Releases the series after an attempt has failed or has to wait, so that other windows may acquire it. */
  async leave(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    if (release) this.#releasing = release();
    await this.#releasing;
  }

  /** Ends the lease, once the response is in the archive or the part has failed. */
  async end(): Promise<void> {
    this.#stopWatching();
    await this.leave();
    this.#reportWaiting(false);
  }

  async #watchSeries(watch: AbortSignal): Promise<void> {
    const { lock, clock } = this.#deps;
    let lastVersion: string | undefined;
    const isOver = (): boolean => watch.aborted;
    while (!isOver()) {
      const version = await lock.readVersion(this.#series);
      // The permit may be granted while the archive is read; `enter` decides then.
      if (version !== lastVersion && !(await this.#isStillDue()) && !isOver()) this.#fetched.abort();
      lastVersion = version;
      await clock.sleep(permitPollMs, watch);
    }
  }

  #reportWaiting(isWaiting: boolean): void {
    if (isWaiting !== this.#isWaiting) this.#options.onWaiting?.(isWaiting);
    this.#isWaiting = isWaiting;
  }

  #stopWatching(): void {
    this.#watcher?.abort();
    this.#watcher = undefined;
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
  async acquire(series: SeriesKey): Promise<(() => Promise<void>) | undefined> {
    const file = this.#getFile(series);
    const { clock, random, logger, fs } = this.#deps;
    try {
      const lock = await acquireLock(`${file}.lock`, { clock, random, staleMs, patienceMs: 0, fs });
      return async () => {
        const done = createRetryingFs(fs, clock).writeFile(`${file}.done`, `${clock.now()} ${random()}`, {
          mode: 0o600,
        });
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
  async isHeldElsewhere(series: SeriesKey): Promise<boolean> {
    return isLocked(`${this.#getFile(series)}.lock`, { staleMs, fs: this.#deps.fs });
  }

  /** Returns a text that changes whenever a window releases the series. Only then must the archive be checked again. */
  async readVersion(series: SeriesKey): Promise<string> {
    return readRegularTextFile(`${this.#getFile(series)}.done`, maxVersionBytes, this.#deps.fs).catch(() => '');
  }

  #getFile(series: SeriesKey): string {
    return join(this.#deps.folder, createHash('sha256').update(getSeriesIdentity(series)).digest('hex').slice(0, 24));
  }
}
