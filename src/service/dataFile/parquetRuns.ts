import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js';
import { readVarInt, readZigZagBigInt } from 'hyparquet/src/thrift.js';
import type { ColumnDecoder, PageHeader } from 'hyparquet/src/types.js';
import { GridError } from '../../core/errors.ts';

/** Values of a page, which writers keep near a megabyte. */
export const mostPageValues = 10_000_000;

/** Bytes of the longest number, one of 64 bits. */
const longestNumber = 10;

/** For numbers of variable length: the library takes any length, in time that grows with its square. */
export class NumberView extends DataView<ArrayBufferLike> {
  #length = 0;

  /** Throws a GridError in a number that is too long. */
  override getUint8(at: number): number {
    const byte = super.getUint8(at);
    this.#length = byte < 0x80 ? 0 : this.#length + 1;
    if (this.#length >= longestNumber) throw new GridError('fileDamaged');
    return byte;
  }
}

interface Reader {
  readonly view: DataView;
  offset: number;
}

/**
 * Throws a GridError where the runs of a page stand for more values than it can have: the library makes as many as they say.
 * `page`: decompressed. `made`: told the bytes of the texts that are made of earlier ones. Source:
 * https://github.com/apache/parquet-format/blob/master/Encodings.md
 */
export function checkRuns(
  page: Uint8Array,
  { data_page_header: first, data_page_header_v2: second }: PageHeader,
  { type, element, schemaPath }: ColumnDecoder,
  made: (bytes: number) => void,
): void {
  const header = second ?? first;
  if (!header) return;
  const { num_values: cells, encoding } = header;
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const reader = { view, offset: 0 };
  const repetition = getMaxRepetitionLevel(schemaPath);
  if (repetition > 0) checkHybrid(reader, widthOf(repetition), cells, second?.repetition_levels_byte_length);
  if (second) reader.offset = second.repetition_levels_byte_length;
  const definition = getMaxDefinitionLevel(schemaPath);
  const { offset } = reader;
  if (definition > 0) checkHybrid(reader, widthOf(definition), cells, second?.definition_levels_byte_length);
  // Has no runs of its own, so that it does not matter how many are null.
  if (encoding === 'PLAIN') return;
  const nulls = second?.num_nulls ?? (definition > 0 ? nullsOf({ view, offset }, definition, cells) : 0);
  const values = cells - nulls;
  switch (encoding) {
    case 'RLE':
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY': {
      if (second ? encoding === 'RLE' : type === 'BOOLEAN') checkHybrid(reader, 1, values);
      else {
        const width = view.getUint8(reader.offset++);
        if (width > 0 || second) checkHybrid(reader, width, values, page.length - reader.offset);
      }
      break;
    }
    case 'BYTE_STREAM_SPLIT':
      if (values * (element.type_length ?? 4) > page.length) throw new GridError('fileDamaged');
      break;
    case 'DELTA_BINARY_PACKED':
    case 'DELTA_LENGTH_BYTE_ARRAY':
      checkDeltas(reader, values);
      break;
    case 'DELTA_BYTE_ARRAY':
      made(sumOfDeltas(reader, values) + sumOfDeltas(reader, values));
      break;
    default:
  }
}

/** Bits of the largest level. */
function widthOf(level: number): number {
  return 32 - Math.clz32(level);
}

/** Runs of `count` values of `width` bits. `length`: their bytes, where these do not stand before them. */
function checkHybrid(reader: Reader, width: number, count: number, length?: number): void {
  const { view } = reader;
  if (length === undefined) reader.offset += 4;
  const end = reader.offset + (length ?? view.getUint32(reader.offset - 4, true));
  for (let seen = 0; seen < count;) {
    const run = readVarInt(reader);
    const isPacked = (run & 1) === 1;
    const values = (run >>> 1) * (isPacked ? 8 : 1);
    if (values > mostPageValues) throw new GridError('fileDamaged');
    reader.offset += isPacked ? (run >>> 1) * width : Math.ceil(width / 8);
    seen += values;
  }
  reader.offset = end;
}

function nullsOf(reader: Reader, definition: number, count: number): number {
  const levels = new Uint8Array(count);
  readRleBitPackedHybrid(reader, widthOf(definition), levels);
  let nulls = 0;
  for (const level of levels) if (level !== definition) nulls++;
  return nulls;
}

/** Blocks of `count` numbers, each of them written as what it is more than the one before. */
function checkDeltas({ view: { buffer, byteOffset, byteLength }, offset }: Reader, count: number): void {
  const reader = { view: new NumberView(buffer, byteOffset, byteLength), offset };
  const [block, parts] = [readVarInt(reader), readVarInt(reader)];
  const each = block / parts;
  if (!(parts > 0 && each > 0 && each % 8 === 0 && block <= mostPageValues)) throw new GridError('fileDamaged');
  // How many there are, and the first.
  readVarInt(reader);
  readZigZagBigInt(reader);
  for (let left = count - 1; left > 0; left -= block) {
    readZigZagBigInt(reader);
    const widths = reader.offset;
    reader.offset += parts;
    for (let part = 0; part < parts && part * each < left; part++)
      reader.offset += (each * reader.view.getUint8(widths + part)) / 8;
  }
}

/** The sum of `count` lengths. */
function sumOfDeltas(reader: Reader, count: number): number {
  checkDeltas(reader, count);
  const lengths = new Int32Array(count);
  deltaBinaryUnpack(reader, count, lengths);
  return lengths.reduce((sum, length) => sum + Math.abs(length), 0);
}
