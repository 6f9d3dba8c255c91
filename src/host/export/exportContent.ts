import { createExportProvenance, formatSidecar, type ExportOrigin } from '../../core/export/exportProvenance.ts';
import { addMarkColumn, createTableToWrite } from '../../core/export/exportTable.ts';
import { exportFormatDescriptors } from '../../core/export/formats.ts';
import { createIsoDateFormatter, getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { formatDataSentence, getDataMark } from '../../core/query/serviceMeta.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import { describeExportedData } from '../../core/snippets/exportedData.ts';
import {
  estimateSize,
  exportChunks,
  exportText,
  type ExportRunOptions,
  withPauses,
} from '../../service/export/exporter.ts';
import type { ExportOptions, ExportTable } from '../../shared/exportOptions.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Result, Provenance } from '../../shared/result.ts';
import { formatJsonPieces } from '../../core/json/formatJson.ts';

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
  readonly text: (run: ExportRunOptions) => Promise<string>;
  readonly chunks: (run: ExportRunOptions) => AsyncIterable<Uint8Array>;
  /** The content of the metadata file; undefined if there is none. */
  readonly sidecar: string | undefined;
  /** How a program reads the file; undefined if there is no snippet for the format. */
  readonly data: Omit<DataFile, 'path'> | undefined;
}

/** Creates the content for a table of a result. Sample Data is marked as such, in the way that the format allows. */
export function tableContent(
  sourceTable: ExportTable,
  options: ExportOptions,
  result: Result,
  origin: ExportOrigin,
): ExportContent {
  const { extension, text, provenanceIn, times = options.times } = exportFormatDescriptors[options.format];
  const mark = getDataMark(result.provenance);
  // For a format without comments, the provenance goes to a metadata file, if it was requested or the rows are Sample Data.
  const hasProvenance = provenanceIn === 'always' || (provenanceIn === 'asComment' && options.provenance === 'comment');
  // Parquet and Arrow files contain the provenance, and programs that read a folder of them fail on other files.
  const hasSidecar =
    options.provenance === 'sidecar'
      ? options.format !== 'parquet' && options.format !== 'arrow'
      : (options.provenance === 'comment' || mark !== undefined) && !hasProvenance;
  const table = mark !== undefined && !hasProvenance ? addMarkColumn(sourceTable, mark) : sourceTable;
  const provenance = createExportProvenance(result, table, { ...options, times }, origin);
  const fileTable = createTableToWrite(table);
  const data = describeExportedData(fileTable, options);
  return {
    extension,
    language: text?.language,
    rowCount: fileTable.rowCount,
    size: async () => estimateSize(fileTable, options),
    text: async run => exportText(fileTable, options, provenance, run),
    chunks: run => exportChunks(fileTable, options, provenance, run),
    data: data && { ...data, sample: formatDataSentence(result.provenance) },
    sidecar: hasSidecar ? formatSidecar(provenance) : undefined,
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
export async function* jsonChunks(json: string, run: ExportRunOptions = {}): AsyncGenerator<Uint8Array> {
  for await (const piece of withPauses(formatJsonPieces(json), run)) yield Buffer.from(piece);
}

/** Returns formatted JSON as one text. */
export async function jsonExportText(json: string, run: ExportRunOptions = {}): Promise<string> {
  let whole = '';
  for await (const piece of withPauses(formatJsonPieces(json), run)) whole += piece;
  return whole;
}

/** Returns the size of formatted JSON in bytes. */
export async function jsonSize(json: string): Promise<number> {
  let bytes = 0;
  for await (const piece of withPauses(formatJsonPieces(json), {})) bytes += Buffer.byteLength(piece);
  return bytes;
}

/** The facts of a result from which its file name is formatted. */
export interface ExportNameFacts extends Span {
  readonly dataset: string;
  readonly interval: string;
  readonly days?: NonNullable<Provenance['days']>;
  readonly sample?: true;
  readonly meta: Provenance['meta'];
}

/**
 * Returns a file name for a result, without extension: `system_state_1h_2026-05-01_2026-05-08`. The dates are in the displayed
 * zone or the zone of its days, and the end is exclusive. Sample Data is marked.
 */
export function exportName(
  { dataset, interval, start, end, ...provenance }: ExportNameFacts,
  displayZone: DisplayZone,
): string {
  const formatDate = createIsoDateFormatter(provenance.days?.timeZone ?? getZoneOfRows(interval, displayZone).timeZone);
  // Only characters that every file system accepts.
  const name = [dataset, interval, formatDate(start), formatDate(end)]
    .map(part => part.replace(/[^\w.-]+/g, '-'))
    .join('_');
  const mark = getDataMark(provenance);
  return mark === undefined ? name : `${name} ${mark}`;
}
