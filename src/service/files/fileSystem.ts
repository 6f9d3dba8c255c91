import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import { dayMs, minuteMs, weekMs } from '../../shared/durations.ts';

/** The file system as stores use it: `node:fs/promises`, or a test's with faults. */
export type StorageFs = Pick<
  typeof nodeFs,
  'mkdir' | 'open' | 'readdir' | 'rename' | 'rmdir' | 'stat' | 'unlink' | 'utimes' | 'writeFile'
>;

/** An error's system code ("ENOSPC"), where it has one. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The outcome, or undefined where the file or folder does not exist (any more). */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The names in a folder; none where the folder does not exist. */
export async function namesIn(fs: Pick<StorageFs, 'readdir'>, folder: string): Promise<string[]> {
  return (await unlessGone(fs.readdir(folder))) ?? [];
}

const marker = 'grid-data';
const temporary = new RegExp(String.raw`\.${marker}-\d{1,10}-[0-9a-f]{8}\.tmp$`);

/**
 * Where a file is written before it replaces another: beside that, under a unique name. It begins with a dot, since query engines read every
 * other file in the folder of a table.
 */
export function temporaryName(file: string): string {
  const ending = `.${marker}-${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
  // A name has at most 255 bytes, on Windows as many letters. `stream` leaves out the letter that is cut in two.
  const start = Buffer.from(basename(file)).subarray(0, 254 - ending.length);
  return join(dirname(file), '.' + new TextDecoder().decode(start, { stream: true }) + ending);
}

/** Writes a temporary file beside `file` and syncs it; returns its path. */
export async function writeTemporary(
  fs: Pick<StorageFs, 'unlink' | 'writeFile'>,
  file: string,
  bytes: Uint8Array | string,
): Promise<string> {
  const path = temporaryName(file);
  try {
    await fs.writeFile(path, bytes, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    await removeFiles(fs, [path]);
    throw error;
  }
  return path;
}

/** Removes files as far as that is possible. */
export async function removeFiles(fs: Pick<StorageFs, 'unlink'>, files: readonly string[]): Promise<void> {
  await Promise.allSettled(files.map(file => fs.unlink(file)));
}

/**
 * Removes the temporary files of writers that died, by their names below the folder: those last written before an instant (UTC
 * milliseconds). Other files stay, and so does what cannot be removed.
 */
export async function removeTemporaries(
  folder: string,
  names: readonly string[],
  before: number,
  fs: Pick<typeof nodeFs, 'lstat' | 'unlink'> = nodeFs,
): Promise<void> {
  for (const name of names) if (temporary.test(name)) await removeOlder(join(folder, name), before, fs);
}

async function removeOlder(path: string, before: number, fs: Pick<typeof nodeFs, 'lstat' | 'unlink'>): Promise<void> {
  const found = await fs.lstat(path).catch(() => undefined);
  if (found?.isFile() && found.mtimeMs < before) await fs.unlink(path).catch(() => undefined);
}

/** Unused files in the extension's own storage, by their names and how long ago they were written. */
const leftovers: readonly { readonly names: RegExp; readonly ageMs: number }[] = [
  // No write takes so long. Earlier versions used other names.
  { names: /\.tmp$/, ageMs: minuteMs },
  // Of windows that crashed: no response is open for so long.
  { names: /^responses[\\/][^\\/]+\.json\.gz$/, ageMs: weekMs },
  // Of keys that are no longer used.
  { names: /^limits[\\/][0-9a-f]+\.json$/, ageMs: 30 * dayMs },
  // Of deleted queries.
  { names: /^told[\\/][0-9a-f]{24}\.json$/, ageMs: 90 * dayMs },
];

/** Makes the storage inaccessible to other users, also where an earlier version made its folders, and removes unused files. */
export async function sweepStorage(
  folder: string,
  now: number,
  fs: Pick<typeof nodeFs, 'chmod' | 'lstat' | 'readdir' | 'unlink'> = nodeFs,
): Promise<void> {
  // On Windows this does nothing, and need not: the storage is in the profile, which no other user can enter.
  await fs.chmod(folder, 0o700).catch(() => undefined);
  const names = await fs.readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names) {
    const found = leftovers.find(leftover => leftover.names.test(name));
    if (found) await removeOlder(join(folder, name), now - found.ageMs, fs);
  }
}

const attempts = 14;
/** What Windows answers of a file that is open elsewhere or is being removed; and of one without rights. */
export const busyCodes: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/**
 * Repeats what Windows refuses for a moment, because the file is open elsewhere or is being removed: for about a second, and
 * where there are no rights, for as long. `codes` are errors that may pass, too. Throws what the work throws.
 */
export async function unlessBusy<T>(
  work: () => Promise<T>,
  clock: Pick<Clock, 'sleep'>,
  ...codes: readonly string[]
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = codeOf(error);
      if (attempt === attempts || !(busyCodes.includes(code) || codes.some(one => one === code))) throw error;
      await clock.sleep(10 * attempt);
    }
  }
}

/**
 * A file system whose calls are repeated where Windows refuses them for a moment: whatever another window, a virus scanner
 * or a backup has open can be neither replaced nor removed, and sometimes not read. Give each call one such patience only.
 */
export function patientFs<Fs extends object>(fs: Fs, clock: Pick<Clock, 'sleep'>): Fs {
  const calls = Object.entries(fs).filter((entry): entry is [string, (...of: unknown[]) => Promise<unknown>] => {
    return typeof entry[1] === 'function';
  });
  return Object.fromEntries(
    calls.map(([name, call]) => [name, async (...of: unknown[]) => unlessBusy(async () => call(...of), clock)]),
  ) as Fs;
}
