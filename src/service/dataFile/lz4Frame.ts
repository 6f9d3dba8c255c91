import lz4 from 'lz4js';
import { GridError } from '../../core/errors.ts';

/**
 * Decompresses a frame to `length` bytes (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). The library is only used for blocks: it
 * expects checksums before a block, but they follow it. Checksums are not verified. Throws a GridError if the frame has another length; any
 * other error means that it is damaged.
 */
export function decompressLz4Frame(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const flags = view.getUint8(4);
  const hasBlockSums = flags & 16;
  const hasLength = flags & 8;
  const hasDictionary = flags & 1;
  if (view.getUint32(0, true) !== 0x18_4d_22_04 || flags >> 6 !== 1 || hasDictionary)
    throw new GridError('fileDamaged');
  const target = new Uint8Array(length);
  let position = hasLength ? 15 : 7;
  let written = 0;
  for (let size; (size = view.getUint32(position, true)) > 0; position += hasBlockSums ? 4 : 0) {
    const start = position + 4;
    position = start + (size & 0x7f_ff_ff_ff);
    if (size <= 0x7f_ff_ff_ff) written = lz4.decompressBlock(frame, target, start, position - start, written);
    else {
      target.set(frame.subarray(start, position), written);
      written += position - start;
    }
  }
  if (written !== length) throw new GridError('fileDamaged');
  return target;
}
