import { zstdDecompressSync } from 'node:zlib';
import { MessageHeader } from 'apache-arrow/enum';
import { CompressionType } from 'apache-arrow/fb/compression-type';
import { Message, type DictionaryBatch, type RecordBatch } from 'apache-arrow/ipc/metadata/message';
import type { Schema } from 'apache-arrow/schema';
import { GridError } from '../../core/errors.ts';
import type { ByteSource } from './byteSource.ts';
import { lz4Frame } from './lz4.ts';

/** Bytes of a message's metadata, and of one of its buffers when it is decompressed. */
const [mostMetadata, mostBuffer] = [64_000_000, 512_000_000];

/** A batch of rows or of a dictionary's entries, and where its buffers begin in the file. */
export interface PlacedBatch {
  readonly batch: RecordBatch;
  readonly body: number;
}

interface ArrowFile {
  readonly schema: Schema;
  readonly batches: readonly PlacedBatch[];
  readonly dictionaries: ReadonlyMap<number, readonly PlacedBatch[]>;
}

/** The messages of the file, without their buffers. */
export function readMessages(source: ByteSource): ArrowFile {
  let schema: Schema | undefined;
  const batches: PlacedBatch[] = [];
  const dictionaries = new Map<number, PlacedBatch[]>();
  // After "ARROW1" and two bytes of padding.
  for (let at = 8; at + 8 <= source.size;) {
    const [first = 0, second = 0] = new Int32Array(source.read(at, at + 8).buffer);
    const isMarked = first === -1;
    const length = isMarked ? second : first;
    at += isMarked ? 8 : 4;
    if (length === 0) break;
    if (length < 0 || length > mostMetadata) throw new GridError('fileDamaged');
    const message = Message.decode(source.read(at, at + length));
    const body = at + length;
    at = body + countOf(message.bodyLength);
    if (at > source.size) throw new GridError('fileDamaged');
    if (message.headerType === MessageHeader.Schema) schema ??= message.header() as unknown as Schema;
    else if (message.headerType === MessageHeader.RecordBatch)
      batches.push({ batch: message.header() as unknown as RecordBatch, body });
    else if (message.headerType === MessageHeader.DictionaryBatch) {
      const { id, data, isDelta } = message.header() as unknown as DictionaryBatch;
      const earlier = isDelta ? (dictionaries.get(id) ?? []) : [];
      dictionaries.set(id, [...earlier, { batch: data, body }]);
    }
  }
  if (!schema) throw new GridError('fileDamaged');
  return { schema, batches, dictionaries };
}

/** Throws a GridError where it is no number of bytes or rows. */
export function countOf(value: number | bigint): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw new GridError('fileDamaged');
  return count;
}

/** A buffer of a batch, decompressed where the batch is. */
export function bufferOf(source: ByteSource, { batch, body }: PlacedBatch, place: number): Uint8Array<ArrayBuffer> {
  const region = batch.buffers[place];
  if (!region) throw new GridError('fileDamaged');
  const start = body + countOf(region.offset);
  const bytes = source.read(start, start + countOf(region.length));
  const { compression } = batch;
  if (!compression || bytes.length === 0) return bytes;
  // In front stands the length of the buffer; -1 for one that is not compressed.
  const length = Number(new DataView(bytes.buffer).getBigInt64(0, true));
  const rest = bytes.slice(8);
  if (length === -1) return rest;
  if (!(length >= 0 && length <= mostBuffer)) throw new GridError('fileTooLarge');
  if (compression.type !== CompressionType.ZSTD) return lz4Frame(rest, length);
  return new Uint8Array(zstdDecompressSync(rest, { maxOutputLength: Math.max(1, length) }));
}
