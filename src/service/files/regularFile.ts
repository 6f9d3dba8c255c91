import { constants } from 'node:fs';
import type * as nodeFs from 'node:fs/promises';
import { codeOf } from './fileSystem.ts';

/** The part of `node:fs/promises` that opening a file needs; one with injected faults in tests. */
export type OpenFs = Pick<typeof nodeFs, 'open'>;

/** The timeout of a call. A disk responds in milliseconds, and a file server that has to wake up in seconds. */
const deadlineMs = 20_000;

interface RegularFile {
  readonly handle: nodeFs.FileHandle;
  /** The size in bytes when the file was opened. */
  readonly size: number;
}

/**
 * Opens an untrusted file for reading. Throws the file system's errors, and Errors with these codes: ENOTFILE for a folder, a device, a pipe or
 * a link to one, since reading these may never end; EFBIG for more than `maxBytes`; ETIMEDOUT.
 */
export async function openRegular(path: string, maxBytes: number, fs: OpenFs): Promise<RegularFile> {
  // With O_NONBLOCK a pipe is opened without waiting for its writer. Windows has neither the flag nor such pipes.
  const flags = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);
  const opening = fs.open(path, flags);
  const handle = await withDeadline(opening).catch((error: unknown) => {
    // A file that is opened after the deadline is closed.
    void opening.then(late => late.close()).catch(() => undefined);
    throw error;
  });
  try {
    const found = await withDeadline(handle.stat());
    if (!found.isFile()) throw fileFault('ENOTFILE');
    if (found.size > maxBytes) throw fileFault('EFBIG');
    return { handle, size: found.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a file of at most `maxBytes` bytes into memory from `allocate`. Throws the errors of `openRegular`. */
export async function readRegular(
  path: string,
  maxBytes: number,
  fs: OpenFs,
  take: (length: number) => Uint8Array = length => Buffer.allocUnsafeSlow(length),
): Promise<Uint8Array> {
  const { handle, size } = await openRegular(path, maxBytes, fs);
  try {
    const bytes = take(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await withDeadline(handle.read(bytes, length, size - length, length));
      // The file was truncated meanwhile.
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** Reads a UTF-8 text file like `readRegular`. */
export async function readRegularText(path: string, maxBytes: number, fs: OpenFs): Promise<string> {
  return Buffer.from(await readRegular(path, maxBytes, fs)).toString();
}

/** Resolves to the result, or to undefined if the file is missing or is not one that this extension writes. */
export async function unlessForeign<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isForeign(error) || codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether reading failed because the path is not a file, or the file is larger than any that this extension writes. */
export function isForeign(error: unknown): boolean {
  return ['ENOTFILE', 'EFBIG'].includes(codeOf(error) ?? '');
}

/** Throws an Error with the code ETIMEDOUT if the file system does not respond. */
export async function withDeadline<T>(call: PromiseLike<T>, ms = deadlineMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(fileFault('ETIMEDOUT')), ms)));
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function fileFault(code: 'EFBIG' | 'ENOTFILE' | 'ETIMEDOUT'): Error {
  return Object.assign(new Error(`the file cannot be read (${code})`), { code });
}
