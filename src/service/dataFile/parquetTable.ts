import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  parquetMetadata,
  parquetRead,
  parquetSchema,
  type ColumnChunk,
  type ColumnData,
  type Compressors,
  type FileMetaData,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { compressors as codecs } from 'hyparquet-compressors';
import { tableFromIPC, type Field } from '@uwdata/flechette';
import type { FileTable, FileReadResult } from '../../core/dataFile/fileTable.ts';
import { GridError } from '../../core/errors.ts';
import { columnsKey } from '../export/byteChunk.ts';
import type { ByteSource } from './byteSource.ts';
import { byteCells, type CellReader } from './cells.ts';
import { readColumnarTable, type Chunk, type FileColumn } from './columnarTable.ts';
import { parseAllColumnMetadata } from './columnMetadata.ts';
import { removeLossyAnnotation, isTextBytes, isUint32, selectParquetCells, untypedCells } from './parquetCells.ts';

/** The maximum size of a footer. A file with thousands of columns and row groups has a footer of some megabytes. */
const maxFooterBytes = 64_000_000;
/** The maximum number of values in all lists and structures, according to the footer. */
const maxNestedValues = 50_000_000;

/** A column of the table: a leaf of the schema, or a branch, whose cells become JSON. */
interface ParquetColumn extends FileColumn {
  readonly tree: SchemaTree;
  /** The ranges of its elements in the schema, and of its leaves in each row group. */
  readonly elements: readonly [start: number, end: number];
  readonly leaves: readonly [start: number, end: number];
}

/**
 * Reads a Parquet file as a table. Its footer is checked before anything is read; the limits of the reader process protect against wrong
 * footers. `onHead`: called with the first rows as soon as they are read. Throws a GridError; any other error means that the file is damaged.
 */
export async function readParquetTable(
  source: ByteSource,
  timeZone: string | undefined,
  onHead: (table: FileTable) => void,
): Promise<FileReadResult> {
  const footer = readFooter(source);
  const groupEnds = listGroupEnds(footer);
  const metadata = new Map(footer.key_value_metadata?.map(({ key, value }) => [key, value]));
  const file = {
    fileRowCount: groupEnds.at(-1) ?? 0,
    columns: listColumns(footer, metadata),
    metadata,
    description: describeFile(footer),
    check: (columns: readonly ParquetColumn[]) => checkSizes(source, footer, columns),
    read: (column: ParquetColumn, rows: number) => readColumn(source, footer, groupEnds, column, rows),
  };
  return readColumnarTable(file, timeZone, onHead);
}

function readFooter(source: ByteSource): FileMetaData {
  const end = source.read(Math.max(0, source.size - 8), source.size);
  const magic = Buffer.from(end.subarray(4)).toString('latin1');
  if (magic === 'PARE') throw new GridError('fileUnsupported', { detail: 'encrypted' });
  if (magic !== 'PAR1') throw new GridError('fileDamaged');
  const length = new DataView(end.buffer).getUint32(0, true);
  if (length > maxFooterBytes) throw new GridError('fileTooLarge');
  const footer = source.read(source.size - 8 - length, source.size);
  return parquetMetadata(footer, { geoparquet: false });
}

function listColumns(footer: FileMetaData, metadata: ReadonlyMap<string, string | undefined>): ParquetColumn[] {
  const notes = parseAllColumnMetadata(metadata.get(columnsKey));
  const arrow = readArrowFields(metadata.get('ARROW:schema'));
  let element = 1;
  let leaf = 0;
  return parquetSchema(footer).children.map((tree, index) => {
    const { name } = tree.element;
    const elements = [element, (element += tree.count)] as const;
    const types = footer.schema.slice(...elements).filter(({ type }) => type !== undefined);
    const leaves = [leaf, (leaf += types.length)] as const;
    const isEncrypted = footer.row_groups.some(({ columns }) =>
      columns.slice(...leaves).some(chunk => chunk.crypto_metadata),
    );
    const type = arrow[index]?.name === name ? arrow[index].type : undefined;
    const cells = isEncrypted ? undefined : selectParquetCells(tree, type);
    return { tree, name, elements, leaves, cells, notes: notes.get(name) ?? {} };
  });
}

/** Reads the fields that Arrow's own writers store in the metadata: Parquet has no types for durations and bytes. */
function readArrowFields(schema: string | undefined): readonly Field[] {
  try {
    return schema === undefined ? [] : tableFromIPC(Buffer.from(schema, 'base64')).schema.fields;
  } catch {
    return [];
  }
}

/** Returns the end row of each row group. Throws a GridError if one has no valid number of rows. */
function listGroupEnds({ row_groups: groups }: FileMetaData): readonly number[] {
  let end = 0;
  return groups.map(({ num_rows: count }) => {
    if (!(count >= 0 && count <= Number.MAX_SAFE_INTEGER)) throw new GridError('fileDamaged');
    return (end += Number(count));
  });
}

/** Throws a GridError if the columns exceed the limits of bytes or values. */
function checkSizes(source: ByteSource, { row_groups: groups }: FileMetaData, columns: readonly ParquetColumn[]): void {
  let nested = 0;
  for (const { cells, leaves } of columns)
    for (const { meta_data: chunk } of groups.flatMap(group => group.columns.slice(...leaves))) {
      if (!chunk || !cells) continue;
      source.use(Number(chunk.total_uncompressed_size));
      if (cells.depth) nested += Number(chunk.num_values);
    }
  if (nested > maxNestedValues) throw new GridError('fileTooLarge', { detail: 'more than 50 million values of lists' });
}

/** Reads the values of a column in the first `rows` rows. */
async function readColumn(
  source: ByteSource,
  footer: FileMetaData,
  groupEnds: readonly number[],
  { tree, elements, leaves, cells }: ParquetColumn,
  rows: number,
): Promise<{ chunks: Chunk[]; cells?: CellReader }> {
  const schema = footer.schema.slice(...elements);
  const types = schema.filter(({ type }) => type !== undefined);
  // The metadata has only this column, since two columns may have the same name.
  const metadata = {
    ...footer,
    schema: [{ name: 'root', num_children: 1 }, ...schema.map(removeLossyAnnotation)],
    row_groups: footer.row_groups.map(group => ({
      ...group,
      columns: group.columns.slice(...leaves).map((chunk, index) => readDeltasAs64Bit(chunk, types[index])),
    })),
  };
  const file = {
    byteLength: source.size,
    slice: (start: number, end = source.size): ArrayBuffer => source.read(start, end).buffer,
  };
  const parts: ColumnData[] = [];
  const onChunk = (part: ColumnData): void => void parts.push(part);
  await parquetRead({ file, metadata, rowEnd: rows, compressors, parsers, utf8: false, onChunk });
  // The library has no value for a row in which a repeated column is empty.
  const isRepeated = tree.element.repetition_type === 'REPEATED';
  const chunks = parts.map(({ columnData, rowStart: start }) => {
    // Pages may have more values than their group has rows.
    const count = Math.min(groupEnds.find(groupEnd => groupEnd > start) ?? 0, rows) - start;
    const values = isRepeated ? Array.from(columnData, (value: unknown) => value ?? []) : columnData;
    return { start, length: Math.max(0, Math.min(values.length, count)), values };
  });
  if (chunks.reduce((filled, { length }) => filled + length, 0) < rows) throw new GridError('fileDamaged');
  const hasBytes =
    cells === untypedCells &&
    chunks.some(({ values }) => Array.from(values).some(value => value instanceof Uint8Array && !isTextBytes(value)));
  return { chunks, ...(hasBytes && { cells: byteCells }) };
}

/** Reads delta-encoded unsigned values as 64-bit integers: DuckDB writes 33 bits of the first value, of which the library would read 32. */
function readDeltasAs64Bit(chunk: ColumnChunk, element: SchemaElement | undefined): ColumnChunk {
  const { meta_data: values } = chunk;
  const isDelta = values?.encodings.every(encoding => /^(DELTA_BINARY_PACKED|RLE)$/.test(encoding)) ?? false;
  if (!values || !element || !isUint32(element) || !isDelta) return chunk;
  return { ...chunk, meta_data: { ...values, type: 'INT64' } };
}

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;
const withOutputLimit = (unzip: Decompress) => (bytes: Uint8Array, length: number) =>
  unzip(bytes, { maxOutputLength: length });

/** The decompressors. Node's own decompressors are two to ten times as fast as other libraries. */
const decompress = {
  ...codecs,
  GZIP: withOutputLimit(gunzipSync),
  BROTLI: withOutputLimit(brotliDecompressSync),
  ZSTD: withOutputLimit(zstdDecompressSync),
};

/** Some decompressors fail for an empty page. */
const compressors: Compressors = Object.fromEntries(
  Object.entries(decompress).map(([codec, unzip]) => [
    codec,
    (bytes: Uint8Array, length: number) => (length === 0 ? new Uint8Array() : unzip(bytes, length)),
  ]),
);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const parsers = {
  stringFromBytes: (bytes: Uint8Array) => decoder.decode(bytes),
  timestampFromNanoseconds: (nanos: bigint) => nanos,
};

function describeFile({ version, created_by: writer, row_groups: groups, schema }: FileMetaData): object {
  const columns = parquetSchema({ schema }).children.slice(0, 1_000);
  return {
    version,
    writer,
    rowGroups: groups.length,
    columns: columns.map(({ element: { name, type, logical_type: logical, converted_type: converted } }) => ({
      name,
      type: logical?.type ?? converted ?? type,
    })),
  };
}
