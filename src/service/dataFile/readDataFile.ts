import { readProvenance } from '../../core/dataFile/fileProvenance.ts';
import type { DataFileForm, FileTable, ReadFile } from '../../core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../core/dataFile/importOptions.ts';
import { textTable } from '../../core/dataFile/textTable.ts';
import { GridError, TableLimitError, type FailureDetail } from '../../core/errors.ts';
import type { ByteSource } from './byteSource.ts';
import { jsonTable } from './jsonTable.ts';

/** The maximum size of a text file in bytes. It is in memory several times while it is read. */
const mostText = 100_000_000;

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
): Promise<ReadFile> {
  try {
    const read = await readForm(source, request, onHead);
    if (read.kind !== 'table' || read.table.provenance) return read;
    return { kind: 'table', table: { ...read.table, provenance: readProvenance(request.sidecar) } };
  } catch (error) {
    if (error instanceof GridError) throw error;
    if (error instanceof TableLimitError) throw limitError(error);
    throw readingError(error);
  }
}

function limitError({ problem }: TableLimitError): GridError {
  const detail: FailureDetail =
    problem === 'cellTooLong' ? 'a cell of more than 2 million characters' : 'texts of more than 20 million characters';
  return new GridError('fileTooLarge', { detail });
}

/** Converts an error of a library. Unsupported features can only be recognized by the message. */
function readingError(error: unknown): GridError {
  const { message } = error instanceof Error ? error : { message: '' };
  const [, codec] = /unsupported compression codec: (\w{1,20})/.exec(message) ?? [];
  if (codec) return new GridError('fileUnsupported', { detail: `unsupported compression (${codec})` });
  if (/unsupported|not supported|unhandled type|Unrecognized type/i.test(message))
    return new GridError('fileUnsupported');
  return new GridError('fileDamaged');
}

async function readForm(
  source: ByteSource,
  { name, options }: FileRequest,
  onHead: (table: FileTable) => void,
): Promise<ReadFile> {
  const magic = Buffer.from(source.read(0, Math.min(6, source.size))).toString('latin1');
  const named = formOfName(name);
  if (/^PAR[1E]/.test(magic) && source.size >= 12)
    return (await import('./parquetTable.ts')).parquetTable(source, options.timeZone, onHead);
  // A stream begins with a message marker; before Arrow 0.15, with the length of its schema.
  const isOldStream = named === 'arrow' && ['\0\0\x10\0', '\0\0\x14\0'].includes(magic.slice(2));
  if (magic === 'ARROW1' || magic.startsWith('\xff\xff\xff\xff') || isOldStream)
    return (await import('./arrowTable.ts')).arrowTable(source, options.timeZone);
  if (magic.startsWith('FEA1')) throw new GridError('fileUnsupported', { detail: 'the first version of Feather' });
  if (named === undefined || named === 'parquet' || named === 'arrow') throw new GridError('fileForeign');
  if (source.size > mostText) throw new GridError('fileTooLarge', { detail: 'text of more than 100 MB' });
  const bytes = source.read(0, source.size);
  return named === 'delimited' ? textTable(bytes, options, name) : jsonTable(bytes, named, options);
}

function formOfName(name: string): DataFileForm | undefined {
  const forms: Readonly<Record<string, DataFileForm>> = {
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
  return Object.hasOwn(forms, extension.toLowerCase()) ? forms[extension.toLowerCase()] : undefined;
}
