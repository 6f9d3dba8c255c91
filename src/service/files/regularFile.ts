import { constants } from 'node:fs';
import type * as nodeFs from 'node:fs/promises';
import { codeOf } from './fileSystem.ts';

/** What opening needs of `node:fs/promises`, or of a test's with faults. */
export type OpenFs = Pick<typeof nodeFs, 'open'>;

/** A disk answers in milliseconds, and a file server that has to wake up in seconds. */
const deadlineMs = 20_000;

interface RegularFile {
  readonly handle: nodeFs.FileHandle;
  /** In bytes, when it was opened. */
  readonly size: number;
}

/**
 * Opens a file for reading, whoever put it there. Throws what the file system throws, and Errors with these codes: ENOTFILE for a
 * folder, a device, a pipe or a link to one, whose reading may never end; EFBIG for more than `maxBytes`; ETIMEDOUT.
 */
export async function openRegular(path: string, maxBytes: number, fs: OpenFs): Promise<RegularFile> {
  // A pipe is opened without waiting for its writer. Windows has no such flag, nor pipes among its files.
  const flags = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);
  const opening = fs.open(path, flags);
  const handle = await withDeadline(opening).catch((error: unknown) => {
    // One that is opened after the deadline is closed.
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

/** Reads all of a file of at most `maxBytes` bytes into memory of `take`, which is given their number. Throws as `openRegular`. */
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
      // It became shorter meanwhile.
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** As `readRegular`, of a text in UTF-8. */
export async function readRegularText(path: string, maxBytes: number, fs: OpenFs): Promise<string> {
  return Buffer.from(await readRegular(path, maxBytes, fs)).toString();
}

/** The outcome, or undefined where there is no such file, or something in its place that this extension did not write. */
export async function unlessForeign<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isForeign(error) || codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether what is there is no file, or is larger than any that this extension writes. */
export function isForeign(error: unknown): boolean {
  return ['ENOTFILE', 'EFBIG'].includes(codeOf(error) ?? '');
}

/** Throws an Error with the code ETIMEDOUT where a file system does not answer. */
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
