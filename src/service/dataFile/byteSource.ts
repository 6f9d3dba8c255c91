import { readSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { GridError } from '../../core/errors.ts';
import { codeOf } from '../files/fileSystem.ts';
import { isForeign, openRegular } from '../files/regularFile.ts';

/** Random access to the bytes of a file. */
export interface ByteSource {
  readonly size: number;
  /** Returns an 8-byte aligned copy of [start, end). Throws a GridError if that is not in the file. */
  readonly read: (start: number, end: number) => Uint8Array<ArrayBuffer>;
  /** Counts decoded bytes against the limit, since any number of cells can be decoded from the same bytes. Throws a GridError above it. */
  readonly use: (bytes: number) => void;
  readonly close: () => Promise<void>;
}

/** The maximum number of bytes in one read: a header with a larger number is not trusted. */
const mostAtOnce = 2_000_000_000;
/** The maximum number of bytes that are read and decoded in total. The largest table takes a part of this. */
const mostUsed = 8_000_000_000;

/** Opens a file. Throws a GridError. */
export async function fileSource(path: string): Promise<ByteSource> {
  const { handle, size } = await openRegular(path, Infinity, nodeFs).catch((error: unknown) => {
    throw fileFailure(error);
  });
  const copy = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length;) {
      const got = readSome(() => readSync(handle.fd, bytes, at, bytes.length - at, start + at));
      // The file was truncated meanwhile.
      if (got === 0) throw new GridError('fileDamaged');
      at += got;
    }
    return bytes;
  };
  return { ...boundedReading(size, copy), close: async () => handle.close() };
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  const copy = (start: number, end: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes.subarray(start, end));
  return { ...boundedReading(bytes.length, copy), close: async () => Promise.resolve() };
}

function boundedReading(size: number, copy: ByteSource['read']): Omit<ByteSource, 'close'> {
  let used = 0;
  const use = (bytes: number): void => {
    used += Math.max(0, bytes);
    if (used > mostUsed) throw new GridError('fileTooLarge');
  };
  const read: ByteSource['read'] = (start, end) => {
    if (!(Number.isSafeInteger(start) && start >= 0 && end >= start && end <= size)) throw new GridError('fileDamaged');
    if (end - start > mostAtOnce) throw new GridError('fileTooLarge');
    use(end - start);
    return copy(start, end);
  };
  return { size, read, use };
}

function readSome(read: () => number): number {
  try {
    return read();
  } catch (error) {
    throw fileFailure(error);
  }
}

/** Converts an error of `openRegular` or the file system to a GridError. */
export function fileFailure(error: unknown): GridError {
  if (!isForeign(error)) return new GridError('fileMissing');
  return new GridError(codeOf(error) === 'EFBIG' ? 'fileTooLarge' : 'fileForeign');
}
