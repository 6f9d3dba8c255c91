import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const keptMs = 30 * 24 * 3_600_000;

/** Removes the files of keys not used for a month. What cannot be removed stays. */
export async function sweep(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!/^[0-9a-f]+\.json$/.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs + keptMs < now) await unlink(path).catch(() => undefined);
  }
}
