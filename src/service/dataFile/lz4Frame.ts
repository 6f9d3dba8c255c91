import lz4 from 'lz4js';
import { GridError } from '../../core/errors.ts';

/**
 * A frame of so many bytes, decompressed (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md). The library reads its blocks alone:
 * where a frame has checksums, the library expects them in front of the blocks, and they stand behind. They are not compared. Throws a
 * GridError where the frame has not so many bytes; anything else that is thrown means that it is damaged.
 */
export function lz4Frame(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const flags = view.getUint8(4);
  const [hasBlockSums, hasLength, hasDictionary] = [flags & 16, flags & 8, flags & 1];
  if (view.getUint32(0, true) !== 0x18_4d_22_04 || flags >> 6 !== 1 || hasDictionary)
    throw new GridError('fileDamaged');
  const target = new Uint8Array(length);
  let [at, to] = [hasLength ? 15 : 7, 0];
  for (let size; (size = view.getUint32(at, true)) > 0; at += hasBlockSums ? 4 : 0) {
    const start = at + 4;
    at = start + (size & 0x7f_ff_ff_ff);
    if (size <= 0x7f_ff_ff_ff) to = lz4.decompressBlock(frame, target, start, at - start, to);
    else {
      target.set(frame.subarray(start, at), to);
      to += at - start;
    }
  }
  if (to !== length) throw new GridError('fileDamaged');
  return target;
}
