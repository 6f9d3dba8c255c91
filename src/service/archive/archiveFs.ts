import { randomUUID } from 'node:crypto';
import type * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';

/** The file system as the archive uses it: `node:fs/promises`, or a test's with faults. */
export type ArchiveFs = Pick<
  typeof fsPromises,
  'mkdir' | 'readdir' | 'readFile' | 'rename' | 'rmdir' | 'stat' | 'unlink' | 'utimes' | 'writeFile'
>;

const leftoverMs = 3_600_000;

/** The names in a folder; none where there is no such folder. */
export async function namesIn(fs: ArchiveFs, folder: string): Promise<string[]> {
  return (await unlessGone(fs.readdir(folder))) ?? [];
}

/** The outcome, or undefined where the file or folder is not there (any more). */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a new file beside `name` and syncs it; give the answer to `rename`. */
export async function writeTemporary(
  fs: ArchiveFs,
  folder: string,
  name: string,
  bytes: Uint8Array | string,
): Promise<string> {
  const file = join(folder, `${name}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`);
  try {
    await fs.writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    await forget(fs, [file]);
    throw error;
  }
  return file;
}

/** Removes what writers that died left behind. */
export async function removeLeftovers(
  fs: ArchiveFs,
  folder: string,
  names: readonly string[],
  now: number,
): Promise<void> {
  for (const name of names) {
    if (!name.endsWith('.tmp')) continue;
    const file = join(folder, name);
    const stat = await unlessGone(fs.stat(file));
    if (stat && stat.mtimeMs < now - leftoverMs) await forget(fs, [file]);
  }
}

/** Removes files as far as that is possible. */
export async function forget(fs: ArchiveFs, files: readonly string[]): Promise<void> {
  await Promise.allSettled(files.map(file => fs.unlink(file)));
}

/** An error's system code ("ENOSPC"), where it has one. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Files at a time: beyond this nothing gets faster, and other windows need descriptors too. */
const width = 8;

/** Does the work for all items, several at a time. Rejects with the first failure, once nothing is under way any more. */
export async function mapSeveral<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
