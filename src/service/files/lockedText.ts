import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Random } from '../../core/ports.ts';
import { maxStoredBytes } from '../../core/storedNames.ts';
import { FolderLock } from './fileLock.ts';
import { getErrorCode, createRetryingFs, ignoreMissing, type StorageFs } from './fileSystem.ts';
import { readRegularTextFile } from './regularFile.ts';

const maxAttempts = 5;
/** The age after which a lock is stale, longer than any write of a small file. */
const staleMs = 5_000;

/** A small text that all windows of a profile share. */
export interface SharedText {
  /** Reads the text; undefined if there is none yet. */
  read(): Promise<string | undefined>;
  /**
   * Calls `update` with the text, in one window at a time, and replaces the text by its result, unless that is undefined. `update` is called again
   * if the text has changed meanwhile. Rejects with the file system's errors.
   */
  change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void>;
  /** Backs up a damaged text. Returns its location. */
  backUp(text: string): Promise<string>;
}

/** A file that is changed under its folder's lock, and replaced by renaming: an interrupted write preserves the old file. */
export class LockedText implements SharedText {
  readonly #path: string;
  readonly #fs: StorageFs;
  readonly #lock: FolderLock;

  constructor(deps: { path: string; clock: Clock; random: Random; fs?: StorageFs }) {
    const { path, clock, random, fs = nodeFs } = deps;
    this.#path = path;
    this.#fs = createRetryingFs(fs, clock);
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
  }

  async read(): Promise<string | undefined> {
    // A file that is too large stays unchanged; the caller reports that it cannot be used.
    return ignoreMissing(readRegularTextFile(this.#path, maxStoredBytes, this.#fs));
  }

  async change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#lock.runLocked(dirname(this.#path), async isHeld => {
          const next = await update(await this.read());
          if (next !== undefined) await this.#lock.replaceText(this.#path, next, isHeld);
        });
        return;
      } catch (error) {
        if (getErrorCode(error) !== 'ELOST' || attempt === maxAttempts) throw error;
      }
    }
  }

  /** Backs up the text under a name from its hash, so that several windows back up the same damage only once. */
  async backUp(text: string): Promise<string> {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
    const path = `${this.#path.replace(/\.json$/, '')}.damaged-${hash}.json`;
    await this.#fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await this.#fs.writeFile(path, text, { mode: 0o600, flush: true });
    return path;
  }
}
