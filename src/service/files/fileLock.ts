import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock, Random } from '../../core/ports.ts';
import {
  codeOf,
  patientFs,
  removeFiles,
  unlessBusy,
  unlessGone,
  writeTemporary,
  type StorageFs,
} from './fileSystem.ts';

type LockFs = Pick<typeof nodeFs, 'mkdir' | 'readdir' | 'rmdir' | 'stat' | 'unlink' | 'utimes' | 'writeFile'>;

export interface LockOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** A lock that was not renewed for so long belongs to a process that died; a living one renews it after a third of that. */
  readonly staleMs: number;
  /** How long to wait for a living holder; 0: not at all. */
  readonly patienceMs: number;
  /** Called once, as soon as it is noticed that another process took the lock over. */
  readonly onLost?: () => void;
  /** In place of Node's. */
  readonly fs?: LockFs;
  /** In place of the machine's time: the age of a lock has nothing to do with the time that the clock shows. */
  readonly now?: () => number;
}

// Other processes write it into the same locks.
// oxlint-disable-next-line no-restricted-properties
const machineNow = (): number => Date.now();

export interface HeldLock {
  /** False once another took the lock over: this process was too slow, or the computer slept. Throws what the file system throws. */
  readonly isOurs: () => Promise<boolean>;
  /** A lock that another process took over stays with that one. */
  readonly release: () => Promise<void>;
}

/**
 * Takes the lock at `path` among all processes, breaking one that a dead process left, and makes its folder where it is
 * missing. Throws the file system's error where locks cannot be made, and ELOCKED where another holds it for too long.
 *
 * A lock is a folder, in which an empty file names the owner. Who finds the owner dead removes that file by its name, which
 * cannot be the name of one that came after; only a folder without an owner can be removed; and the lock is taken where no
 * other file is beside one's own. So two never have it, whatever they do between each other's steps. Earlier versions keep
 * their lock as an empty folder of the same name and age, and neither takes that of the other.
 */
export async function takeLock(path: string, options: LockOptions): Promise<HeldLock> {
  const { clock, random, patienceMs, fs = nodeFs, now = machineNow } = options;
  const own = { ...options, fs, now };
  const owner = join(path, randomUUID());
  // ENOENT: what one step found is gone at the next.
  const take = async (): Promise<boolean> => unlessBusy(async () => claim(owner, own), clock, 'ENOENT');
  for (let waited = 0; !(await take());) {
    if (waited >= patienceMs) throw Object.assign(new Error('another process holds the lock'), { code: 'ELOCKED' });
    const pause = (0.5 + random()) * (2 + Math.min(30, waited / 20));
    await clock.sleep(pause);
    waited += pause;
  }
  return heldLock(owner, own);
}

/** Whether a living process holds the lock now. */
export async function isLocked(
  path: string,
  { staleMs, fs = nodeFs, now = machineNow }: Pick<LockOptions, 'staleMs' | 'fs' | 'now'>,
): Promise<boolean> {
  const found = await fs.stat(path).catch(() => undefined);
  return found !== undefined && !isDead(found.mtimeMs, now(), staleMs);
}

/** A time later than a living holder could give is from before the clock was set back. */
function isDead(renewedAt: number, now: number, staleMs: number): boolean {
  return renewedAt < now - staleMs || renewedAt > now + 2 * staleMs;
}

type OwnOptions = LockOptions & Required<Pick<LockOptions, 'fs' | 'now'>>;

/** One attempt. Throws also what passes: a folder that is being removed refuses everything. */
async function claim(owner: string, options: OwnOptions): Promise<boolean> {
  const { clock, fs } = options;
  const path = dirname(owner);
  await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (!(await isMade(path, fs)) && !((await isBroken(path, options)) && (await isMade(path, fs)))) return false;
  let isOurs = false;
  try {
    await fs.writeFile(owner, '', { mode: 0o600 });
    await renew(path, options);
    isOurs = (await fs.readdir(path)).join() === basename(owner);
    return isOurs;
  } finally {
    if (!isOurs) {
      await removeOwner(owner, clock, fs).catch(() => undefined);
      await unlessBusy(async () => fs.rmdir(path), clock).catch(() => undefined);
    }
  }
}

async function isMade(path: string, fs: LockFs): Promise<boolean> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a dead process. The owner is read before the age: an owner that came between the two is young. */
async function isBroken(path: string, { staleMs, fs, now }: OwnOptions): Promise<boolean> {
  const owners = await fs.readdir(path);
  if (!isDead((await fs.stat(path)).mtimeMs, now(), staleMs)) return false;
  for (const owner of owners) await unlessGone(fs.unlink(join(path, owner)));
  try {
    await unlessGone(fs.rmdir(path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY') return false;
    throw error;
  }
}

/** By this machine's time: that of the disk may be another's. */
async function renew(path: string, { fs, now }: OwnOptions): Promise<void> {
  const seconds = now() / 1000;
  await fs.utimes(path, seconds, seconds);
}

/** False where it was not there. */
async function removeOwner(owner: string, clock: Clock, fs: LockFs): Promise<boolean> {
  const removed = async (): Promise<boolean> => fs.unlink(owner).then(() => true);
  return (await unlessBusy(async () => unlessGone(removed()), clock)) ?? false;
}

function heldLock(owner: string, options: OwnOptions): HeldLock {
  const { clock, staleMs, onLost, fs } = options;
  const path = dirname(owner);
  const isOurs = async (): Promise<boolean> =>
    unlessBusy(async () => (await unlessGone(fs.stat(owner))) !== undefined, clock);
  let isOver = false;
  const keep = async (): Promise<void> => {
    if (await isOurs()) await renew(path, options);
    else if (!isOver) {
      end();
      onLost?.();
    }
  };
  // Keeps no process alive. One that fails is repeated.
  const timer = setInterval(() => void keep().catch(() => undefined), staleMs / 3).unref();
  function end(): void {
    isOver = true;
    clearInterval(timer);
  }
  return {
    isOurs,
    release: async () => {
      end();
      // A file that somebody has open stays in its folder for a moment. What cannot be removed grows stale.
      const removed = await removeOwner(owner, clock, fs).catch(() => false);
      if (removed) await unlessBusy(async () => fs.rmdir(path), clock, 'ENOTEMPTY').catch(() => undefined);
    },
  };
}

const folderPatienceMs = 30_000;

/** One writer at a time in a folder, among all windows. `fs` is not patient: locks are by themselves. */
export class FolderLock {
  readonly #options: Omit<LockOptions, 'patienceMs' | 'fs'> & { readonly fs: StorageFs };
  readonly #fs: StorageFs;
  /** The tasks of this process for each folder: windows poll for the lock, tasks of one window queue. */
  readonly #queues = new Map<string, SerialQueue>();

  constructor(options: Omit<LockOptions, 'patienceMs' | 'fs'> & { readonly fs: StorageFs }) {
    this.#options = options;
    this.#fs = patientFs(options.fs, options.clock);
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
    const fs = this.#fs;
    const temporary = await writeTemporary(fs, path, text);
    try {
      // Another window may have written meanwhile, where this one was so slow that it was taken for dead.
      if (!(await isOurs())) throw Object.assign(new Error('the lock was lost'), { code: 'ELOST' });
      await fs.rename(temporary, path);
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
