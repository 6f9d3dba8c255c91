import { join } from 'node:path';
import { takeLock, type HeldLock, type LockOptions } from '../files/fileLock.ts';

const patienceMs = 30_000;

/** Says whether the lock is still ours: a computer that slept may have lost it. */
export type StillOurs = HeldLock['isOurs'];

/** One writer at a time in a folder, among all windows. */
export class FolderLock {
  readonly #deps: Omit<LockOptions, 'patienceMs'>;
  /** The last task of this process in each folder: windows poll, tasks of one window queue. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(deps: Omit<LockOptions, 'patienceMs'>) {
    this.#deps = deps;
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
    const lock = await takeLock(join(folder, 'write.lock'), { ...this.#deps, patienceMs });
    try {
      return await task(lock.isOurs);
    } finally {
      await lock.release();
    }
  }
}
