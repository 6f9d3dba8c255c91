import { GridError } from '../../core/errors.ts';
import type { FileJob, FileReply, FileReadTable } from '../reader/readerJobs.ts';
import { ReaderEndedError, type ReaderProcesses } from '../reader/readerProcess.ts';

/**
 * Reads a file in the reader process. `onHead`: called with the first rows if the others take longer. Throws a GridError that names the file,
 * or "cancelled" once the signal is aborted.
 */
export async function readFileInReader(
  readers: ReaderProcesses,
  job: FileJob,
  { signal, onHead }: { readonly signal: AbortSignal; readonly onHead?: (fileTable: FileReadTable) => void },
): Promise<FileReply> {
  try {
    const reply = await readers.run({ kind: 'file', ...job }, { signal, onHead });
    if (reply.kind === 'failed') throw new GridError(reply.reason, reply.facts);
    if (reply.kind !== 'file') throw new GridError('fileDamaged');
    const { read, frame } = reply;
    if (read.kind !== 'table') return read;
    return { kind: 'table', fileTable: { ...read.fileTable, result: { ...read.fileTable.result, frame } } };
  } catch (error) {
    if (signal.aborted) throw new GridError('cancelled');
    const { reason, facts } = error instanceof ReaderEndedError ? toGridError(error) : expectGridError(error);
    throw new GridError(reason, { file: job.name, ...facts });
  }
}

function toGridError({ reason }: ReaderEndedError): GridError {
  switch (reason) {
    case 'memory':
      return new GridError('fileTooLarge', { detail: 'more than the memory of the reader' });
    case 'time':
      return new GridError('fileTooLarge', { detail: 'more than 30 seconds of reading' });
    case 'start':
      return new GridError('noReader');
  }
}

function expectGridError(error: unknown): GridError {
  if (error instanceof GridError) return error;
  throw error;
}
