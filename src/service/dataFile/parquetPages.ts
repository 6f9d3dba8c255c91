import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FileMetaData, SchemaTree } from 'hyparquet';
import { assembleNested } from 'hyparquet/src/assemble.js';
import { parquetHeader, readColumn } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { getTreePath, isFlatColumn } from 'hyparquet/src/schema.js';
import { GridError } from '../../core/errors.ts';
import { dayMs } from '../../shared/durations.ts';
import type { ByteSource } from './byteSource.ts';
import { hexadecimal } from './cellText.ts';
import { lz4Block } from './lz4.ts';

/** Bytes and values of a page, which writers keep near a megabyte. */
const [mostPageBytes, mostPageValues] = [256_000_000, 10_000_000];

export type RowGroup = FileMetaData['row_groups'][number];
type Leaf = NonNullable<RowGroup['columns'][number]['meta_data']>;

/** Throws a GridError where it is no number of rows. */
export function groupRows({ num_rows: rows }: RowGroup): number {
  const count = Number(rows);
  if (!Number.isSafeInteger(count) || count < 0) throw new GridError('fileDamaged');
  return count;
}

/** Instants as milliseconds, texts as they are; whatever is no text in hexadecimal digits. */
const parsers = {
  ...DEFAULT_PARSERS,
  timestampFromMilliseconds: (ms: bigint) => Number(ms),
  timestampFromMicroseconds: (micros: bigint) => Math.floor(Number(micros) / 1e3),
  timestampFromNanoseconds: (nanos: bigint) => Math.floor(Number(nanos / 1_000n) / 1e3),
  dateFromDays: (days: number) => days * dayMs,
  stringFromBytes: decodeText,
  jsonFromBytes: decodeText,
  geometryFromBytes: hexadecimal,
  geographyFromBytes: hexadecimal,
};

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

type Decompress = (bytes: Uint8Array, length: number) => Uint8Array;

function exactly(unzip: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array): Decompress {
  return (bytes, length) => unzip(bytes, { maxOutputLength: Math.max(1, length) });
}

/** Each makes as many bytes as the page's header says, which was checked, or throws. Snappy is the library's own. */
const compressors: Readonly<Record<string, Decompress>> = {
  GZIP: exactly(gunzipSync),
  BROTLI: exactly(brotliDecompressSync),
  ZSTD: exactly(zstdDecompressSync),
  LZ4_RAW: lz4Block,
};

/** The cells of a column in a row group, at least `count` of them where the file is whole, page by page. */
export function groupColumn(
  source: ByteSource,
  schema: SchemaTree,
  group: RowGroup,
  tree: SchemaTree,
  count: number,
  most?: number,
): readonly ArrayLike<unknown>[] & readonly { slice: (from: number, to: number) => ArrayLike<unknown> }[] {
  const leaves = group.columns.flatMap(({ meta_data: leaf }) =>
    leaf && leaf.path_in_schema[0] === tree.path[0] ? [leaf] : [],
  );
  const pagesOf = (leaf: Leaf): unknown[][] => {
    try {
      return leafPages(source, schema, group, leaf, count, most) as unknown[][];
    } catch (error) {
      // The first rows may need more than the beginning of the column.
      if (most === undefined) throw error;
      return leafPages(source, schema, group, leaf, count) as unknown[][];
    }
  };
  const [first] = leaves;
  if (!first) throw new GridError('fileDamaged');
  if (tree.children.length === 0) return pagesOf(first);
  const parts = new Map(leaves.map(leaf => [leaf.path_in_schema.join('.'), pagesOf(leaf).flat()]));
  assembleNested(parts, tree, parsers);
  return [parts.get(tree.path.join('.')) ?? []];
}

function leafPages(
  source: ByteSource,
  schema: SchemaTree,
  group: RowGroup,
  leaf: Leaf,
  count: number,
  most = Infinity,
): unknown {
  const { codec, type, path_in_schema: pathInSchema } = leaf;
  const [data, dictionary] = [Number(leaf.data_page_offset), Number(leaf.dictionary_page_offset ?? 0)];
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  const end = start + Number(leaf.total_compressed_size);
  const isPart = end - start > most;
  const bytes = source.read(start, isPart ? start + most : end);
  const schemaPath = getTreePath(schema, [...pathInSchema]);
  const element = schemaPath.at(-1)?.element;
  if (!element) throw new GridError('fileDamaged');
  const isFlat = isFlatColumn(schemaPath);
  checkPages(bytes, isFlat ? groupRows(group) : mostPageValues, isPart);
  const rows = groupRows(group);
  const decoder = { pathInSchema: [...pathInSchema], type, element, schemaPath, codec, parsers, compressors };
  const select = { groupStart: 0, selectStart: 0, selectEnd: count, groupRows: rows };
  return readColumn({ view: new DataView(bytes.buffer), offset: 0 }, select, decoder).data;
}

/** Throws a GridError where a page has more bytes or values than it can have, before anything is made by these numbers. */
function checkPages(bytes: Uint8Array<ArrayBuffer>, mostValues: number, isPart: boolean): void {
  const reader = { view: new DataView(bytes.buffer), offset: 0 };
  while (reader.offset < bytes.length - 1) {
    const header = readHeader(reader, isPart);
    if (!header) return;
    const { uncompressed_page_size: size, compressed_page_size: length } = header;
    const values = (header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header)?.num_values;
    const isWhole = [size, length, values ?? 0].every(number => Number.isSafeInteger(number) && number >= 0);
    if (!isWhole) throw new GridError('fileDamaged');
    if (size > mostPageBytes || (values ?? 0) > mostPageValues) throw new GridError('fileTooLarge');
    // Each entry of a dictionary takes space in it.
    const mostHere = header.dictionary_page_header ? size * 8 : mostValues;
    if ((values ?? 0) > mostHere) throw new GridError('fileDamaged');
    reader.offset += length;
    if (reader.offset > bytes.length && !isPart) throw new GridError('fileDamaged');
  }
}

function readHeader(
  reader: { view: DataView; offset: number },
  isPart: boolean,
): ReturnType<typeof parquetHeader> | undefined {
  try {
    return parquetHeader(reader);
  } catch (error) {
    // Cut off within a header.
    if (isPart) return undefined;
    throw error;
  }
}
