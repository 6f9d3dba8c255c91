import type { Clock } from '../core/ports.ts';

const attempts = 10;
const busyCodes = new Set<unknown>(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Puts `from` in the place of `to`. On Windows a file that another process has open for a moment cannot be replaced: it is
 * tried again. Throws what the file system throws.
 */
export async function replaceFile(
  fs: { rename(from: string, to: string): Promise<void> },
  from: string,
  to: string,
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fs.rename(from, to);
      return;
    } catch (error) {
      if (attempt === attempts || !busyCodes.has((error as NodeJS.ErrnoException).code)) throw error;
      await clock.sleep(10 * attempt);
    }
  }
}
