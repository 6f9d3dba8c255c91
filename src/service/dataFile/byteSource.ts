import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { GridError } from '../../core/errors.ts';

/** The bytes of a file, read where they are needed. */
export interface ByteSource {
  readonly size: number;
  /** A copy of [start, end) that begins at a multiple of 8; throws a GridError where the file does not have it. */
  readonly read: (start: number, end: number) => Uint8Array<ArrayBuffer>;
  readonly close: () => void;
}

/** Bytes that are read at once: a header that says more is not believed. */
const mostAtOnce = 1_000_000_000;

/** Throws a GridError. */
export function fileSource(path: string): ByteSource {
  const descriptor = orMissing(() => openSync(path, 'r'));
  const { size } = orMissing(() => fstatSync(descriptor));
  const read: ByteSource['read'] = (start, end) => {
    checkRange(start, end, size);
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length;) {
      const got = orMissing(() => readSync(descriptor, bytes, at, bytes.length - at, start + at));
      // It became shorter meanwhile.
      if (got === 0) throw new GridError('fileDamaged');
      at += got;
    }
    return bytes;
  };
  return { size, read, close: () => closeSync(descriptor) };
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  const read: ByteSource['read'] = (start, end) => {
    checkRange(start, end, bytes.length);
    return new Uint8Array(bytes.subarray(start, end));
  };
  return { size: bytes.length, read, close: () => undefined };
}

function checkRange(start: number, end: number, size: number): void {
  if (!(Number.isSafeInteger(start) && start >= 0 && end >= start && end <= size)) throw new GridError('fileDamaged');
  if (end - start > mostAtOnce) throw new GridError('fileTooLarge');
}

function orMissing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new GridError('fileMissing');
    throw error;
  }
}
