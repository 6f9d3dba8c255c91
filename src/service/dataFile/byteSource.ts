import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { GridError } from '../../core/errors.ts';

/** The bytes of a file, read where they are needed. */
export interface ByteSource {
  readonly size: number;
  /** A copy of [start, end) that begins at a multiple of 8; throws a GridError where the file does not have it. */
  readonly read: (start: number, end: number) => Uint8Array<ArrayBuffer>;
  /** Counts bytes that are made of those that were read; throws a GridError where all is too much: any number of cells can be of the same bytes. */
  readonly use: (bytes: number) => void;
  readonly close: () => void;
}

/** Bytes that are read at once: a header that says more is not believed. */
const mostAtOnce = 1_000_000_000;
/** Bytes that are read and made in all: a table of the most rows and columns takes a part of it. */
const mostUsed = 8_000_000_000;

/** Throws a GridError. */
export function fileSource(path: string): ByteSource {
  const descriptor = orMissing(() => openSync(path, 'r'));
  const { size } = orMissing(() => fstatSync(descriptor));
  const copy = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length;) {
      const got = orMissing(() => readSync(descriptor, bytes, at, bytes.length - at, start + at));
      // It became shorter meanwhile.
      if (got === 0) throw new GridError('fileDamaged');
      at += got;
    }
    return bytes;
  };
  return { ...boundedReading(size, copy), close: () => closeSync(descriptor) };
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  const copy = (start: number, end: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes.subarray(start, end));
  return { ...boundedReading(bytes.length, copy), close: () => undefined };
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

function orMissing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new GridError('fileMissing');
    throw error;
  }
}
