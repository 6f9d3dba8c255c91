import { readSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { GridError } from '../../core/errors.ts';
import { getErrorCode } from '../files/fileSystem.ts';
import { isUnexpectedFile, openRegularFile } from '../files/regularFile.ts';

/** Random access to the bytes of a file. */
export interface ByteSource {
  readonly size: number;
  /** Returns an 8-byte aligned copy of [start, end). Throws a GridError if the range is not in the file. */
  readonly read: (start: number, end: number) => Uint8Array<ArrayBuffer>;
  /** Counts decoded bytes against the limit, since any number of cells can be decoded from the same bytes. Throws a GridError above the limit. */
  readonly use: (bytes: number) => void;
  readonly close: () => Promise<void>;
}

/** The maximum number of bytes in one read. A file is rejected if its header claims more. */
const maxReadBytes = 2_000_000_000;
/** The maximum number of bytes that are read and decoded in total. The largest supported table needs less. */
const maxUsedBytes = 8_000_000_000;

/** Opens a file for random access. Throws a GridError if it cannot be opened. */
export async function openFileSource(path: string): Promise<ByteSource> {
  const { handle, size } = await openRegularFile(path, Infinity, nodeFs).catch((error: unknown) => {
    throw toFileError(error);
  });
  const readCopy = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    for (let offset = 0; offset < bytes.length;) {
      const bytesRead = readChecked(() => readSync(handle.fd, bytes, offset, bytes.length - offset, start + offset));
      // The file was truncated meanwhile.
      if (bytesRead === 0) throw new GridError('fileDamaged');
      offset += bytesRead;
    }
    return bytes;
  };
  return { ...createBoundedReader(size, readCopy), close: async () => handle.close() };
}

export function createBytesSource(bytes: Uint8Array): ByteSource {
  const readCopy = (start: number, end: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes.subarray(start, end));
  return { ...createBoundedReader(bytes.length, readCopy), close: async () => Promise.resolve() };
}

function createBoundedReader(size: number, readCopy: ByteSource['read']): Omit<ByteSource, 'close'> {
  let usedBytes = 0;
  const use = (bytes: number): void => {
    usedBytes += Math.max(0, bytes);
    if (usedBytes > maxUsedBytes) throw new GridError('fileTooLarge');
  };
  const read: ByteSource['read'] = (start, end) => {
    if (!(Number.isSafeInteger(start) && start >= 0 && end >= start && end <= size)) throw new GridError('fileDamaged');
    if (end - start > maxReadBytes) throw new GridError('fileTooLarge');
    use(end - start);
    return readCopy(start, end);
  };
  return { size, read, use };
}

function readChecked(read: () => number): number {
  try {
    return read();
  } catch (error) {
    throw toFileError(error);
  }
}

/** Converts an error of `openRegularFile` or the file system to a GridError. */
export function toFileError(error: unknown): GridError {
  if (!isUnexpectedFile(error)) return new GridError('fileMissing');
  return new GridError(getErrorCode(error) === 'EFBIG' ? 'fileTooLarge' : 'fileForeign');
}
