import { parentPort, workerData } from 'node:worker_threads';
import type { FileTable, ReadFile } from '../../core/dataFile/fileTable.ts';
import { GridError, type FailureFacts, type FailureReason } from '../../core/errors.ts';
import { columnBuffers } from '../../shared/frame.ts';
import { bytesSource, fileSource } from './byteSource.ts';
import { readDataFile, type FileRequest } from './readDataFile.ts';

/** A file for the thread to read: by its path, or its bytes where it is not on this disk. */
export interface FileJob extends FileRequest {
  readonly from: { readonly path: string } | { readonly bytes: Uint8Array };
}

export type FileReply =
  | { readonly kind: 'head'; readonly table: FileTable }
  | { readonly kind: 'read'; readonly file: ReadFile }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly facts: FailureFacts };

/** Reads the one file that it was started for. */
async function readJob({ from, ...request }: FileJob): Promise<void> {
  try {
    const source = 'path' in from ? await fileSource(from.path) : bytesSource(from.bytes);
    const file = await readDataFile(source, request, table => reply({ kind: 'head', table }, table));
    await source.close();
    reply({ kind: 'read', file }, file.kind === 'table' ? file.table : undefined);
  } catch (error) {
    const { reason, facts } = error instanceof GridError ? error : new GridError('fileDamaged');
    reply({ kind: 'failed', reason, facts });
  }
}

/** The columns are given away, not copied. */
function reply(message: FileReply, table?: FileTable): void {
  parentPort?.postMessage(message, [...new Set(table?.frame?.columns.flatMap(columnBuffers))]);
}

void readJob(workerData as FileJob);
