import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Clock, Logger } from '../core/ports.ts';
import { seriesIdentity, type SeriesKey } from '../core/seriesKey.ts';
import { agePastFuture } from './agePastFuture.ts';

const pollMs = 150;
/** A holder that died is passed over after this; a living one renews its lock well before. */
const staleMs = 10_000;
/** Longer than any turn takes: then two windows may ask for the same, which is better than none. */
const patienceMs = 300_000;

/**
 * Lets one window at a time fetch a series: the others wait and find the hours in the archive. Without a usable folder
 * windows do not know of each other, and the worst is a request too many.
 */
export class SeriesLock {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(deps: { folder: string; clock: Clock; logger: Pick<Logger, 'warn'> }) {
    this.#folder = deps.folder;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /** Runs the task while holding the series; waits for its turn, and rejects with `signal.reason` when aborted. */
  async hold<T>(series: SeriesKey, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    const release = await this.#acquire(series, signal);
    try {
      return await task();
    } finally {
      await release();
    }
  }

  async #acquire(series: SeriesKey, signal: AbortSignal | undefined): Promise<() => Promise<void>> {
    const name = createHash('sha256').update(seriesIdentity(series)).digest('hex').slice(0, 24);
    const file = join(this.#folder, name);
    for (let waited = 0; ; waited += pollMs) {
      signal?.throwIfAborted();
      try {
        await mkdir(this.#folder, { recursive: true });
        const free = await lockfile.lock(file, { realpath: false, stale: staleMs, onCompromised: () => undefined });
        // A lock that was taken over meanwhile is no longer ours to release.
        return async () => free().catch(() => undefined);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ELOCKED' || waited > patienceMs) {
          this.#logger.warn(`windows cannot take turns (${code ?? 'unknown'})`);
          return () => Promise.resolve();
        }
      }
      await agePastFuture(`${file}.lock`, this.#clock.now(), staleMs);
      await this.#clock.sleep(pollMs, signal);
    }
  }
}
