import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { FileTable, ReadFile } from '../../core/dataFile/fileTable.ts';
import { GridError } from '../../core/errors.ts';
import { isOutOfMemory, startWorker } from '../worker.ts';
import type { FileJob, FileReply } from './dataFileWorker.ts';

/** As for answers; numbers are beside it. A file that is made to take more ends the thread, not the window. */
const maxOldGenerationSizeMb = 2_048;

/** Far more than the largest table takes: for whatever the libraries can be made to do in spite of the checks before them. */
const mostReadingMs = 300_000;

/** Beside this file, in the sources as in the build. */
const workerFile = join(import.meta.dirname, `dataFileWorker${extname(import.meta.filename)}`);

/**
 * Reads a file in a thread of its own, which ends with it. `onHead`: called with the first rows where the others take longer. `limitMs`: how
 * long that may take. Throws a GridError, "cancelled" once the signal is aborted.
 */
export async function readFileInThread(
  job: FileJob,
  {
    signal,
    onHead,
    limitMs = mostReadingMs,
  }: { readonly signal: AbortSignal; readonly onHead?: (table: FileTable) => void; readonly limitMs?: number },
): Promise<ReadFile> {
  if (signal.aborted) throw new GridError('cancelled');
  const worker = startWorker(workerFile, { workerData: job, resourceLimits: { maxOldGenerationSizeMb } });
  if (!worker) throw new GridError('fileTooLarge', { detail: 'more than the memory of the reader' });
  const settled = new AbortController();
  const ended = once(worker, 'exit', { signal: settled.signal });
  // The loser of the race is aborted.
  ended.catch(() => undefined);
  let limit: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ReadFile>((resolve, reject) => {
      const end = (): void => reject(new GridError('fileTooLarge', { detail: 'more than five minutes of reading' }));
      limit = setTimeout(end, limitMs);
      signal.addEventListener('abort', () => reject(new GridError('cancelled')), { signal: settled.signal });
      worker.on('message', (reply: FileReply) => {
        if (reply.kind === 'head') onHead?.(reply.table);
        else if (reply.kind === 'read') resolve(reply.file);
        else reject(new GridError(reply.reason, reply.facts));
      });
      worker.on('error', error =>
        reject(
          isOutOfMemory(error)
            ? new GridError('fileTooLarge', { detail: 'more than the memory of the reader' })
            : new GridError('fileDamaged'),
        ),
      );
      ended.then(
        () => reject(new GridError('fileDamaged')),
        () => undefined,
      );
    });
  } finally {
    clearTimeout(limit);
    settled.abort();
    await worker.terminate();
  }
}
