import { readSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { GridError } from '../../core/errors.ts';
import { codeOf } from '../files/fileSystem.ts';
import { isForeign, openRegular } from '../files/regularFile.ts';

/** The bytes of a file, read where they are needed. */
export interface ByteSource {
  readonly size: number;
  /** A copy of [start, end) that begins at a multiple of 8; throws a GridError where the file does not have it. */
  readonly read: (start: number, end: number) => Uint8Array<ArrayBuffer>;
  /** Counts bytes that are made of those that were read; throws a GridError where all is too much: any number of cells can be of the same bytes. */
  readonly use: (bytes: number) => void;
  readonly close: () => Promise<void>;
}

/** Bytes that are read at once: a header that says more is not believed. */
const mostAtOnce = 2_000_000_000;
/** Bytes that are read and made in all: a table of the most rows and columns takes a part of it. */
const mostUsed = 8_000_000_000;

/** Throws a GridError. */
export async function fileSource(path: string): Promise<ByteSource> {
  const { handle, size } = await openRegular(path, Infinity, nodeFs).catch((error: unknown) => {
    throw fileFailure(error);
  });
  const copy = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length;) {
      const got = readSome(() => readSync(handle.fd, bytes, at, bytes.length - at, start + at));
      // It became shorter meanwhile.
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

/** Why a data file cannot be read, of what `openRegular` or the file system throws. */
export function fileFailure(error: unknown): GridError {
  if (!isForeign(error)) return new GridError('fileMissing');
  return new GridError(codeOf(error) === 'EFBIG' ? 'fileTooLarge' : 'fileForeign');
}
