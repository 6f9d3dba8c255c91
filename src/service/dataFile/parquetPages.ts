import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FileMetaData, SchemaTree } from 'hyparquet';
import { assembleNested } from 'hyparquet/src/assemble.js';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { getTreePath, isFlatColumn } from 'hyparquet/src/schema.js';
import type { ColumnDecoder, DecodedArray, PageHeader } from 'hyparquet/src/types.js';
import { GridError } from '../../core/errors.ts';
import { dayMs } from '../../shared/durations.ts';
import type { ByteSource } from './byteSource.ts';
import { hexadecimal } from './cellText.ts';
import { lz4Block, snappyBlock } from './compressedBlocks.ts';
import { checkRuns, mostPageValues, NumberView } from './parquetRuns.ts';

/** Bytes of a page, which writers keep near a megabyte. */
const mostPageBytes = 256_000_000;
/** Lists and records that the values of a nested column are in. */
const mostNested = 50_000_000;

type WrittenGroup = FileMetaData['row_groups'][number];
type Leaf = NonNullable<WrittenGroup['columns'][number]['meta_data']>;

/** Rows that are stored together. */
export interface RowGroup {
  readonly rows: number;
  /** The parts of each column by its name. */
  readonly leaves: ReadonlyMap<string | undefined, readonly Leaf[]>;
}

/** Throws a GridError where the group has no number of rows. */
export function rowGroup({ num_rows: count, columns }: WrittenGroup): RowGroup {
  const rows = Number(count);
  if (!Number.isSafeInteger(rows) || rows < 0) throw new GridError('fileDamaged');
  const leaves = columns.flatMap(({ meta_data: leaf }) => leaf ?? []);
  return { rows, leaves: Map.groupBy(leaves, ({ path_in_schema: [name] }) => name) };
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

/** Each makes as many bytes as the page's header says, which was checked, or throws. */
const compressors: Readonly<Record<string, Decompress>> = {
  GZIP: exactly(gunzipSync),
  BROTLI: exactly(brotliDecompressSync),
  ZSTD: exactly(zstdDecompressSync),
  LZ4_RAW: lz4Block,
  SNAPPY: snappyBlock,
};

/** The cells of a column in a row group, at least `count` of them where the file is whole, page by page. `most`: bytes that are tried first. */
export function groupColumn(
  source: ByteSource,
  schema: SchemaTree,
  { rows, leaves: all }: RowGroup,
  tree: SchemaTree,
  count: number,
  most?: number,
): readonly DecodedArray[] {
  const leaves = all.get(tree.path[0]) ?? [];
  const pagesOf = (leaf: Leaf): DecodedArray[] => {
    try {
      return leafPages(source, schema, rows, leaf, count, most);
    } catch (error) {
      // The first rows may need more than the beginning of the column.
      if (most === undefined) throw error;
      return leafPages(source, schema, rows, leaf, count);
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
  rows: number,
  leaf: Leaf,
  count: number,
  most = Infinity,
): DecodedArray[] {
  const [data, dictionary] = [Number(leaf.data_page_offset), Number(leaf.dictionary_page_offset ?? 0)];
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  const bytes = source.read(start, start + Math.min(Number(leaf.total_compressed_size), most));
  const pathInSchema = [...leaf.path_in_schema];
  const schemaPath = getTreePath(schema, pathInSchema);
  const element = schemaPath.at(-1)?.element;
  if (!element) throw new GridError('fileDamaged');
  const decoder: ColumnDecoder = { pathInSchema, type: leaf.type, element, schemaPath, codec: 'UNCOMPRESSED', parsers };
  const isFlat = isFlatColumn(schemaPath);
  const reader = { view: new NumberView(bytes.buffer), offset: 0 };
  const pages: DecodedArray[] = [];
  let entries: DecodedArray | undefined;
  let [cells, nested] = [0, 0];
  while (reader.offset < bytes.length - 1 && !(isFlat && cells >= count)) {
    const { header, values, page } = nextPage(source, reader, leaf.codec, isFlat ? rows : mostPageValues);
    nested += isFlat ? 0 : values * schemaPath.length;
    if (nested > mostNested) throw new GridError('fileTooLarge');
    checkRuns(page, header, decoder, source.use);
    const last = pages.at(-1);
    const before = last?.length ?? 0;
    const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    const { data: read = [] } = readPage({ view, offset: 0 }, header, decoder, entries, last, 0);
    if (header.type === 'DICTIONARY_PAGE') entries = convert(read, decoder);
    else {
      // The library adds to the last page where it can.
      cells += read === last ? read.length - before : read.length;
      if (read !== last && read.length > 0) pages.push(read);
    }
  }
  return pages;
}

/**
 * The next page, decompressed, and the header of such a page. Throws a GridError where it has more bytes or values than it can have, before
 * anything is made by these numbers.
 */
function nextPage(
  source: ByteSource,
  reader: { readonly view: DataView; offset: number },
  codec: Leaf['codec'],
  mostValues: number,
): { readonly header: PageHeader; readonly values: number; readonly page: Uint8Array } {
  const written = parquetHeader(reader);
  const { type, uncompressed_page_size: size, compressed_page_size: length } = written;
  const first = type === 'DATA_PAGE' ? written.data_page_header : undefined;
  const second = type === 'DATA_PAGE_V2' ? written.data_page_header_v2 : undefined;
  const entries = type === 'DICTIONARY_PAGE' ? written.dictionary_page_header : undefined;
  const own = first ?? second ?? entries;
  if (!own) throw new GridError('fileDamaged');
  const { num_values: values } = own;
  const {
    num_nulls: nulls,
    repetition_levels_byte_length: repetition,
    definition_levels_byte_length: definition,
  } = second ?? { num_nulls: 0, repetition_levels_byte_length: 0, definition_levels_byte_length: 0 };
  if (![size, length, values, nulls, repetition, definition].every(count => Number.isSafeInteger(count) && count >= 0))
    throw new GridError('fileDamaged');
  if (size > mostPageBytes || values > mostPageValues) throw new GridError('fileTooLarge');
  const ahead = repetition + definition;
  // Each entry of a dictionary takes space in it.
  if (values > (entries ? size * 8 : mostValues) || nulls > values || ahead > Math.min(size, length))
    throw new GridError('fileDamaged');
  if (reader.offset + length > reader.view.byteLength) throw new GridError('fileDamaged');
  const bytes = new Uint8Array(reader.view.buffer, reader.offset, length);
  reader.offset += length;
  source.use(size);
  const rest = bytes.subarray(ahead);
  // A page without values may have no bytes, which is no stream of any codec.
  const isPlain = second?.is_compressed === false || rest.length === 0;
  const plain = isPlain ? rest : decompressPage(rest, size - ahead, codec, compressors);
  const page = ahead === 0 ? plain : Buffer.concat([bytes.subarray(0, ahead), plain]);
  const header: PageHeader = {
    type,
    uncompressed_page_size: page.length,
    compressed_page_size: page.length,
    ...(first && { data_page_header: first }),
    ...(second && { data_page_header_v2: { ...second, is_compressed: false } }),
    ...(entries && { dictionary_page_header: entries }),
  };
  return { header, values, page };
}
