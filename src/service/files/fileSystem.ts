import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import { dayMs, minuteMs, weekMs } from '../../shared/durations.ts';

/** The file system of the stores: `node:fs/promises`, or one with injected faults in tests. */
export type StorageFs = Pick<
  typeof nodeFs,
  'mkdir' | 'open' | 'readdir' | 'rename' | 'rmdir' | 'stat' | 'unlink' | 'utimes' | 'writeFile'
>;

/** Returns the system code of an error ("ENOSPC"), if it has one. */
export function getErrorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Resolves to the result, or to undefined if the file or folder does not exist (any more). */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Lists the names in a folder; empty if the folder does not exist. */
export async function listNames(fs: Pick<StorageFs, 'readdir'>, folder: string): Promise<string[]> {
  return (await ignoreMissing(fs.readdir(folder))) ?? [];
}

const marker = 'grid-data';
const temporaryPattern = new RegExp(String.raw`\.${marker}-\d{1,10}-[0-9a-f]{8}\.tmp$`);

/**
 * Returns a unique path in the folder of a file, where its content is written before it replaces the file. The name begins with a dot, since
 * query engines read all other files in the folder of a table.
 */
export function createTemporaryName(file: string): string {
  const ending = `.${marker}-${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
  // A name has at most 255 bytes, or characters on Windows. `stream` omits a character that is cut in two.
  const start = Buffer.from(basename(file)).subarray(0, 254 - ending.length);
  return join(dirname(file), '.' + new TextDecoder().decode(start, { stream: true }) + ending);
}

/** Writes and syncs a temporary file next to `file`. Returns its path. */
export async function writeTemporary(
  fs: Pick<StorageFs, 'unlink' | 'writeFile'>,
  file: string,
  bytes: Uint8Array | string,
): Promise<string> {
  const path = createTemporaryName(file);
  try {
    await fs.writeFile(path, bytes, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    await removeFiles(fs, [path]);
    throw error;
  }
  return path;
}

/** Removes files, ignoring errors. */
export async function removeFiles(fs: Pick<StorageFs, 'unlink'>, files: readonly string[]): Promise<void> {
  await Promise.allSettled(files.map(file => fs.unlink(file)));
}

/**
 * Removes the temporary files of dead writers among `names`, if they were last written before an instant (UTC milliseconds). Other files stay;
 * errors are ignored.
 */
export async function removeTemporaries(
  folder: string,
  names: readonly string[],
  modifiedBefore: number,
  fs: Pick<typeof nodeFs, 'lstat' | 'unlink'> = nodeFs,
): Promise<void> {
  for (const name of names) if (temporaryPattern.test(name)) await removeOlder(join(folder, name), modifiedBefore, fs);
}

async function removeOlder(
  path: string,
  modifiedBefore: number,
  fs: Pick<typeof nodeFs, 'lstat' | 'unlink'>,
): Promise<void> {
  const stat = await fs.lstat(path).catch(() => undefined);
  if (stat?.isFile() && stat.mtimeMs < modifiedBefore) await fs.unlink(path).catch(() => undefined);
}

/** Patterns of unused files in the extension's storage, with the age after which they are removed. */
const leftovers: readonly { readonly pattern: RegExp; readonly maxAgeMs: number }[] = [
  // Temporary files: no write takes this long. Earlier versions used other names.
  { pattern: /\.tmp$/, maxAgeMs: minuteMs },
  // Responses of crashed windows: no response is open for this long.
  { pattern: /^responses[\\/][^\\/]+\.json\.gz$/, maxAgeMs: weekMs },
  // Budgets of keys that are no longer used.
  { pattern: /^limits[\\/][0-9a-f]+\.json$/, maxAgeMs: 30 * dayMs },
  // Alert histories of deleted queries.
  { pattern: /^told[\\/][0-9a-f]{24}\.json$/, maxAgeMs: 90 * dayMs },
];

/** Makes the storage inaccessible to other users, even if an earlier version created it, and removes unused files. */
export async function cleanStorage(
  folder: string,
  now: number,
  fs: Pick<typeof nodeFs, 'chmod' | 'lstat' | 'readdir' | 'unlink'> = nodeFs,
): Promise<void> {
  // This has no effect on Windows, where the storage is in the profile, which other users cannot access.
  await fs.chmod(folder, 0o700).catch(() => undefined);
  const names = await fs.readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names) {
    const leftover = leftovers.find(({ pattern }) => pattern.test(name));
    if (leftover) await removeOlder(join(folder, name), now - leftover.maxAgeMs, fs);
  }
}

const maxAttempts = 14;
/** The errors of Windows for a file that is open elsewhere or is being removed, and for missing permissions. */
export const busyCodes: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/**
 * Retries an operation for about a second while Windows rejects it, because the file is open elsewhere or is being removed. Missing permissions
 * have the same error codes. `codes` are further transient errors. Throws the last error of the work.
 */
export async function retryWhileBusy<T>(
  work: () => Promise<T>,
  clock: Pick<Clock, 'sleep'>,
  ...codes: readonly string[]
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = getErrorCode(error);
      if (attempt === maxAttempts || !(busyCodes.includes(code) || codes.some(transientCode => transientCode === code)))
        throw error;
      await clock.sleep(10 * attempt);
    }
  }
}

/**
 * Wraps a file system so that calls are retried while Windows rejects them: a file that another window, a virus scanner or a backup has open can
 * be neither replaced nor removed, and sometimes not read. Do not wrap it twice.
 */
export function createRetryingFs<Fs extends object>(fs: Fs, clock: Pick<Clock, 'sleep'>): Fs {
  const calls = Object.entries(fs).filter((entry): entry is [string, (...args: unknown[]) => Promise<unknown>] => {
    return typeof entry[1] === 'function';
  });
  return Object.fromEntries(
    calls.map(([name, call]) => [name, async (...args: unknown[]) => retryWhileBusy(async () => call(...args), clock)]),
  ) as Fs;
}
