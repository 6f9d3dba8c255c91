import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { reasonOf } from '../fileTrouble.ts';
import { SandboxError } from '../sandboxError.ts';

const staleMs = 5_000;
const triesMs = 500;

/**
 * Makes the folder where it is not there, and takes it for this process alone; what is returned gives it back. A folder
 * that a killed sandbox left is taken after five seconds, within `waitMs`. `onLost` is called where another process took it all the
 * same: nothing may be written there from then on. Throws a SandboxError for a folder in use, or that cannot be made.
 */
export async function takeStateFolder(
  folder: string,
  onLost: () => void,
  waitMs = staleMs + 2 * triesMs,
): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await lockfile.lock(folder, {
      lockfilePath: join(folder, 'in-use'),
      stale: staleMs,
      retries: { retries: Math.ceil(waitMs / triesMs), factor: 1, minTimeout: triesMs, maxTimeout: triesMs },
      onCompromised: onLost,
    });
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'ELOCKED';
    const reason = isTaken ? 'is in use by another sandbox' : `cannot be used (${reasonOf(error)})`;
    throw new SandboxError(`The state folder ${folder} ${reason}; give the path of another folder, new or not.`);
  }
}
