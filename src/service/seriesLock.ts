import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Clock, Logger, Random } from '../core/ports.ts';
import { seriesIdentity, type SeriesKey } from '../core/seriesKey.ts';
import { agePastFuture } from './agePastFuture.ts';

const pollMs = 50;
/** A holder that died is passed over after this; a living one renews its lock well before. */
const staleMs = 10_000;
/** About as long as one answer takes at the most: then two windows may ask for the same, which is better than none. */
const patienceMs = 60_000;

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

  /** Waits for the series and resolves to the way to give it back; rejects with `signal.reason` when aborted. */
  async acquire(series: SeriesKey, signal: AbortSignal | undefined): Promise<() => Promise<void>> {
    const file = this.#fileOf(series);
    for (let waited = 0; ;) {
      signal?.throwIfAborted();
      try {
        await mkdir(this.#folder, { recursive: true });
        const free = await lockfile.lock(file, { realpath: false, stale: staleMs, onCompromised: () => undefined });
        return async () => {
          await this.#mark(file);
          // A lock that was taken over meanwhile is no longer ours to release.
          await free().catch(() => undefined);
        };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ELOCKED' || waited > patienceMs) {
          this.#logger.warn(`windows cannot take turns (${code ?? 'unknown'})`);
          return () => Promise.resolve();
        }
      }
      await agePastFuture(`${file}.lock`, this.#clock.now(), staleMs);
      const pause = pollMs * (0.5 + this.#random());
      await this.#clock.sleep(pause, signal);
      waited += pause;
    }
  }

  /** A text that changes whenever a window is done with the series: who waits for the budget looks into the archive then. */
  async version(series: SeriesKey): Promise<string> {
    return readFile(`${this.#fileOf(series)}.done`, 'utf8').catch(() => '');
  }

  async #mark(file: string): Promise<void> {
    await writeFile(`${file}.done`, `${this.#clock.now()} ${this.#random()}`).catch(() => undefined);
  }

  #fileOf(series: SeriesKey): string {
    return join(this.#folder, createHash('sha256').update(seriesIdentity(series)).digest('hex').slice(0, 24));
  }
}
