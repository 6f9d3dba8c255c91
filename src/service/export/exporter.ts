import { setImmediate } from 'node:timers/promises';
import { createTableToWrite, type TableToWrite } from '../../core/export/exportTable.ts';
import { exportFormatDescriptors, createTextLayout } from '../../core/export/formats.ts';
import { writeTextChunks, type TextChunk } from '../../core/export/cellWriter.ts';
import { takeRows } from '../../core/frame/clip.ts';
import type { ExportFormat, ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { throwIfStopped } from '../../core/errors.ts';
import type { ByteChunk, FileWriter } from './byteChunk.ts';
import { checkExcelLimits } from './excelLimits.ts';

/** The maximum number of rows, columns and cells of the sample for an estimate, which has at least one row. */
const sampleLimits = { rows: 512, columns: 128, cells: 16_384 } as const;

/** How an export reports progress and is stopped. */
export interface ExportRunOptions {
  /** Once aborted, the export throws a GridError ("cancelled") at the next chunk. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows written so far. */
  readonly onProgress?: ((rowsDone: number) => void) | undefined;
}

/**
 * Writes the table as the bytes of a file, in chunks; other work runs between them. The frame's arrays must not change until the end. Throws a
 * GridError ("cancelled") when aborted, and ExcelLimitError for a table that exceeds Excel's limits.
 */
export async function* exportChunks(
  table: TableToWrite,
  options: ExportOptions,
  provenance?: ExportProvenance,
  run: ExportRunOptions = {},
): AsyncGenerator<Uint8Array> {
  const { format } = options;
  const layout = createTextLayout(table, options, provenance);
  const chunks = layout ? writeTextChunks(layout, table) : (await loadWriter(format))(table, options, provenance);
  if (layout && format === 'csv' && options.dialect === 'semicolon') yield Buffer.from('\uFEFF');
  for await (const chunk of withPauses<TextChunk | ByteChunk>(chunks, run)) {
    run.onProgress?.(chunk.rowsDone);
    // UTF-8 cannot encode a lone surrogate, which becomes U+FFFD.
    const bytes = 'text' in chunk ? Buffer.from(chunk.text) : chunk.bytes;
    if (bytes.length > 0) yield bytes;
  }
}

/**
 * Writes the table as a string without a byte order mark, for the clipboard or an editor. Only for text formats. Throws the errors of
 * `exportChunks`, and a RangeError for a text longer than V8 allows (about 500 million characters).
 */
export async function exportText(
  table: TableToWrite,
  options: ExportOptions,
  provenance?: ExportProvenance,
  run: ExportRunOptions = {},
): Promise<string> {
  const layout = createTextLayout(table, options, provenance);
  if (!layout) throw new RangeError(`${options.format} is not a text format`);
  let text = '';
  for await (const { text: chunk, rowsDone } of withPauses(writeTextChunks(layout, table), run)) {
    run.onProgress?.(rowsDone);
    text += chunk;
  }
  return text;
}

/** Estimates the size of the export in bytes from a sample of its rows and columns. Throws ExcelLimitError. */
export async function estimateSize(table: TableToWrite, options: ExportOptions): Promise<number> {
  if (options.format === 'xlsx') checkExcelLimits(table, options);
  const { rowCount } = table;
  // The sample of a text format has all columns, since one may take most of the space; in other formats each column is slow to write.
  const width = table.columns.length;
  const maxColumns = exportFormatDescriptors[options.format].text ? width : sampleLimits.columns;
  const columns = sampleIndexes(width, maxColumns).flatMap(index => table.columns[index] ?? []);
  const count = Math.max(1, Math.min(sampleLimits.rows, Math.floor(sampleLimits.cells / Math.max(1, columns.length))));
  const sampleRows = Uint32Array.from(sampleIndexes(rowCount, count), index => table.rows?.[index] ?? index);
  // The sample is a separate table, since some formats read all rows of a column.
  const sample = takeRows({ rowCount, columns }, sampleRows);
  const share = width / Math.max(1, columns.length);
  const emptyBytes = await countBytes(createTableToWrite({ frame: sample, rows: new Uint32Array() }), options);
  if (rowCount === 0) return Math.round(emptyBytes * share);
  const sampleBytes = await countBytes(createTableToWrite({ frame: sample }), options);
  return Math.round((emptyBytes + (sampleBytes - emptyBytes) * (rowCount / sample.rowCount)) * share);
}

/** Returns at most `count` indexes below `length`, evenly distributed. */
function sampleIndexes(length: number, count: number): number[] {
  const indexCount = Math.min(length, count);
  return Array.from({ length: indexCount }, (_, index) => Math.floor((index * length) / indexCount));
}

async function countBytes(table: TableToWrite, options: ExportOptions): Promise<number> {
  let bytes = 0;
  for await (const chunk of exportChunks(table, options)) bytes += chunk.length;
  return bytes;
}

/** Yields the chunks with a pause for other work after each. Throws a GridError ("cancelled") when aborted. */
export async function* withPauses<T>(
  chunks: Iterable<T> | AsyncIterable<T>,
  { signal }: ExportRunOptions,
): AsyncGenerator<T> {
  throwIfStopped(signal);
  for await (const chunk of chunks) {
    yield chunk;
    await setImmediate();
    throwIfStopped(signal);
  }
}

/** The writers of binary formats. Their libraries are loaded on first use. */
const writers: Readonly<Partial<Record<ExportFormat, () => Promise<FileWriter>>>> = {
  parquet: async () => (await import('./parquetFile.ts')).parquetChunks,
  arrow: async () => (await import('./arrowFile.ts')).arrowChunks,
  xlsx: async () => (await import('./excelFile.ts')).excelChunks,
};

async function loadWriter(format: ExportFormat): Promise<FileWriter> {
  const load = writers[format];
  if (!load) throw new Error(`unknown export format ${format}`);
  return load();
}
