import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { HostileDataFile } from './dataFiles.ts';

/** Creates small Parquet files that decompress to very large tables. The format: https://parquet.apache.org/docs/file-format/ */
export function createHostileParquetFiles(): readonly HostileDataFile[] {
  return [
    { name: 'eight lists of 9,900,000 zeros.parquet', bytes: createListsOfZeros(8, 9_900_000) },
    { name: '249,000 texts under 60 names.parquet', bytes: createSharedTexts(249_000, 60) },
    { name: '12 million texts.parquet', bytes: createSharedTexts(12_000_000, 1) },
    { name: 'a text of 3 MB.parquet', bytes: createLongText(3_000_000) },
  ];
}

/** A field of a structure in Thrift's compact protocol: its type and its encoded value. */
type Field = readonly [type: number, bytes: Uint8Array];

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Uint8Array.of(...bytes, value);
}

const int32 = (value: number): Field => [5, encodeVarint(value * 2)];
const int64 = (value: number): Field => [6, encodeVarint(value * 2)];
const text = (value: string): Field => [8, Buffer.concat([encodeVarint(Buffer.byteLength(value)), Buffer.from(value)])];
const list = (items: readonly Field[]): Field => [
  9,
  Buffer.concat(
    [
      items.length < 15 ? [(items.length << 4) | (items[0]?.[0] ?? 5)] : [0xf0 | (items[0]?.[0] ?? 5)],
      items.length < 15 ? new Uint8Array() : encodeVarint(items.length),
      ...items.map(([, bytes]) => bytes),
    ].map(part => Uint8Array.from(part)),
  ),
];

function struct(fields: Readonly<Record<number, Field>>): Field {
  let previousId = 0;
  const parts = Object.entries(fields).map(([id, [type, bytes]]) => {
    const head = ((Number(id) - previousId) << 4) | type;
    previousId = Number(id);
    return Buffer.concat([Uint8Array.of(head), bytes]);
  });
  return [12, Buffer.concat([...parts, Uint8Array.of(0)])];
}

/** The metadata of a column chunk. Offsets are counted from the start of the file. */
interface ColumnChunk {
  readonly path: readonly string[];
  /** The physical type: 1 for INT32, 6 for BYTE_ARRAY, 7 for FIXED_LEN_BYTE_ARRAY. */
  readonly type: number;
  /** The compression: 0 for none, 2 for GZIP, 6 for ZSTD. */
  readonly codec: number;
  readonly valueCount: number;
  readonly dictionaryOffset?: number;
  readonly dataOffset: number;
  readonly endOffset: number;
}

/** Creates a file of pages and a footer with one row group. */
function createFile(
  pages: readonly Uint8Array[],
  rowCount: number,
  schema: readonly Field[],
  columns: readonly ColumnChunk[],
): Uint8Array {
  const encodedChunks = columns.map(({ path, type, codec, valueCount, dictionaryOffset, dataOffset, endOffset }) => {
    const size = endOffset - (dictionaryOffset ?? dataOffset);
    const meta = struct({
      1: int32(type),
      2: list([int32(0)]),
      3: list(path.map(text)),
      4: int32(codec),
      5: int64(valueCount),
      6: int64(size),
      7: int64(size),
      9: int64(dataOffset),
      ...(dictionaryOffset !== undefined && { 11: int64(dictionaryOffset) }),
    });
    return struct({ 2: int64(dataOffset), 3: meta });
  });
  const group = struct({ 1: list(encodedChunks), 2: int64(1_000), 3: int64(rowCount) });
  const [, footer] = struct({ 1: int32(1), 2: list(schema), 3: int64(rowCount), 4: list([group]) });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), ...pages, footer, length, Buffer.from('PAR1')]);
}

function createDataPage(valueCount: number, encoding: number, plain: Uint8Array, compressed = plain): Uint8Array {
  const pageHeader = struct({ 1: int32(valueCount), 2: int32(encoding), 3: int32(3), 4: int32(3) });
  const [, head] = struct({ 1: int32(0), 2: int32(plain.length), 3: int32(compressed.length), 5: pageHeader });
  return Buffer.concat([head, compressed]);
}

/** Encodes runs of repetition or definition levels, prefixed by their length in bytes. */
function encodeLevels(...runs: readonly (readonly [count: number, level: number])[]): Uint8Array {
  const bytes = Buffer.concat(runs.flatMap(([count, level]) => [encodeVarint(count * 2), Uint8Array.of(level)]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Creates a file with one row: a structure of lists that share one data page. A single run encodes all zeros of the page. */
function createListsOfZeros(lists: number, zeros: number): Uint8Array {
  const entries = struct({ 1: int32(1), 2: int32(0) });
  const [, head] = struct({ 1: int32(2), 2: int32(4), 3: int32(4), 7: entries });
  const dictionary = Buffer.concat([head, Buffer.alloc(4)]);
  const runs = Buffer.concat([Uint8Array.of(1), encodeVarint(zeros * 2), Uint8Array.of(0)]);
  const page = createDataPage(
    zeros,
    8,
    Buffer.concat([encodeLevels([1, 0], [zeros - 1, 1]), encodeLevels([zeros, 1]), runs]),
  );
  const names = Array.from({ length: lists }, (_, index) => `l${index}`);
  const dictionaryOffset = 4;
  const dataOffset = 4 + dictionary.length;
  const endOffset = dataOffset + page.length;
  return createFile(
    [dictionary, page],
    1,
    [
      struct({ 4: text('root'), 5: int32(1) }),
      struct({ 3: int32(0), 4: text('s'), 5: int32(lists) }),
      ...names.map(name => struct({ 1: int32(1), 3: int32(2), 4: text(name) })),
    ],
    names.map(name => ({
      path: ['s', name],
      type: 1,
      codec: 0,
      valueCount: zeros,
      dictionaryOffset,
      dataOffset,
      endOffset,
    })),
  );
}

/** Creates a file whose columns share one data page. Its texts differ, have four bytes each, and are encoded as one stream for each byte. */
export function createSharedTexts(count: number, names: number): Uint8Array {
  const plain = new Uint8Array(4 * count);
  for (let stream = 0; stream < 4; stream++)
    for (let index = 0; index < count; index++) plain[stream * count + index] = (index >> (8 * stream)) & 0xff;
  const page = createDataPage(count, 9, plain, zstdCompressSync(plain));
  const columns = Array.from({ length: names }, (_, index) => `t${index}`);
  return createFile(
    [page],
    count,
    [
      struct({ 4: text('root'), 5: int32(names) }),
      ...columns.map(name => struct({ 1: int32(7), 2: int32(4), 3: int32(0), 4: text(name) })),
    ],
    columns.map(name => ({
      path: [name],
      type: 7,
      codec: 6,
      valueCount: count,
      dataOffset: 4,
      endOffset: 4 + page.length,
    })),
  );
}

function createLongText(length: number): Uint8Array {
  const plain = Buffer.alloc(4 + length, 'x');
  plain.writeUInt32LE(length);
  const page = createDataPage(1, 0, plain, gzipSync(plain));
  return createFile(
    [page],
    1,
    [struct({ 4: text('root'), 5: int32(1) }), struct({ 1: int32(6), 3: int32(0), 4: text('t'), 6: int32(0) })],
    [{ path: ['t'], type: 6, codec: 2, valueCount: 1, dataOffset: 4, endOffset: 4 + page.length }],
  );
}
