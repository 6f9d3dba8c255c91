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

/** What is delivered somewhere, made when it is asked for. */
export interface ExportContent {
  /** Of a file, without the dot. */
  readonly extension: string;
  /** VS Code's id of the language; undefined for what is no text. */
  readonly language: string | undefined;
  /** Rows; undefined for JSON that is no table. */
  readonly rowCount: number | undefined;
  /** About how many bytes. */
  readonly size: () => Promise<number>;
  readonly text: (run: ExportRun) => Promise<string>;
  readonly chunks: (run: ExportRun) => AsyncIterable<Uint8Array>;
  /** The text of a file beside it; undefined for none. */
  readonly sidecar: string | undefined;
  /** How a program reads it from a file; undefined where none here does. */
  readonly data: Omit<DataFile, 'path'> | undefined;
}

/** A table of a result. Every file of a sandbox is marked as such, in the way that its format allows. */
export function tableContent(
  given: ExportTable,
  options: ExportOptions,
  result: Result,
  origin: ExportOrigin,
): ExportContent {
  const { extension, text, saysOrigin, times = options.times } = formats[options.format];
  const mark = dataMark(result.provenance);
  // A format without comments has its provenance in a file beside it, if that was asked for or the rows are Sample Data.
  const isInFile = saysOrigin === 'always' || (saysOrigin === 'asComment' && options.provenance === 'comment');
  // A Parquet or Arrow file always has it, and programs that read a folder of them stop at another file.
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

/** JSON that is no table, whole and readable. */
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

/** JSON that is no table as the bytes of a file, readable; other work goes on between chunks. Throws as `exportChunks`. */
export async function* jsonChunks(json: string, run: ExportRun = {}): AsyncGenerator<Uint8Array> {
  for await (const piece of paused(jsonPieces(json), run)) yield Buffer.from(piece);
}

/** As `jsonChunks`, as one text. */
export async function jsonExportText(json: string, run: ExportRun = {}): Promise<string> {
  let whole = '';
  for await (const piece of paused(jsonPieces(json), run)) whole += piece;
  return whole;
}

/** The bytes of `jsonChunks`. */
export async function jsonSize(json: string): Promise<number> {
  let bytes = 0;
  for await (const piece of paused(jsonPieces(json), {})) bytes += Buffer.byteLength(piece);
  return bytes;
}

/**
 * A name for the file of a result, without its extension: `system_state_1h_2026-05-01_2026-05-08` (days of the zone shown, or of that of
 * its days; the end not included). Marks the rows of a sandbox.
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
  // What every file system takes.
  const name = [dataset, interval, dateOf(start), dateOf(end)].map(part => part.replace(/[^\w.-]+/g, '-')).join('_');
  const mark = dataMark(answer);
  return mark === undefined ? name : `${name} ${mark}`;
}
