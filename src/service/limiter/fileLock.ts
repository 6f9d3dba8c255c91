import { rmdir, stat } from 'node:fs/promises';
import lockfile from 'proper-lockfile';
import type { Clock, Random } from '../../core/ports.ts';
import { agePastFuture } from '../agePastFuture.ts';

/** A lock not renewed for so long belongs to a process that died. A living one holds it for milliseconds. */
const staleMs = 2_000;
const patienceMs = 10_000;

export interface HeldLock {
  /** False once another took the lock over because we were too slow. */
  isOurs(): Promise<boolean>;
  /** Only where it is still ours. */
  release(): Promise<void>;
}

/**
 * Waits for the lock beside the file, breaking one that a dead process left. Throws the file system's error where locks
 * cannot be made, and ELOCKED where one cannot be had for ten seconds.
 */
export async function lockFile(file: string, clock: Clock, random: Random): Promise<HeldLock> {
  const lockfilePath = `${file}.lock`;
  let waited = 0;
  for (;;) {
    try {
      const options = { realpath: false, stale: staleMs, update: 1_000, lockfilePath, onCompromised: () => undefined };
      const release = await lockfile.lock(file, options);
      return await heldLock(lockfilePath, release);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED' || waited > patienceMs) throw error;
    }
    await agePastFuture(lockfilePath, clock.now(), staleMs);
    const pause = (0.5 + random()) * (2 + Math.min(30, waited / 20));
    await clock.sleep(pause);
    waited += pause;
  }
}

async function heldLock(path: string, release: () => Promise<void>): Promise<HeldLock> {
  const signature = await signatureOf(path);
  return {
    isOurs: async () => signature !== undefined && (await signatureOf(path)) === signature,
    // The library may have let go of it in the meantime.
    release: () => release().catch(() => rmdir(path).catch(() => undefined)),
  };
}

/** Which lock it is, not how fresh: the library renews its time while we hold it. */
async function signatureOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.ino} ${found.birthtimeMs}`;
}
