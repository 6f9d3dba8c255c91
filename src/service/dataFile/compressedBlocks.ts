import { GridError } from '../../core/errors.ts';

/** No byte of a block stands for more. */
const mostPerByte = 255;

/**
 * A frame, decompressed (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md): its blocks may repeat bytes of those before. Its
 * checksums are not looked at. Throws a GridError where it has not so many bytes; anything else that is thrown means that it is damaged.
 */
export function lz4Frame(frame: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const flags = view.getUint8(4);
  const [hasBlockSums, hasLength, hasDictionary] = [flags & 16, flags & 8, flags & 1];
  if (view.getUint32(0, true) !== 0x18_4d_22_04 || flags >> 6 !== 1 || hasDictionary)
    throw new GridError('fileDamaged');
  const target = newTarget(frame, length);
  let [at, to] = [hasLength ? 15 : 7, 0];
  for (let size; (size = view.getUint32(at, true)) > 0; at += hasBlockSums ? 4 : 0) {
    const start = at + 4;
    at = start + (size & 0x7f_ff_ff_ff);
    const block = frame.subarray(start, at);
    if (size <= 0x7f_ff_ff_ff) to = readBlock(block, target, to);
    else {
      if (to + block.length > length) throw new GridError('fileDamaged');
      target.set(block, to);
      to += block.length;
    }
  }
  return whole(target, to);
}

function newTarget(compressed: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  if (length > compressed.length * mostPerByte) throw new GridError('fileDamaged');
  return new Uint8Array(length);
}

function whole(target: Uint8Array<ArrayBuffer>, end: number): Uint8Array<ArrayBuffer> {
  if (end !== target.length) throw new GridError('fileDamaged');
  return target;
}

/**
 * Writes what a block stands for to `target`, whose bytes before `to` it may repeat, and returns where that ends
 * (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
 */
function readBlock(block: Uint8Array, target: Uint8Array, to: number): number {
  let at = 0;
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    if (nibble === 15)
      for (let more = 255; more === 255; length += more) {
        more = block[at++] ?? NaN;
      }
    return length;
  };
  while (at < block.length) {
    const token = block[at++] ?? 0;
    const literals = lengthFrom(token >> 4);
    to = copy(block, at, target, to, literals);
    at += literals;
    // The last sequence has no match.
    if (at === block.length) break;
    const distance = (block[at] ?? NaN) + (block[at + 1] ?? NaN) * 256;
    at += 2;
    to = repeat(target, to, distance, 4 + lengthFrom(token & 15));
  }
  return to;
}

/** Writes bytes of the block as they are, and returns where they end. */
function copy(block: Uint8Array, at: number, target: Uint8Array, to: number, length: number): number {
  if (!(at + length <= block.length && to + length <= target.length)) throw new GridError('fileDamaged');
  target.set(block.subarray(at, at + length), to);
  return to + length;
}

/** Writes bytes of before once more, and returns where they end. */
function repeat(target: Uint8Array, to: number, distance: number, length: number): number {
  const end = to + length;
  if (!(distance > 0 && distance <= to && end <= target.length)) throw new GridError('fileDamaged');
  // What is repeated may be what this writes.
  for (; to < end; to++) target[to] = target[to - distance] ?? 0;
  return end;
}
