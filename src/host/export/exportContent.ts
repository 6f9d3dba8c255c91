import { exportProvenance, sidecarText, type ExportOrigin } from '../../core/export/exportProvenance.ts';
import { withMarkColumn, writtenTable } from '../../core/export/exportTable.ts';
import { formats } from '../../core/export/formats.ts';
import { isoDates, zoneOfRows } from '../../core/bins/dayInterval.ts';
import { dataLine, dataMark } from '../../core/query/serviceMeta.ts';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import { exportedData } from '../../core/snippets/exportedData.ts';
import { estimateSize, exportChunks, exportText, type ExportRun, paused } from '../../service/export/exporter.ts';
import type { ExportOptions, ExportTable } from '../../shared/exportOptions.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Result, Provenance } from '../../shared/result.ts';
import { jsonPieces } from '../../core/json/formatJson.ts';

/** The content of an export, which is created on demand. */
export interface ExportContent {
  /** The file extension without the dot. */
  readonly extension: string;
  /** VS Code's language id; undefined for binary formats. */
  readonly language: string | undefined;
  /** The number of rows; undefined for JSON that is not a table. */
  readonly rowCount: number | undefined;
  /** Estimates the size in bytes. */
  readonly size: () => Promise<number>;
  readonly text: (run: ExportRun) => Promise<string>;
  readonly chunks: (run: ExportRun) => AsyncIterable<Uint8Array>;
  /** The content of the metadata file; undefined if there is none. */
  readonly sidecar: string | undefined;
  /** How a program reads the file; undefined if there is no snippet for the format. */
  readonly data: Omit<DataFile, 'path'> | undefined;
}

/** Creates the content for a table of a result. Sample Data is marked as such, in the way that the format allows. */
export function tableContent(
  given: ExportTable,
  options: ExportOptions,
  result: Result,
  origin: ExportOrigin,
): ExportContent {
  const { extension, text, saysOrigin, times = options.times } = formats[options.format];
  const mark = dataMark(result.provenance);
  // For a format without comments, the provenance goes to a metadata file, if it was requested or the rows are Sample Data.
  const isInFile = saysOrigin === 'always' || (saysOrigin === 'asComment' && options.provenance === 'comment');
  // Parquet and Arrow files contain the provenance, and programs that read a folder of them fail on other files.
  const isBeside =
    options.provenance === 'sidecar'
      ? options.format !== 'parquet' && options.format !== 'arrow'
      : (options.provenance === 'comment' || mark !== undefined) && !isInFile;
  const table = mark !== undefined && !isInFile ? withMarkColumn(given, mark) : given;
  const provenance = exportProvenance(result, table, { ...options, times }, origin);
  const written = writtenTable(table);
  const data = exportedData(written, options);
  return {
    extension,
    language: text?.language,
    rowCount: written.rowCount,
    size: async () => estimateSize(written, options),
    text: async run => exportText(written, options, provenance, run),
    chunks: run => exportChunks(written, options, provenance, run),
    data: data && { ...data, sample: dataLine(result.provenance) },
    sidecar: isBeside ? sidecarText(provenance) : undefined,
  };
}

/** Creates the content for JSON that is not a table. */
export function jsonContent(json: string): ExportContent {
  return {
    extension: 'json',
    language: 'json',
    rowCount: undefined,
    sidecar: undefined,
    data: undefined,
    size: async () => jsonSize(json),
    text: async run => jsonExportText(json, run),
    chunks: run => jsonChunks(json, run),
  };
}

/** Yields formatted JSON as the bytes of a file, with pauses for other work. Throws the same errors as `exportChunks`. */
export async function* jsonChunks(json: string, run: ExportRun = {}): AsyncGenerator<Uint8Array> {
  for await (const piece of paused(jsonPieces(json), run)) yield Buffer.from(piece);
}

/** Returns formatted JSON as one text. */
export async function jsonExportText(json: string, run: ExportRun = {}): Promise<string> {
  let whole = '';
  for await (const piece of paused(jsonPieces(json), run)) whole += piece;
  return whole;
}

/** Returns the size of formatted JSON in bytes. */
export async function jsonSize(json: string): Promise<number> {
  let bytes = 0;
  for await (const piece of paused(jsonPieces(json), {})) bytes += Buffer.byteLength(piece);
  return bytes;
}

/**
 * Returns a file name for a result, without extension: `system_state_1h_2026-05-01_2026-05-08`. The dates are in the displayed
 * zone or the zone of its days, and the end is exclusive. Sample Data is marked.
 */
export function exportName(
  {
    dataset,
    interval,
    start,
    end,
    ...answer
  }: Pick<Provenance, 'dataset' | 'interval' | 'start' | 'end' | 'days' | 'sample' | 'meta'>,
  shown: DisplayZone,
): string {
  const dateOf = isoDates(answer.days?.timeZone ?? zoneOfRows(interval, shown).timeZone);
  // Only characters that every file system accepts.
  const name = [dataset, interval, dateOf(start), dateOf(end)].map(part => part.replace(/[^\w.-]+/g, '-')).join('_');
  const mark = dataMark(answer);
  return mark === undefined ? name : `${name} ${mark}`;
}
