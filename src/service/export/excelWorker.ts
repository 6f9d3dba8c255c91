import { parentPort, workerData } from 'node:worker_threads';
import type { WrittenTable } from '../../core/export/exportTable.ts';
import { withEntries, type Column } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import type { ByteChunk } from './byteChunk.ts';

/** What the thread starts with. Once it is ready it is sent the columns, one message each, after several with the column's texts. */
export interface ExcelJob {
  readonly columnCount: number;
  readonly rowCount: number;
  readonly options: ExportOptions;
  readonly provenance: ExportProvenance | undefined;
}

/** What the thread sends. `error`: the work failed; a failure to start is an error event of the thread. */
export type ExcelMessage =
  | { readonly kind: 'ready' | 'done' }
  | { readonly kind: 'chunk'; readonly chunk: ByteChunk }
  | { readonly kind: 'error'; readonly error: Error };

/** Rows between two progress messages. */
const rowsBetween = 1024;

/** Writes a workbook of the columns that the thread is sent. */
async function work({ columnCount, rowCount, options, provenance }: ExcelJob): Promise<void> {
  const send = (message: ExcelMessage, transfer: readonly ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, transfer);
  const { excelChunks } = await import('./excelFile.ts');
  const columns = received(columnCount);
  send({ kind: 'ready' });
  const table: WrittenTable = { columns: await columns, rowCount };
  const onRow = (rowsDone: number): void => {
    if (rowsDone % rowsBetween === 1) send({ kind: 'chunk', chunk: { bytes: new Uint8Array(), rowsDone } });
  };
  try {
    for await (const { bytes, rowsDone } of excelChunks(table, options, provenance, onRow)) {
      // A copy, since buffers are transferred as a whole and may be shared.
      const own = new Uint8Array(bytes);
      send({ kind: 'chunk', chunk: { bytes: own, rowsDone } }, [own.buffer]);
    }
    send({ kind: 'done' });
  } catch (error) {
    send({ kind: 'error', error: error instanceof Error ? error : new Error(String(error)) });
  }
  parentPort?.close();
}

async function received(count: number): Promise<readonly Column[]> {
  return new Promise(resolve => {
    const columns: Column[] = [];
    let texts: string[] = [];
    if (count === 0) resolve(columns);
    parentPort?.on('message', (part: Column | readonly string[]) => {
      if (!('kind' in part)) {
        for (const text of part) texts.push(text);
        return;
      }
      const isLast = columns.push(withEntries(part, texts)) === count;
      texts = [];
      if (isLast) resolve(columns);
    });
  });
}

void work(workerData as ExcelJob);
