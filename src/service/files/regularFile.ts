import { constants } from 'node:fs';
import type * as nodeFs from 'node:fs/promises';
import { getErrorCode } from './fileSystem.ts';

/** The part of `node:fs/promises` that opening a file needs; one with injected faults in tests. */
export type OpenFs = Pick<typeof nodeFs, 'open'>;

/** The timeout of a call. A disk responds in milliseconds, and a file server that has to wake up in seconds. */
const defaultTimeoutMs = 20_000;

interface RegularFile {
  readonly handle: nodeFs.FileHandle;
  /** The size in bytes when the file was opened. */
  readonly size: number;
}

/**
 * Opens an untrusted file for reading. Throws the file system's errors, and Errors with these codes: ENOTFILE for a folder, a device, a pipe or
 * a link to one, since reading these may never end; EFBIG for more than `maxBytes`; ETIMEDOUT.
 */
export async function openRegularFile(path: string, maxBytes: number, fs: OpenFs): Promise<RegularFile> {
  // With O_NONBLOCK a pipe is opened without waiting for its writer. Windows has neither the flag nor such pipes.
  const flags = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);
  const opening = fs.open(path, flags);
  const handle = await withTimeout(opening).catch((error: unknown) => {
    // A file that is opened after the deadline is closed.
    void opening.then(lateHandle => lateHandle.close()).catch(() => undefined);
    throw error;
  });
  try {
    const stat = await withTimeout(handle.stat());
    if (!stat.isFile()) throw createFileError('ENOTFILE');
    if (stat.size > maxBytes) throw createFileError('EFBIG');
    return { handle, size: stat.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a file of at most `maxBytes` bytes into memory from `allocate`. Throws the errors of `openRegularFile`. */
export async function readRegularFile(
  path: string,
  maxBytes: number,
  fs: OpenFs,
  allocate: (length: number) => Uint8Array = length => Buffer.allocUnsafeSlow(length),
): Promise<Uint8Array> {
  const { handle, size } = await openRegularFile(path, maxBytes, fs);
  try {
    const bytes = allocate(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await withTimeout(handle.read(bytes, length, size - length, length));
      // The file was truncated meanwhile.
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** Reads a UTF-8 text file like `readRegularFile`. */
export async function readRegularTextFile(path: string, maxBytes: number, fs: OpenFs): Promise<string> {
  return Buffer.from(await readRegularFile(path, maxBytes, fs)).toString();
}

/** Resolves to the result, or to undefined if the file is missing or is not one that this extension writes. */
export async function ignoreUnexpectedFile<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isUnexpectedFile(error) || getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether reading failed because the path is not a file, or the file is larger than any that this extension writes. */
export function isUnexpectedFile(error: unknown): boolean {
  return ['ENOTFILE', 'EFBIG'].includes(getErrorCode(error) ?? '');
}

/** Throws an Error with the code ETIMEDOUT if the file system does not respond. */
export async function withTimeout<T>(call: PromiseLike<T>, ms = defaultTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(createFileError('ETIMEDOUT')), ms)),
  );
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export function createFileError(code: 'EFBIG' | 'ENOTFILE' | 'ETIMEDOUT'): Error {
  return Object.assign(new Error(`the file cannot be read (${code})`), { code });
}
