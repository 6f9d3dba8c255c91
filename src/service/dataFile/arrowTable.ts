import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  CompressionType,
  Endianness,
  IntervalUnit,
  setCompressionCodec,
  tableFromIPC,
  Type,
  type Batch,
  TimeUnit,
  type DataType,
  type Metadata,
} from '@uwdata/flechette';
import lz4 from 'lz4js';
import type { FileReadResult } from '../../core/dataFile/fileTable.ts';
import { GridError } from '../../core/errors.ts';
import { selectArrowCells, type UnionValue } from './arrowCells.ts';
import type { ByteSource } from './byteSource.ts';
import { readColumnarTable, type Chunk } from './columnarTable.ts';
import { parseColumnMetadata } from './columnMetadata.ts';
import { decompressLz4Frame } from './lz4Frame.ts';

setCompressionCodec(CompressionType.LZ4_FRAME, { encode: bytes => lz4.compress(bytes), decode: decompressLz4Frame });
setCompressionCodec(CompressionType.ZSTD, {
  encode: bytes => zstdCompressSync(bytes),
  decode: (bytes, length) => {
    const decoded = zstdDecompressSync(bytes);
    if (decoded.length !== length) throw new GridError('fileDamaged');
    return new Uint8Array(decoded);
  },
});

/**
 * Reads an Arrow IPC file (Feather, version 2) or stream as a table, with as many rows as fit the limits. Throws a GridError; any other error
 * means that the file is damaged.
 */
export async function readArrowTable(source: ByteSource, timeZone: string | undefined): Promise<FileReadResult> {
  // Doubles would lose digits of 64-bit numbers and decimals.
  const exactOptions = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true };
  const { schema, children } = tableFromIPC(moveDictionariesFirst(source.read(0, source.size)), exactOptions);
  if (schema.endianness !== Endianness.Little) throw new GridError('fileUnsupported', { detail: 'big-endian numbers' });
  const fileRowCount = children[0]?.length ?? 0;
  for (const { length, data } of children) {
    if (length !== fileRowCount) throw new GridError('fileDamaged');
    data.forEach(checkLengths);
  }
  const columns = schema.fields.map((field, index) => ({
    name: field.name,
    cells: selectArrowCells(field),
    // The library's types do not say that metadata may be null.
    notes: parseColumnMetadata(Object.fromEntries((field.metadata as Metadata | null) ?? [])),
    batches: children[index]?.data ?? [],
  }));
  const description = {
    batches: children[0]?.data.length ?? 0,
    columns: schema.fields.slice(0, 1_000).map(({ name, type }) => ({ name, type: formatType(type) })),
  };
  const readColumn = ({ batches }: (typeof columns)[number], rows: number): { chunks: Chunk[] } => {
    let start = 0;
    const chunks = batches.map(values => {
      const chunk = { start, length: Math.max(0, Math.min(values.length, rows - start)), values };
      start += values.length;
      return chunk;
    });
    return { chunks };
  };
  return readColumnarTable(
    { fileRowCount, columns, metadata: schema.metadata, description, read: readColumn },
    timeZone,
    () => undefined,
  );
}

/** Moves the dictionaries of a file before its rows: the library requires that order, and polars writes them after the rows. */
function moveDictionariesFirst(bytes: Uint8Array): Uint8Array {
  if (Buffer.from(bytes.subarray(0, 6)).toString() !== 'ARROW1') return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const footer = bytes.length - 10 - view.getInt32(bytes.length - 10, true);
  const table = footer + view.getUint32(footer, true);
  const vtable = table - view.getInt32(table, true);
  // https://github.com/apache/arrow/blob/main/format/File.fbs
  const blocks = [8, 10].map(slot => {
    const offset = slot < view.getUint16(vtable, true) ? view.getUint16(vtable + slot, true) : 0;
    const start = table + offset + view.getUint32(table + offset, true);
    const count = offset === 0 ? 0 : view.getUint32(start, true);
    return Array.from({ length: count }, (_, index) => {
      const position = start + 4 + 24 * index;
      const from = Number(view.getBigInt64(position, true));
      return {
        position,
        from,
        to: from + view.getInt32(position + 8, true) + Number(view.getBigInt64(position + 16, true)),
      };
    });
  });
  const [dictionaries = [], rows = []] = blocks;
  const firstRowStart = rows[0]?.from ?? Infinity;
  if (dictionaries.every(({ from }) => from < firstRowStart)) return bytes;
  const shift = dictionaries.reduce((length, { from, to }) => length + to - from, 0);
  const result = new Uint8Array(bytes.length + shift);
  result.set(bytes.subarray(0, 8));
  result.set(bytes.subarray(8), 8 + shift);
  const setOffset = (position: number, offset: number): void =>
    new DataView(result.buffer).setBigInt64(position + shift, BigInt(offset), true);
  let end = 8;
  for (const { position, from, to } of dictionaries) {
    result.set(bytes.subarray(from, to), end);
    setOffset(position, end);
    end += to - from;
  }
  for (const { position, from } of rows) setOffset(position, from + shift);
  return result;
}

/** The buffers of a batch. Each type has only some of them, which the library's types do not express. */
type BatchBuffers = Pick<Batch<unknown>, 'type' | 'length'> &
  Partial<Batch<unknown>> & { readonly typeIds?: Int8Array };

/** The size of an interval in bytes, by its unit. */
const intervalBytes = [4, 8, 16] as const;

/** Checks the lengths of buffers, since the library reads beyond their end without an error. Adds the type index to union values. */
function checkLengths(batch: BatchBuffers): void {
  const { type, length, offsets, sizes, values, typeIds, children = [] } = batch;
  if (!(length >= 0 && length <= Math.max(0, countCells(batch)))) throw new GridError('fileDamaged');
  children.forEach(checkLengths);
  if (type.typeId === Type.Union) {
    batch.value = (index: number): UnionValue | null => {
      const typeIndex = type.typeMap[typeIds?.[index] ?? -1] ?? -1;
      const value: unknown = children[typeIndex]?.at(Number(offsets?.[index] ?? index));
      return value === null || value === undefined ? null : { typeIndex, value };
    };
    return;
  }
  if (type.typeId === Type.Interval && type.unit === IntervalUnit.MONTH_DAY_NANO && values) {
    // A double would lose digits of the nanoseconds.
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
    batch.value = (index: number): unknown => [
      view.getInt32(index * 16, true),
      view.getInt32(index * 16 + 4, true),
      view.getBigInt64(index * 16 + 8, true),
    ];
  }
  const ends = sizes
    ? Array.from({ length }, (_, index) => Number(offsets?.[index]) + Number(sizes[index]))
    : [Number(offsets?.[length] ?? 0)];
  const capacity = (values ?? children[0] ?? []).length;
  if (!ends.every(end => end <= capacity)) throw new GridError('fileDamaged');
}

/** Returns the number of cells that the buffers have room for. */
function countCells({ type, values, offsets, sizes, typeIds, children = [] }: BatchBuffers): number {
  switch (type.typeId) {
    case Type.Bool:
      return (values?.length ?? 0) * 8;
    case Type.Decimal:
      return ((values?.byteLength ?? 0) * 8) / type.bitWidth;
    case Type.Utf8View:
    case Type.BinaryView:
      return (values?.length ?? 0) / 16;
    case Type.FixedSizeBinary:
      return (values?.length ?? 0) / type.stride;
    case Type.FixedSizeList:
      return (children[0]?.length ?? 0) / type.stride;
    case Type.Struct:
      return Math.min(...children.map(child => child.length));
    case Type.Interval:
      return (values?.byteLength ?? 0) / intervalBytes[type.unit];
    case Type.Union:
      return typeIds?.length ?? 0;
    default:
      if (sizes) return sizes.length;
      return offsets ? offsets.length - 1 : (values?.length ?? Infinity);
  }
}

/** Formats a type in the style of Arrow's own libraries. */
function formatType(type: DataType): string {
  const [name = ''] = Object.entries(Type).find(([, id]) => id === type.typeId) ?? [];
  switch (type.typeId) {
    case Type.Dictionary:
      return `${name}<${formatType(type.indices)}, ${formatType(type.dictionary)}>`;
    case Type.Int:
      return `${type.signed ? 'Int' : 'Uint'}${type.bitWidth}`;
    case Type.Float:
      return `Float${16 << type.precision}`;
    case Type.Decimal:
      return `${name}${type.bitWidth}<${type.precision}, ${type.scale}>`;
    case Type.Timestamp:
    case Type.Time:
    case Type.Duration: {
      const [unit = ''] = Object.entries(TimeUnit).find(([, id]) => id === type.unit) ?? [];
      return `${name}<${unit}${'timezone' in type && type.timezone ? `, ${type.timezone}` : ''}>`;
    }
    default:
      return 'children' in type ? `${name}<${type.children.map(child => formatType(child.type)).join(', ')}>` : name;
  }
}
