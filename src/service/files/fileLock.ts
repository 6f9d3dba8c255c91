import * as nodeFs from 'node:fs/promises';
import { dirname } from 'node:path';
import lockfile from 'proper-lockfile';
import type { Clock, Random } from '../../core/ports.ts';

export interface LockOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** A lock that was not renewed for so long (at least 2000 ms) belongs to a process that died; a living one renews it at half of it. */
  readonly staleMs: number;
  /** How long a living holder is waited for; 0: not at all. */
  readonly patienceMs: number;
  /** In place of Node's. */
  readonly fs?: Pick<typeof nodeFs, 'mkdir' | 'rmdir' | 'stat' | 'utimes'>;
}

export interface HeldLock {
  /** False once another took the lock over: this process was too slow, or the computer slept. */
  readonly isOurs: () => Promise<boolean>;
  /** Leaves a lock that another took over to that one. */
  readonly release: () => Promise<void>;
}

/**
 * Takes the lock at `path` among all processes, breaking one that a dead process left, and makes its folder where it is
 * missing. Throws the file system's error where locks cannot be made, and ELOCKED where another holds it for too long.
 */
export async function takeLock(path: string, options: LockOptions): Promise<HeldLock> {
  const { clock, random, staleMs, patienceMs, fs = nodeFs } = options;
  const how = { lockfilePath: path, realpath: false, stale: staleMs, onCompromised: () => undefined };
  for (let waited = 0, gone = 0; ;) {
    try {
      await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await heldLock(path, await lockfile.lock(path, how), fs);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Gone: the folder was cleared between the two steps.
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
  // Which lock it is, not how fresh: the library renews its time while we hold it.
  const signatureOf = async (): Promise<string | undefined> => {
    const found = await fs.stat(path).catch(() => undefined);
    return found && `${found.ino} ${found.birthtimeMs}`;
  };
  const signature = await signatureOf();
  const isOurs = async (): Promise<boolean> => signature !== undefined && (await signatureOf()) === signature;
  return {
    isOurs,
    release: async () => {
      // The library notices a lost lock by itself, and may have let go of one whose time was changed, by a clock that was set.
      if (await isOurs()) await release().catch(async () => fs.rmdir(path).catch(() => undefined));
    },
  };
}

/**
 * A dead process's lock from before the clock was set back would look new until the clock has caught up: one dated later
 * than a living holder could have is made old, so that it counts as stale.
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
