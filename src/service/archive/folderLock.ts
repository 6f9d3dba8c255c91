import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Clock, Random } from '../../core/ports.ts';
import { expireFutureLock } from '../files/expireFutureLock.ts';
import { codeOf, type ArchiveFs } from './archiveFs.ts';

const lockName = 'write.lock';
const patienceMs = 30_000;
const pollMs = 10;

/** Says whether the lock is still ours: a computer that slept may have lost it. */
export type StillOurs = () => Promise<boolean>;

/** Nobody could write for longer than anything takes; `code` as file system errors have it. */
class BusyError extends Error {
  readonly code = 'EBUSY';
}

/** One writer at a time in a folder, among all windows. */
export class FolderLock {
  readonly #fs: ArchiveFs;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #staleMs: number;
  /** The last task of this process in each folder: windows poll, tasks of one window queue. */
  readonly #queues = new Map<string, Promise<unknown>>();

  /** A holder that died is passed over after `staleMs` (at least 2000); a living one renews its lock at half of it. */
  constructor(deps: { fs: ArchiveFs; clock: Clock; random: Random; staleMs: number }) {
    this.#fs = deps.fs;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#staleMs = deps.staleMs;
  }

  /** Makes the folder, and runs the task as its only writer. Throws what the task or the file system throws. */
  async hold<T>(folder: string, task: (stillOurs: StillOurs) => Promise<T>): Promise<T> {
    const before = this.#queues.get(folder) ?? Promise.resolve();
    const turn = before.then(() => this.#holdAmongWindows(folder, task));
    const settled = turn.catch(() => undefined);
    this.#queues.set(folder, settled);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(folder) === settled) this.#queues.delete(folder);
    }
  }

  async #holdAmongWindows<T>(folder: string, task: (stillOurs: StillOurs) => Promise<T>): Promise<T> {
    const lockfilePath = join(folder, lockName);
    const free = await this.#acquire(folder, lockfilePath);
    const identity = await this.#identity(lockfilePath);
    const stillOurs: StillOurs = async () => (await this.#identity(lockfilePath)) === identity;
    try {
      return await task(stillOurs);
    } finally {
      // A lock that was taken over is no longer ours to remove; the library notices by itself and lets go.
      if (await stillOurs()) await this.#free(free, lockfilePath);
    }
  }

  async #acquire(folder: string, lockfilePath: string): Promise<() => Promise<void>> {
    const options = { lockfilePath, realpath: false, stale: this.#staleMs, onCompromised: () => undefined };
    const deadline = this.#clock.now() + patienceMs;
    for (let gone = 0; ;) {
      try {
        await this.#fs.mkdir(folder, { recursive: true, mode: 0o700 });
        return await lockfile.lock(folder, options);
      } catch (error) {
        const code = codeOf(error);
        // Gone: the folder was cleared between the two steps.
        if (code !== 'ELOCKED' && (code !== 'ENOENT' || ++gone > 3)) throw error;
        if (this.#clock.now() > deadline) throw new BusyError('another window does not stop writing');
      }
      await expireFutureLock(lockfilePath, this.#clock.now(), this.#staleMs, this.#fs);
      await this.#clock.sleep(pollMs * (1 + 3 * this.#random()));
    }
  }

  /** The library may have let go of a lock that is still there: one whose time was changed, by a clock that was set. */
  async #free(free: () => Promise<void>, lockfilePath: string): Promise<void> {
    await free().catch(() => this.#fs.rmdir(lockfilePath).catch(() => undefined));
  }

  /** Which lock it is, not how fresh: proper-lockfile renews its time, and a window that takes it over makes a new one. */
  async #identity(lockfilePath: string): Promise<string> {
    try {
      const { ino, birthtimeMs } = await this.#fs.stat(lockfilePath);
      return `${ino} ${birthtimeMs}`;
    } catch (error) {
      return `lost (${codeOf(error) ?? 'unknown'})`;
    }
  }
}
