import * as fsPromises from 'node:fs/promises';

/**
 * A dead process's lock from before the clock was set back would look new until the clock has caught up: one dated later
 * than a living holder could have is made old, so that it counts as stale. `now` and `staleMs` are milliseconds.
 */
export async function expireFutureLock(
  path: string,
  now: number,
  staleMs: number,
  fs: Pick<typeof fsPromises, 'stat' | 'utimes'> = fsPromises,
): Promise<void> {
  const found = await fs.stat(path).catch(() => undefined);
  if (!found || found.mtimeMs < now + 2 * staleMs) return;
  const past = new Date(now - 2 * staleMs);
  await fs.utimes(path, past, past).catch(() => undefined);
}
