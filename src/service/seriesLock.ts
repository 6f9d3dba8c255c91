import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Clock, Logger, Random } from '../core/ports.ts';
import { seriesIdentity, type SeriesKey } from '../core/seriesKey.ts';
import { agePastFuture } from './agePastFuture.ts';

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
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const free = await lockfile.lock(file, { realpath: false, stale: staleMs, onCompromised: () => undefined });
      return async () => {
        await this.#mark(file);
        // A lock that was taken over meanwhile is no longer ours to release.
        await free().catch(() => undefined);
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
    const file = this.#fileOf(series);
    await agePastFuture(`${file}.lock`, this.#clock.now(), staleMs);
    return lockfile.check(file, { realpath: false, stale: staleMs }).catch(() => false);
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
