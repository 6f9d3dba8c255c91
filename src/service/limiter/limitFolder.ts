import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import {
  getErrorCode,
  createRetryingFs,
  removeFiles,
  createTemporaryName,
  type StorageFs,
} from '../files/fileSystem.ts';
import { isUnexpectedFile, readRegularTextFile } from '../files/regularFile.ts';
import { mergeRemembered, emptyKeyState, parseKeyState, restoreState, type KeyState } from './keyState.ts';
import type { LimitStore } from './limiter.ts';
import { acquireLock } from '../files/fileLock.ts';

interface LimitFolderDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called once, when the folder is unusable. */
  readonly onUnshared?: (() => void) | undefined;
  /** Called once, when a file is damaged. */
  readonly onDamaged?: (() => void) | undefined;
  /** Node's file system by default. */
  readonly fs?: StorageFs;
}

/**
 * The maximum size of a file. A slot takes some 110 bytes, and two scopes have at most 1,000 each; a queued request takes 70, and a window has at
 * most 500 in each scope, so eleven windows can wait. Parsing several megabytes at each request would block the host noticeably.
 */
const maxBytes = 2 ** 20;

/** The age after which a lock is stale. A living process holds it for milliseconds. */
const staleMs = 2_000;
const lockTimeoutMs = 10_000;

interface Job {
  /** Changes the state, and returns a callback for when it is stored. */
  readonly run: (state: KeyState) => () => void;
  readonly fail: (error: unknown) => void;
}

/** The file of a key, and the state of this process for it. */
interface KeyFile {
  readonly path: string;
  jobs: Job[];
  /** The state as last stored, used if the file is lost or cannot be written. */
  lastState: KeyState;
  /** Whether the last write failed. */
  isDetached: boolean;
  draining: Promise<void> | undefined;
}

/**
 * Stores a small file for each key in a folder that all windows share, changed under a lock and replaced as a whole. While the folder is
 * unusable, each window counts separately.
 */
export class LimitFolder implements LimitStore {
  readonly #deps: LimitFolderDeps;
  readonly #fs: StorageFs;
  readonly #files = new Map<string, KeyFile>();
  #hasReported = false;
  #hasReportedDamage = false;

  constructor(deps: LimitFolderDeps) {
    this.#deps = deps;
    this.#fs = createRetryingFs(deps.fs ?? nodeFs, deps.clock);
  }

  update<T>(fingerprint: string, change: (state: KeyState) => T): Promise<T> {
    const file = this.#getFile(fingerprint);
    return new Promise((resolve, reject) => {
      const run = (state: KeyState) => {
        const result = change(state);
        return () => resolve(result);
      };
      file.jobs.push({ run, fail: reject });
      file.draining ??= this.#drain(file);
    });
  }

  async read(fingerprint: string): Promise<KeyState> {
    const file = this.#getFile(fingerprint);
    await file.draining;
    const state = file.isDetached ? undefined : await this.#read(file.path).catch(() => undefined);
    return state ?? structuredClone(file.lastState);
  }

  #getFile(fingerprint: string): KeyFile {
    let file = this.#files.get(fingerprint);
    if (!file) {
      const path = join(this.#deps.folder, `${fingerprint}.json`);
      file = { path, jobs: [], lastState: emptyKeyState(), isDetached: false, draining: undefined };
      this.#files.set(fingerprint, file);
    }
    return file;
  }

  async #drain(file: KeyFile): Promise<void> {
    // Updates of the same task share one write.
    await Promise.resolve();
    while (file.jobs.length > 0) {
      try {
        await this.#commit(file);
      } catch (error) {
        this.#detach(file, error);
      }
    }
    file.draining = undefined;
  }

  async #commit(file: KeyFile): Promise<void> {
    const { clock, random, fs = nodeFs } = this.#deps;
    const lock = await acquireLock(`${file.path}.lock`, { clock, random, staleMs, patienceMs: lockTimeoutMs, fs });
    let temporary: string | undefined;
    try {
      const state = await this.#readCurrentState(file);
      const jobs = [...file.jobs];
      const callbacks = runAll(jobs, state);
      // The name is unique, since two windows may write at once if a lock was lost.
      temporary = createTemporaryName(file.path);
      await this.#fs.writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
      // This process was so slow that it seemed dead, so its state is no longer the newest.
      if (!(await lock.isHeld())) return;
      await this.#fs.rename(temporary, file.path);
      temporary = undefined;
      file.jobs = file.jobs.slice(jobs.length);
      file.lastState = state;
      file.isDetached = false;
      for (const callback of callbacks) callback();
    } finally {
      if (temporary !== undefined) await removeFiles(this.#fs, [temporary]);
      await lock.release();
    }
  }

  async #readCurrentState(file: KeyFile): Promise<KeyState> {
    const state = await this.#read(file.path);
    if (!state) return restoreState(file.lastState);
    if (file.isDetached) mergeRemembered(state, file.lastState);
    return state;
  }

  /** Reads a file; undefined if it is missing or damaged. Throws the file system's errors. */
  async #read(path: string): Promise<KeyState | undefined> {
    const text = await readRegularTextFile(path, maxBytes, this.#fs).catch((error: unknown) => {
      if (getErrorCode(error) === 'ENOENT') return undefined;
      if (isUnexpectedFile(error)) return '';
      throw error;
    });
    const state = text === undefined ? undefined : parseKeyState(text);
    if (text !== undefined && !state && !this.#hasReportedDamage) {
      this.#hasReportedDamage = true;
      this.#deps.logger.warn('a file of request budgets is damaged and was replaced');
      this.#deps.onDamaged?.();
    }
    return state;
  }

  #detach(file: KeyFile, error: unknown): void {
    const { code } = error as NodeJS.ErrnoException;
    if (!this.#hasReported) {
      this.#deps.logger.warn(`request budgets cannot be shared between windows (${code ?? 'unknown'})`);
      this.#deps.onUnshared?.();
    }
    this.#hasReported = true;
    file.isDetached = true;
    file.lastState.alone = true;
    for (const callback of runAll(file.jobs.splice(0), file.lastState)) callback();
  }
}

/** Runs all jobs. The error of a job is reported by its callback, and does not affect the others. */
function runAll(jobs: readonly Job[], state: KeyState): (() => void)[] {
  return jobs.map(job => {
    try {
      return job.run(state);
    } catch (error) {
      return () => job.fail(error);
    }
  });
}
