import { on } from 'node:events';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { WrittenTable } from '../../core/export/exportTable.ts';
import { stepTexts, runSteps } from '../../core/time/steps.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { throwIfStopped } from '../pausedSteps.ts';
import { isOutOfMemory, startWorker } from '../worker.ts';
import { columnBuffers, dictionaryOf, withEntries } from '../../shared/frame.ts';
import type { ByteChunk } from './byteChunk.ts';
import { checkExcelLimits, ExcelLimitError } from './excelLimits.ts';
import type { ExcelJob, ExcelMessage } from './excelWorker.ts';
import { takeRowsSteps } from '../../core/frame/clip.ts';

/** A table of so few cells is written sooner than a thread starts. */
const fewCells = 10_000;

/** Beside this file, in the sources as in the build. */
const workerFile = join(import.meta.dirname, `excelWorker${extname(import.meta.filename)}`);

/**
 * A workbook, made in another thread unless it is small or no thread can be started. Throws ExcelLimitError for what Excel
 * cannot hold, and as `exportChunks`. `file`: what the thread runs.
 */
export async function* excelChunksInThread(
  table: WrittenTable,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
  signal: AbortSignal | undefined,
  file = workerFile,
): AsyncGenerator<ByteChunk> {
  checkExcelLimits(table, options);
  const { columns, rowCount } = table;
  try {
    const isDone =
      columns.length * rowCount > fewCells && (yield* threadChunks(file, table, { options, provenance }, signal));
    if (!isDone) yield* (await import('./excelFile.ts')).excelChunks(table, options, provenance);
  } catch (error) {
    throw isTooLarge(error) ? new ExcelLimitError('size') : error;
  }
}

/** The file as the thread makes it; returns true at its end, false where the thread did not start. */
async function* threadChunks(
  file: string,
  table: WrittenTable,
  given: Pick<ExcelJob, 'options' | 'provenance'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ByteChunk, boolean> {
  const { columns, rowCount } = table;
  const workerData: ExcelJob = { ...given, columnCount: columns.length, rowCount };
  const worker = startWorker(file, { workerData });
  if (!worker) return false;
  const options = { close: ['exit'], ...(signal && { signal }) };
  let isReady = false;
  try {
    for await (const [message] of on(worker, 'message', options) as AsyncIterable<[ExcelMessage]>) {
      switch (message.kind) {
        case 'ready':
          isReady = true;
          await sendTable(worker, table, signal);
          break;
        case 'chunk':
          yield message.chunk;
          break;
        case 'done':
          return true;
        case 'error':
          throw message.error;
      }
    }
    if (!isReady) return false;
    throw new Error('The thread that writes the Excel file ended before its end');
  } catch (error) {
    throwIfStopped(signal);
    if (!isReady) return false;
    throw error;
  } finally {
    await worker.terminate();
  }
}

/**
 * Copies the rows of each column and transfers the copy, with a pause after each; its texts are sent before it, in pieces, since
 * sending copies them. The caller's arrays are not changed.
 */
async function sendTable(
  worker: Worker,
  { columns, rows, rowCount }: WrittenTable,
  signal?: AbortSignal,
): Promise<void> {
  const places = rows ?? new Uint32Array(rowCount).map((_, at) => at);
  for (const column of columns) {
    const texts = dictionaryOf(column)?.entries ?? [];
    for (let from = 0; from < texts.length; from += stepTexts) {
      worker.postMessage(texts.slice(from, from + stepTexts));
      await setImmediate();
      if (signal?.aborted) return;
    }
    const { columns: copies } = runSteps(takeRowsSteps({ rowCount, columns: [withEntries(column, [])] }, places));
    for (const copy of copies) worker.postMessage(copy, columnBuffers(copy));
    await setImmediate();
    if (signal?.aborted) return;
  }
}

/** The library makes a sheet as one text, which can exceed V8's limit; or the thread ran out of memory. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof RangeError) return error.message.includes('string length');
  return isOutOfMemory(error);
}
