import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { HostileDataFile } from './dataFiles.ts';

/** Creates small Parquet files that decompress to very large tables. The format: https://parquet.apache.org/docs/file-format/ */
export function hostileParquetFiles(): readonly HostileDataFile[] {
  return [
    { name: 'eight lists of 9,900,000 zeros.parquet', bytes: listsOfZeros(8, 9_900_000) },
    { name: '249,000 texts under 60 names.parquet', bytes: sharedTexts(249_000, 60) },
    { name: '12 million texts.parquet', bytes: sharedTexts(12_000_000, 1) },
    { name: 'a text of 3 MB.parquet', bytes: longText(3_000_000) },
  ];
}

/** A field of a structure in Thrift's compact protocol: its type and its encoded value. */
type Field = readonly [type: number, bytes: Uint8Array];

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Uint8Array.of(...bytes, value);
}

const int32 = (value: number): Field => [5, varint(value * 2)];
const int64 = (value: number): Field => [6, varint(value * 2)];
const text = (value: string): Field => [8, Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)])];
const list = (items: readonly Field[]): Field => [
  9,
  Buffer.concat(
    [
      items.length < 15 ? [(items.length << 4) | (items[0]?.[0] ?? 5)] : [0xf0 | (items[0]?.[0] ?? 5)],
      items.length < 15 ? new Uint8Array() : varint(items.length),
      ...items.map(([, bytes]) => bytes),
    ].map(part => Uint8Array.from(part)),
  ),
];

function struct(fields: Readonly<Record<number, Field>>): Field {
  let last = 0;
  const parts = Object.entries(fields).map(([id, [type, bytes]]) => {
    const head = ((Number(id) - last) << 4) | type;
    last = Number(id);
    return Buffer.concat([Uint8Array.of(head), bytes]);
  });
  return [12, Buffer.concat([...parts, Uint8Array.of(0)])];
}

interface WrittenColumn {
  readonly path: readonly string[];
  /** 1 int32, 6 bytes, 7 bytes of one length. */
  readonly type: number;
  readonly codec: number;
  readonly values: number;
  readonly dictionaryAt?: number;
  readonly dataAt: number;
  readonly end: number;
}

/** Creates a file from pages and a footer with one row group. */
function file(
  pages: readonly Uint8Array[],
  rows: number,
  schema: readonly Field[],
  columns: readonly WrittenColumn[],
): Uint8Array {
  const chunks = columns.map(({ path, type, codec, values, dictionaryAt, dataAt, end }) => {
    const size = end - (dictionaryAt ?? dataAt);
    const meta = struct({
      1: int32(type),
      2: list([int32(0)]),
      3: list(path.map(text)),
      4: int32(codec),
      5: int64(values),
      6: int64(size),
      7: int64(size),
      9: int64(dataAt),
      ...(dictionaryAt !== undefined && { 11: int64(dictionaryAt) }),
    });
    return struct({ 2: int64(dataAt), 3: meta });
  });
  const group = struct({ 1: list(chunks), 2: int64(1_000), 3: int64(rows) });
  const [, footer] = struct({ 1: int32(1), 2: list(schema), 3: int64(rows), 4: list([group]) });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), ...pages, footer, length, Buffer.from('PAR1')]);
}

function dataPage(values: number, encoding: number, plain: Uint8Array, written = plain): Uint8Array {
  const pageHeader = struct({ 1: int32(values), 2: int32(encoding), 3: int32(3), 4: int32(3) });
  const [, head] = struct({ 1: int32(0), 2: int32(plain.length), 3: int32(written.length), 5: pageHeader });
  return Buffer.concat([head, written]);
}

/** Encodes runs of levels, prefixed by their length. */
function levels(...runs: readonly (readonly [count: number, level: number])[]): Uint8Array {
  const bytes = Buffer.concat(runs.flatMap(([count, level]) => [varint(count * 2), Uint8Array.of(level)]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Creates a file with one row: a structure of lists that share a page, whose runs encode the number of zeros. */
function listsOfZeros(lists: number, zeros: number): Uint8Array {
  const entries = struct({ 1: int32(1), 2: int32(0) });
  const [, head] = struct({ 1: int32(2), 2: int32(4), 3: int32(4), 7: entries });
  const dictionary = Buffer.concat([head, Buffer.alloc(4)]);
  const runs = Buffer.concat([Uint8Array.of(1), varint(zeros * 2), Uint8Array.of(0)]);
  const page = dataPage(zeros, 8, Buffer.concat([levels([1, 0], [zeros - 1, 1]), levels([zeros, 1]), runs]));
  const names = Array.from({ length: lists }, (_, index) => `l${index}`);
  const dictionaryAt = 4;
  const dataAt = 4 + dictionary.length;
  const end = dataAt + page.length;
  return file(
    [dictionary, page],
    1,
    [
      struct({ 4: text('root'), 5: int32(1) }),
      struct({ 3: int32(0), 4: text('s'), 5: int32(lists) }),
      ...names.map(name => struct({ 1: int32(1), 3: int32(2), 4: text(name) })),
    ],
    names.map(name => ({ path: ['s', name], type: 1, codec: 0, values: zeros, dictionaryAt, dataAt, end })),
  );
}

/** Creates a file whose columns share a page of different texts of four bytes, one stream for each byte. */
export function sharedTexts(count: number, names: number): Uint8Array {
  const plain = new Uint8Array(4 * count);
  for (let stream = 0; stream < 4; stream++)
    for (let index = 0; index < count; index++) plain[stream * count + index] = (index >> (8 * stream)) & 0xff;
  const page = dataPage(count, 9, plain, zstdCompressSync(plain));
  const columns = Array.from({ length: names }, (_, index) => `t${index}`);
  return file(
    [page],
    count,
    [
      struct({ 4: text('root'), 5: int32(names) }),
      ...columns.map(name => struct({ 1: int32(7), 2: int32(4), 3: int32(0), 4: text(name) })),
    ],
    columns.map(name => ({ path: [name], type: 7, codec: 6, values: count, dataAt: 4, end: 4 + page.length })),
  );
}

function longText(length: number): Uint8Array {
  const plain = Buffer.alloc(4 + length, 'x');
  plain.writeUInt32LE(length);
  const page = dataPage(1, 0, plain, gzipSync(plain));
  return file(
    [page],
    1,
    [struct({ 4: text('root'), 5: int32(1) }), struct({ 1: int32(6), 3: int32(0), 4: text('t'), 6: int32(0) })],
    [{ path: ['t'], type: 6, codec: 2, values: 1, dataAt: 4, end: 4 + page.length }],
  );
}
