import { zstdDecompressSync } from 'node:zlib';
import { MessageHeader } from 'apache-arrow/enum';
import { CompressionType } from 'apache-arrow/fb/compression-type';
import { DictionaryBatch as WrittenDictionaryBatch } from 'apache-arrow/fb/dictionary-batch';
import { Message } from 'apache-arrow/fb/message';
import { RecordBatch as WrittenRecordBatch } from 'apache-arrow/fb/record-batch';
import { Schema as WrittenSchema } from 'apache-arrow/fb/schema';
import { DictionaryBatch, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { Schema } from 'apache-arrow/schema';
import { ByteBuffer, type Encoding } from 'flatbuffers';
import { GridError } from '../../core/errors.ts';
import type { ByteSource } from './byteSource.ts';
import { lz4Frame } from './compressedBlocks.ts';

/** Bytes of a message's metadata, and of one of its buffers when it is decompressed. */
const [mostMetadata, mostBuffer] = [64_000_000, 512_000_000];

/** A batch of rows or of a dictionary's entries, and where its buffers begin in the file. */
export interface PlacedBatch {
  readonly batch: RecordBatch;
  readonly body: number;
}

/** How often each byte of a message is read at most: a field of a schema takes some 60 bytes, and some 40 readings. */
const mostReadings = 16;

/** Bytes of a message: its lists say how long they are, and any part can stand in many of them. */
class BoundedBuffer extends ByteBuffer {
  #left: number;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#left = mostReadings * bytes.length;
  }

  #use(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new GridError('fileDamaged');
  }

  /** Each reading of a table or a list takes one at least. */
  override readInt32(offset: number): number {
    this.#use(1);
    return super.readInt32(offset);
  }

  override __string(offset: number, encoding?: Encoding): string | Uint8Array {
    const text = super.__string(offset, encoding);
    this.#use(text.length);
    return text;
  }
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
    const message = Message.getRootAsMessage(new BoundedBuffer(source.read(at, at + length)));
    const body = at + length;
    at = body + countOf(message.bodyLength());
    if (at > source.size) throw new GridError('fileDamaged');
    const version = message.version();
    const header = <T>(table: T): T => message.header(table) as T;
    switch (message.headerType()) {
      case MessageHeader.Schema:
        schema ??= Schema.decode(header(new WrittenSchema()), new Map(), version);
        break;
      case MessageHeader.RecordBatch:
        batches.push({ batch: RecordBatch.decode(header(new WrittenRecordBatch()), version), body });
        break;
      case MessageHeader.DictionaryBatch: {
        const { id, data, isDelta } = DictionaryBatch.decode(header(new WrittenDictionaryBatch()), version);
        const parts = (isDelta && dictionaries.get(id)) || [];
        parts.push({ batch: data, body });
        dictionaries.set(id, parts);
        break;
      }
      default:
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
  source.use(length);
  if (compression.type !== CompressionType.ZSTD) return lz4Frame(rest, length);
  return new Uint8Array(zstdDecompressSync(rest, { maxOutputLength: Math.max(1, length) }));
}
