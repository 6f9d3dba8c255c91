import { parentPort, workerData } from 'node:worker_threads';
import type { WrittenTable } from '../../core/export/exportTable.ts';
import { withEntries, type Column } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import type { ByteChunk } from './byteChunk.ts';

/** What the thread starts with; once it is ready the columns follow, one message each, with the texts of each before it in several. */
export interface ExcelJob {
  readonly columnCount: number;
  readonly rowCount: number;
  readonly options: ExportOptions;
  readonly provenance: ExportProvenance | undefined;
}

/** What the thread says. `error`: the work failed; a failure to start is the thread's own error event. */
export type ExcelWord =
  | { readonly kind: 'ready' | 'done' }
  | { readonly kind: 'chunk'; readonly chunk: ByteChunk }
  | { readonly kind: 'error'; readonly error: Error };

/** Rows between two words of progress. */
const rowsBetween = 1024;

/** Writes the workbook of the columns it is sent, in a thread of its own. */
async function work({ columnCount, rowCount, options, provenance }: ExcelJob): Promise<void> {
  const say = (word: ExcelWord, transfer: readonly ArrayBuffer[] = []): void => parentPort?.postMessage(word, transfer);
  const { excelChunks } = await import('./excelFile.ts');
  const columns = received(columnCount);
  say({ kind: 'ready' });
  const table: WrittenTable = { columns: await columns, rowCount };
  const onRow = (rowsDone: number): void => {
    if (rowsDone % rowsBetween === 1) say({ kind: 'chunk', chunk: { bytes: new Uint8Array(), rowsDone } });
  };
  try {
    for await (const { bytes, rowsDone } of excelChunks(table, options, provenance, onRow)) {
      // Of its own, since a whole buffer goes over and some are shared.
      const own = new Uint8Array(bytes);
      say({ kind: 'chunk', chunk: { bytes: own, rowsDone } }, [own.buffer]);
    }
    say({ kind: 'done' });
  } catch (error) {
    say({ kind: 'error', error: error instanceof Error ? error : new Error(String(error)) });
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
