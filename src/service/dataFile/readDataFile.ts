import { parseProvenance } from '../../core/dataFile/fileProvenance.ts';
import type { DataFileFormat, FileTable, FileReadResult } from '../../core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { readTextTable } from '../../core/dataFile/textTable.ts';
import { GridError, TableLimitError, type FailureDetail } from '../../core/errors.ts';
import type { ByteSource } from './byteSource.ts';
import { readJsonTable } from './jsonTable.ts';

/** The maximum size of a text file in bytes. It is in memory several times while it is read. */
const maxTextBytes = 100_000_000;

/** A request to read a file. */
export interface FileRequest {
  readonly name: string;
  readonly options: ImportOptions;
  /** The text of `<file>.meta.json` next to the file. */
  readonly sidecar: string | undefined;
}

/**
 * Reads a file in the format that its first bytes, or else its name, indicate. Takes seconds for many megabytes. `onHead`: called with the first
 * rows if the others take longer. Throws a GridError.
 */
export async function readDataFile(
  source: ByteSource,
  request: FileRequest,
  onHead: (table: FileTable) => void,
): Promise<FileReadResult> {
  try {
    const content = await readFormat(source, request, onHead);
    if (content.kind !== 'table' || content.table.provenance) return content;
    return { kind: 'table', table: { ...content.table, provenance: parseProvenance(request.sidecar) } };
  } catch (error) {
    if (error instanceof GridError) throw error;
    if (error instanceof TableLimitError) throw toLimitError(error);
    throw toReadError(error);
  }
}

function toLimitError({ problem }: TableLimitError): GridError {
  const detail: FailureDetail =
    problem === 'cellTooLong' ? 'a cell of more than 2 million characters' : 'texts of more than 20 million characters';
  return new GridError('fileTooLarge', { detail });
}

/** Converts an error of a library. Unsupported features can only be recognized by the message. */
function toReadError(error: unknown): GridError {
  const { message } = error instanceof Error ? error : { message: '' };
  const [, codec] = /unsupported compression codec: (\w{1,20})/.exec(message) ?? [];
  if (codec) return new GridError('fileUnsupported', { detail: `unsupported compression (${codec})` });
  if (/unsupported|not supported|unhandled type|Unrecognized type/i.test(message))
    return new GridError('fileUnsupported');
  return new GridError('fileDamaged');
}

async function readFormat(
  source: ByteSource,
  { name, options }: FileRequest,
  onHead: (table: FileTable) => void,
): Promise<FileReadResult> {
  const magic = Buffer.from(source.read(0, Math.min(6, source.size))).toString('latin1');
  const format = getFormat(name);
  if (/^PAR[1E]/.test(magic) && source.size >= 12)
    return (await import('./parquetTable.ts')).readParquetTable(source, options.timeZone, onHead);
  // A stream begins with a message marker; before Arrow 0.15, with the length of its schema.
  const isOldStream = format === 'arrow' && ['\0\0\x10\0', '\0\0\x14\0'].includes(magic.slice(2));
  if (magic === 'ARROW1' || magic.startsWith('\xff\xff\xff\xff') || isOldStream)
    return (await import('./arrowTable.ts')).readArrowTable(source, options.timeZone);
  if (magic.startsWith('FEA1')) throw new GridError('fileUnsupported', { detail: 'Feather version 1' });
  if (format === undefined || format === 'parquet' || format === 'arrow') throw new GridError('fileForeign');
  if (source.size > maxTextBytes) throw new GridError('fileTooLarge', { detail: 'text of more than 100 MB' });
  const bytes = source.read(0, source.size);
  return format === 'delimited' ? readTextTable(bytes, options, name) : readJsonTable(bytes, format, options);
}

function getFormat(name: string): DataFileFormat | undefined {
  const formats: Readonly<Record<string, DataFileFormat>> = {
    csv: 'delimited',
    tsv: 'delimited',
    txt: 'delimited',
    xlsx: 'delimited',
    xls: 'delimited',
    json: 'json',
    ndjson: 'ndjson',
    jsonl: 'ndjson',
    parquet: 'parquet',
    parq: 'parquet',
    pq: 'parquet',
    pqt: 'parquet',
    arrow: 'arrow',
    arrows: 'arrow',
    feather: 'arrow',
  };
  const [, extension = ''] = /\.([a-z]+)$/i.exec(name) ?? [];
  return Object.hasOwn(formats, extension.toLowerCase()) ? formats[extension.toLowerCase()] : undefined;
}
