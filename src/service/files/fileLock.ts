import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock, Random } from '../../core/ports.ts';
import {
  getErrorCode,
  createRetryingFs,
  removeFiles,
  retryWhileBusy,
  ignoreMissing,
  writeTemporary,
  type StorageFs,
} from './fileSystem.ts';

type LockFs = Pick<typeof nodeFs, 'mkdir' | 'readdir' | 'rmdir' | 'stat' | 'unlink' | 'utimes' | 'writeFile'>;

export interface LockOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The age after which a lock that was not renewed belongs to a dead process. A living process renews it after a third of this time. */
  readonly staleMs: number;
  /** How long to wait for a living holder; 0 for not at all. */
  readonly patienceMs: number;
  /** Called once, when it is detected that another process has acquired the lock. */
  readonly onLost?: () => void;
  /** Node's file system by default. */
  readonly fs?: LockFs;
  /** The machine's time by default. It is independent of `clock`, since other processes compare the age of a lock with their machine's time. */
  readonly now?: () => number;
}

// Other processes use the machine's time for the same locks.
// oxlint-disable-next-line no-restricted-properties
const getMachineTime = (): number => Date.now();

export interface HeldLock {
  /** Returns false once another process has acquired the lock, because this one was too slow or the computer slept. Throws the file system's errors. */
  readonly isHeld: () => Promise<boolean>;
  /** Releases the lock, unless another process has acquired it. */
  readonly release: () => Promise<void>;
}

/**
 * Acquires the lock at `path` among all processes, breaking a lock that a dead process left, and creates its folder if it is missing. Throws the
 * file system's error if locks cannot be created, and ELOCKED if another process holds it for too long.
 *
 * A lock is a folder with an empty file that is named after the owner. A process that finds the owner dead removes that file by its name,
 * which no later owner has. Only a folder without an owner can be removed, and the lock is acquired if the folder has no other file. So two
 * processes never hold the lock, in whatever order their operations run. Earlier versions use an empty folder of the same name and age as their
 * lock, and neither version acquires a lock of the other.
 */
export async function acquireLock(path: string, options: LockOptions): Promise<HeldLock> {
  const { clock, random, patienceMs, fs = nodeFs, now = getMachineTime } = options;
  const lockOptions = { ...options, fs, now };
  const owner = join(path, randomUUID());
  // ENOENT is transient: another process may remove a file between two operations.
  const attemptToAcquire = async (): Promise<boolean> =>
    retryWhileBusy(async () => tryAcquire(owner, lockOptions), clock, 'ENOENT');
  for (let waited = 0; !(await attemptToAcquire());) {
    if (waited >= patienceMs) throw Object.assign(new Error('another process holds the lock'), { code: 'ELOCKED' });
    const pause = (0.5 + random()) * (2 + Math.min(30, waited / 20));
    await clock.sleep(pause);
    waited += pause;
  }
  return createHeldLock(owner, lockOptions);
}

/** Whether a living process holds the lock now. */
export async function isLocked(
  path: string,
  { staleMs, fs = nodeFs, now = getMachineTime }: Pick<LockOptions, 'staleMs' | 'fs' | 'now'>,
): Promise<boolean> {
  const stat = await fs.stat(path).catch(() => undefined);
  return stat !== undefined && !isStale(stat.mtimeMs, now(), staleMs);
}

/** Whether a lock is stale. A renewal in the future is from before the clock was set back. */
function isStale(renewedAt: number, now: number, staleMs: number): boolean {
  return renewedAt < now - staleMs || renewedAt > now + 2 * staleMs;
}

type ResolvedLockOptions = LockOptions & Required<Pick<LockOptions, 'fs' | 'now'>>;

/** Makes one attempt. Also throws transient errors: a folder that is being removed rejects all operations. */
async function tryAcquire(owner: string, options: ResolvedLockOptions): Promise<boolean> {
  const { clock, fs } = options;
  const path = dirname(owner);
  await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (
    !(await createLockFolder(path, fs)) &&
    !((await breakStaleLock(path, options)) && (await createLockFolder(path, fs)))
  )
    return false;
  let isHeld = false;
  try {
    await fs.writeFile(owner, '', { mode: 0o600 });
    await renewLock(path, options);
    isHeld = (await fs.readdir(path)).join() === basename(owner);
    return isHeld;
  } finally {
    if (!isHeld) {
      await removeOwner(owner, clock, fs).catch(() => undefined);
      await retryWhileBusy(async () => fs.rmdir(path), clock).catch(() => undefined);
    }
  }
}

async function createLockFolder(path: string, fs: LockFs): Promise<boolean> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a dead process. The owner is read before the age, so that a lock that gets a new owner meanwhile is not stale. */
async function breakStaleLock(path: string, { staleMs, fs, now }: ResolvedLockOptions): Promise<boolean> {
  const owners = await fs.readdir(path);
  if (!isStale((await fs.stat(path)).mtimeMs, now(), staleMs)) return false;
  for (const owner of owners) await ignoreMissing(fs.unlink(join(path, owner)));
  try {
    await ignoreMissing(fs.rmdir(path));
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'ENOTEMPTY') return false;
    throw error;
  }
}

/** Renews the lock with this machine's time, since a network disk may have another clock. */
async function renewLock(path: string, { fs, now }: ResolvedLockOptions): Promise<void> {
  const seconds = now() / 1000;
  await fs.utimes(path, seconds, seconds);
}

/** Removes the owner's file. Returns false if it did not exist. */
async function removeOwner(owner: string, clock: Clock, fs: LockFs): Promise<boolean> {
  const unlinkOwner = async (): Promise<boolean> => fs.unlink(owner).then(() => true);
  return (await retryWhileBusy(async () => ignoreMissing(unlinkOwner()), clock)) ?? false;
}

function createHeldLock(owner: string, options: ResolvedLockOptions): HeldLock {
  const { clock, staleMs, onLost, fs } = options;
  const path = dirname(owner);
  const isHeld = async (): Promise<boolean> =>
    retryWhileBusy(async () => (await ignoreMissing(fs.stat(owner))) !== undefined, clock);
  let hasEnded = false;
  const renewOrEnd = async (): Promise<void> => {
    if (await isHeld()) await renewLock(path, options);
    else if (!hasEnded) {
      end();
      onLost?.();
    }
  };
  // The timer does not keep the process alive. A failed renewal is repeated.
  const timer = setInterval(() => void renewOrEnd().catch(() => undefined), staleMs / 3).unref();
  function end(): void {
    hasEnded = true;
    clearInterval(timer);
  }
  return {
    isHeld,
    release: async () => {
      end();
      // An open file stays in its folder for a moment. A lock that cannot be removed becomes stale.
      const wasOwner = await removeOwner(owner, clock, fs).catch(() => false);
      if (wasOwner) await retryWhileBusy(async () => fs.rmdir(path), clock, 'ENOTEMPTY').catch(() => undefined);
    },
  };
}

const folderTimeoutMs = 30_000;

/** Allows one writer at a time in a folder, among all windows. `fs` must not be wrapped by `createRetryingFs`, since locks repeat calls themselves. */
export class FolderLock {
  readonly #options: Omit<LockOptions, 'patienceMs' | 'fs'> & { readonly fs: StorageFs };
  readonly #fs: StorageFs;
  /** The tasks of this process for each folder. Windows poll for the lock, but tasks of one window are queued. */
  readonly #queues = new Map<string, SerialQueue>();

  constructor(options: Omit<LockOptions, 'patienceMs' | 'fs'> & { readonly fs: StorageFs }) {
    this.#options = options;
    this.#fs = createRetryingFs(options.fs, options.clock);
  }

  /** Creates the folder, and runs the task as its only writer. Throws the errors of the task and the file system. */
  async runLocked<T>(folder: string, task: (isHeld: HeldLock['isHeld']) => Promise<T>): Promise<T> {
    const queue = this.#queues.get(folder) ?? new SerialQueue();
    this.#queues.set(folder, queue);
    try {
      return await queue.run(async () => {
        const lock = await acquireLock(join(folder, 'write.lock'), { ...this.#options, patienceMs: folderTimeoutMs });
        try {
          return await task(lock.isHeld);
        } finally {
          await lock.release();
        }
      });
    } finally {
      if (queue.isIdle) this.#queues.delete(folder);
    }
  }

  /**
   * Replaces a small file atomically while its folder is locked: an interrupted write preserves the old file. Throws the file system's errors, and
   * an Error with the code ELOST if another window has acquired the lock meanwhile.
   */
  async replaceText(path: string, text: string, isHeld: HeldLock['isHeld']): Promise<void> {
    const fs = this.#fs;
    const temporary = await writeTemporary(fs, path, text);
    try {
      // Another window may have written meanwhile, if this one was so slow that it seemed dead.
      if (!(await isHeld())) throw Object.assign(new Error('the lock was lost'), { code: 'ELOST' });
      await fs.rename(temporary, path);
    } catch (error) {
      await removeFiles(fs, [temporary]);
      throw error;
    }
  }
}

/** Runs tasks one after the other. A failed task does not affect the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** Runs a task after all earlier ones. Settles with its result or error. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    this.#pending++;
    const result = this.#last.then(task).finally(() => this.#pending--);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
