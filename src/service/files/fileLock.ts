import * as nodeFs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Clock, Random } from '../../core/ports.ts';
import { removeFiles, replaceFile, writeTemporary, type StorageFs } from './fileSystem.ts';

export interface LockOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** A lock that was not renewed for so long (at least 2000 ms) belongs to a process that died; a living one renews it after half of that. */
  readonly staleMs: number;
  /** How long to wait for a living holder; 0: not at all. */
  readonly patienceMs: number;
  /** Called as soon as it is noticed that another process took the lock over. */
  readonly onLost?: () => void;
  /** In place of Node's. */
  readonly fs?: Pick<typeof nodeFs, 'mkdir' | 'rmdir' | 'stat' | 'utimes'>;
}

export interface HeldLock {
  /** False once another took the lock over: this process was too slow, or the computer slept. */
  readonly isOurs: () => Promise<boolean>;
  /** A lock that another process took over stays with that one. */
  readonly release: () => Promise<void>;
}

/**
 * Takes the lock at `path` among all processes, breaking one that a dead process left, and makes its folder where it is
 * missing. Throws the file system's error where locks cannot be made, and ELOCKED where another holds it for too long.
 */
export async function takeLock(path: string, options: LockOptions): Promise<HeldLock> {
  const { clock, random, staleMs, patienceMs, onLost = () => undefined, fs = nodeFs } = options;
  const how = { lockfilePath: path, realpath: false, stale: staleMs, onCompromised: onLost };
  for (let waited = 0, gone = 0; ;) {
    try {
      await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await heldLock(path, await lockfile.lock(path, how), fs);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // ENOENT: the folder was removed between the two steps.
      if (code === 'ENOENT' ? ++gone > 3 : code !== 'ELOCKED' || waited >= patienceMs) throw error;
    }
    await expireFutureLock(path, clock.now(), staleMs, fs);
    const pause = (0.5 + random()) * (2 + Math.min(30, waited / 20));
    await clock.sleep(pause);
    waited += pause;
  }
}

/** Whether a living process holds the lock now. */
export async function isLocked(
  path: string,
  { clock, staleMs }: Pick<LockOptions, 'clock' | 'staleMs'>,
): Promise<boolean> {
  await expireFutureLock(path, clock.now(), staleMs);
  return lockfile.check(path, { lockfilePath: path, realpath: false, stale: staleMs }).catch(() => false);
}

async function heldLock(
  path: string,
  release: () => Promise<void>,
  fs: Pick<typeof nodeFs, 'rmdir' | 'stat'>,
): Promise<HeldLock> {
  // Identifies the lock, whose time the library renews while it is held.
  const signatureOf = async (): Promise<string | undefined> => {
    const found = await fs.stat(path).catch(() => undefined);
    return found && `${found.ino} ${found.birthtimeMs}`;
  };
  const signature = await signatureOf();
  const isOurs = async (): Promise<boolean> => signature !== undefined && (await signatureOf()) === signature;
  return {
    isOurs,
    release: async () => {
      // The library gives up a lock by itself where its time was changed, such as by a clock that was set.
      if (await isOurs()) await release().catch(async () => fs.rmdir(path).catch(() => undefined));
    },
  };
}

/**
 * The lock of a dead process from before the clock was set back would look new until the clock has caught up: one that is
 * dated later than a living holder could have it gets an old date, so that it counts as stale.
 */
async function expireFutureLock(
  path: string,
  now: number,
  staleMs: number,
  fs: Pick<typeof nodeFs, 'stat' | 'utimes'> = nodeFs,
): Promise<void> {
  const found = await fs.stat(path).catch(() => undefined);
  if (!found || found.mtimeMs < now + 2 * staleMs) return;
  const past = new Date(now - 2 * staleMs);
  await fs.utimes(path, past, past).catch(() => undefined);
}

const folderPatienceMs = 30_000;

/** One writer at a time in a folder, among all windows. */
export class FolderLock {
  readonly #options: Omit<LockOptions, 'patienceMs' | 'fs'> & { readonly fs: StorageFs };
  /** The tasks of this process for each folder: windows poll for the lock, tasks of one window queue. */
  readonly #queues = new Map<string, SerialQueue>();

  constructor(options: Omit<LockOptions, 'patienceMs' | 'fs'> & { readonly fs: StorageFs }) {
    this.#options = options;
  }

  /** Makes the folder, and runs the task as its only writer. Throws what the task or the file system throws. */
  async hold<T>(folder: string, task: (isOurs: HeldLock['isOurs']) => Promise<T>): Promise<T> {
    const queue = this.#queues.get(folder) ?? new SerialQueue();
    this.#queues.set(folder, queue);
    try {
      return await queue.run(async () => {
        const lock = await takeLock(join(folder, 'write.lock'), { ...this.#options, patienceMs: folderPatienceMs });
        try {
          return await task(lock.isOurs);
        } finally {
          await lock.release();
        }
      });
    } finally {
      if (queue.isIdle) this.#queues.delete(folder);
    }
  }

  /**
   * Replaces a small file as a whole while its folder is held: a write that breaks off leaves the old one. Throws what the
   * file system throws, and an Error with the code ELOST where another window took the lock over meanwhile.
   */
  async replaceText(path: string, text: string, isOurs: HeldLock['isOurs']): Promise<void> {
    const { fs, clock } = this.#options;
    const temporary = await writeTemporary(fs, path, text);
    try {
      // Another window may have written meanwhile, where this one was so slow that it was taken for dead.
      if (!(await isOurs())) throw Object.assign(new Error('the lock was lost'), { code: 'ELOST' });
      await replaceFile(fs, temporary, path, clock);
    } catch (error) {
      await removeFiles(fs, [temporary]);
      throw error;
    }
  }
}

/** Runs tasks one after the other; one that fails does not hold up the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** What the task resolves to, or throws. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    this.#pending++;
    const result = this.#last.then(task).finally(() => this.#pending--);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
