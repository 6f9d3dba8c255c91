import { setImmediate } from 'node:timers/promises';
import { takeRows } from '../../core/frame/clip.ts';
import { writtenTable, type WrittenTable } from '../../core/export/exportTable.ts';
import { isTextFormat, textLayout, type TextFormat } from '../../core/export/textFile.ts';
import { textChunks, type TextChunk } from '../../core/export/textLayout.ts';
import type { ExportFormat, ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { throwIfStopped } from '../pausedSteps.ts';
import type { ByteChunk, FileWriter } from './byteChunk.ts';
import { checkExcelLimits } from './excelLimits.ts';
import { excelApart } from './excelThread.ts';

/** Rows, columns and cells that an estimate is made from, at most; one row at least. */
const most = { rows: 512, columns: 128, cells: 16_384 } as const;

/** How an export is watched and stopped. */
export interface ExportRun {
  /** Aborted: the export throws a GridError ("cancelled") at the next chunk. */
  readonly signal?: AbortSignal | undefined;
  /** Rows whose bytes have been made so far. */
  readonly onProgress?: ((rowsDone: number) => void) | undefined;
}

/**
 * The table as the bytes of a file, chunk by chunk; other work goes on between chunks. The frame's arrays must stay as they
 * are until the end. Throws a GridError ("cancelled") when stopped, and ExcelLimitError for what Excel cannot hold.
 */
export async function* exportChunks(
  table: WrittenTable,
  options: ExportOptions,
  provenance?: ExportProvenance,
  run: ExportRun = {},
): AsyncGenerator<Uint8Array> {
  const { format } = options;
  const chunks = isTextFormat(format)
    ? encoded(textPieces(table, format, options, provenance), format === 'csv' && options.dialect === 'semicolon')
    : (await writerOf(format))(table, options, provenance, run.signal);
  for await (const { bytes, rowsDone } of paused(chunks, run)) {
    run.onProgress?.(rowsDone);
    if (bytes.length > 0) yield bytes;
  }
}

/**
 * The table as one text without a byte order mark, for the clipboard or an editor; for text formats alone. Throws as
 * `exportChunks`, and a RangeError for a text longer than there can be (about 500 million characters).
 */
export async function exportText(
  table: WrittenTable,
  options: ExportOptions,
  provenance?: ExportProvenance,
  run: ExportRun = {},
): Promise<string> {
  const { format } = options;
  if (!isTextFormat(format)) throw new RangeError(`${format} is no text`);
  let whole = '';
  for await (const { text, rowsDone } of paused(textPieces(table, format, options, provenance), run)) {
    run.onProgress?.(rowsDone);
    whole += text;
  }
  return whole;
}

/** About how many bytes the export will have, from some of its rows and columns. Throws ExcelLimitError. */
export async function estimateSize(table: WrittenTable, options: ExportOptions): Promise<number> {
  if (options.format === 'xlsx') checkExcelLimits(table, options);
  const { rowCount } = table;
  // A text shows all columns, since one of them may have most of it; in the other formats each costs much of itself.
  const width = table.columns.length;
  const mostColumns = isTextFormat(options.format) ? width : most.columns;
  const columns = spread(width, mostColumns).flatMap(at => table.columns[at] ?? []);
  const count = Math.max(1, Math.min(most.rows, Math.floor(most.cells / Math.max(1, columns.length))));
  const places = Uint32Array.from(spread(rowCount, count), at => table.rows?.[at] ?? at);
  // A table of its own: some formats look through all rows that a column has.
  const sample = takeRows({ rowCount, columns }, places);
  const share = width / Math.max(1, columns.length);
  const empty = await bytesOf(writtenTable({ frame: sample, rows: new Uint32Array() }), options);
  if (rowCount === 0) return Math.round(empty * share);
  const some = await bytesOf(writtenTable({ frame: sample }), options);
  return Math.round((empty + (some - empty) * (rowCount / sample.rowCount)) * share);
}

/** Places among `length`, no more than `count`, evenly over all. */
function spread(length: number, count: number): number[] {
  const most = Math.min(length, count);
  return Array.from({ length: most }, (_, at) => Math.floor((at * length) / most));
}

async function bytesOf(table: WrittenTable, options: ExportOptions): Promise<number> {
  let bytes = 0;
  for await (const chunk of exportChunks(table, options)) bytes += chunk.length;
  return bytes;
}

function textPieces(
  table: WrittenTable,
  format: TextFormat,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
): Generator<TextChunk> {
  return textChunks(textLayout(table, format, options, provenance), table);
}

/** UTF-8; half a surrogate pair, which UTF-8 cannot say, becomes U+FFFD. */
function* encoded(pieces: Iterable<TextChunk>, byteOrderMark: boolean): Generator<ByteChunk> {
  if (byteOrderMark) yield { bytes: Buffer.from('\uFEFF'), rowsDone: 0 };
  for (const { text, rowsDone } of pieces) yield { bytes: Buffer.from(text), rowsDone };
}

/** The chunks, with a turn for others after each. Throws a GridError ("cancelled") when stopped. */
export async function* paused<T>(chunks: Iterable<T> | AsyncIterable<T>, { signal }: ExportRun): AsyncGenerator<T> {
  throwIfStopped(signal);
  for await (const chunk of chunks) {
    yield chunk;
    await setImmediate();
    throwIfStopped(signal);
  }
}

/** Each writer brings its library along, read when first used. */
async function writerOf(format: Exclude<ExportFormat, TextFormat>): Promise<FileWriter> {
  switch (format) {
    case 'parquet':
      return (await import('./parquetFile.ts')).parquetChunks;
    case 'arrow':
      return (await import('./arrowFile.ts')).arrowChunks;
    case 'xlsx':
      return excelApart;
  }
}
