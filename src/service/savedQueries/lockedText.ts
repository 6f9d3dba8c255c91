import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Random } from '../../core/ports.ts';
import { maxStoredBytes } from '../../core/storedNames.ts';
import { FolderLock } from '../files/fileLock.ts';
import { codeOf, patientFs, unlessGone, type StorageFs } from '../files/fileSystem.ts';
import { readRegularText } from '../files/regularFile.ts';

const attempts = 5;
/** Longer than any write of a small file takes. */
const staleMs = 5_000;

/** One small text that all windows of a profile share. */
export interface SharedText {
  /** Undefined where there is none yet. */
  read(): Promise<string | undefined>;
  /**
   * Calls `update` with the text, in one window at a time, and replaces the text as a whole by what it returns; undefined
   * leaves it. `update` is called again where the text changed meanwhile. Rejects with the file system's errors.
   */
  change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void>;
  /** Backs up a text that could not be read, and returns where. */
  keepAside(text: string): Promise<string>;
}

/** A file that is changed under its folder's lock, and replaced by renaming: a write that breaks off leaves the old one. */
export class LockedText implements SharedText {
  readonly #path: string;
  readonly #fs: StorageFs;
  readonly #lock: FolderLock;

  constructor(deps: { path: string; clock: Clock; random: Random; fs?: StorageFs }) {
    const { path, clock, random, fs = nodeFs } = deps;
    this.#path = path;
    this.#fs = patientFs(fs, clock);
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
  }

  async read(): Promise<string | undefined> {
    // One that is too large stays as it is; the caller reports that it cannot be used.
    return unlessGone(readRegularText(this.#path, maxStoredBytes, this.#fs));
  }

  async change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#lock.hold(dirname(this.#path), async isOurs => {
          const next = await update(await this.read());
          if (next !== undefined) await this.#lock.replaceText(this.#path, next, isOurs);
        });
        return;
      } catch (error) {
        if (codeOf(error) !== 'ELOST' || attempt === attempts) throw error;
      }
    }
  }

  /** Named by what is in it, so that windows which find the same damage back it up once. */
  async keepAside(text: string): Promise<string> {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
    const path = `${this.#path.replace(/\.json$/, '')}.damaged-${hash}.json`;
    await this.#fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await this.#fs.writeFile(path, text, { mode: 0o600, flush: true });
    return path;
  }
}

/** What the person should know about stored data. */
export type StoreProblem =
  /** Some of it could not be read; the original is backed up in a file (or under a name in the state). */
  | {
      readonly problem: 'damaged';
      readonly where: 'file' | 'state';
      readonly unreadable: number | 'all';
      readonly keptAs: string;
    }
  /** Written by a later version of the extension: it is shown, and not changed. */
  | { readonly problem: 'newerVersion'; readonly where: 'file' | 'state' }
  /** The file cannot be used (`code` of the system): for now, other windows do not see changes of this one. */
  | { readonly problem: 'fileUnusable'; readonly code: string };

/** Adds a problem, unless it is there already. */
export function withProblem(problems: readonly StoreProblem[], problem: StoreProblem): readonly StoreProblem[] {
  const isKnown = problems.some(known => JSON.stringify(known) === JSON.stringify(problem));
  return isKnown ? problems : [...problems, problem];
}
