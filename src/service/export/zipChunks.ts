import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import type { TextChunk } from '../../core/export/cellWriter.ts';
import type { ByteChunk } from './byteChunk.ts';
import { ExcelLimitError } from './excelLimits.ts';

const deflate = promisify(deflateRaw);
/** Options to deflate each chunk separately, up to a whole byte, so that the concatenated chunks are one stream. */
const flushOptions = { finishFlush: constants.Z_SYNC_FLUSH };
/** The empty last block that ends such a stream. */
const lastBlock = Buffer.of(3, 0);
/** The maximum size of a file: a zip stores it in 32 bits. */
const maxFileBytes = 2 ** 32 - 1;

/**
 * Writes a zip of UTF-8 texts by path. Its bytes do not depend on the time. A chunk is deflated in another thread while the next one is created
 * here. Throws ExcelLimitError ("size") for a text of more than `maxSize` bytes.
 */
export async function* zipChunks(
  texts: Iterable<readonly [path: string, pieces: Iterable<TextChunk>]>,
  maxSize = maxFileBytes,
): AsyncGenerator<ByteChunk> {
  let output: Uint8Array[] = [];
  let rowsDeflated = 0;
  const zip = new Zip((_, bytes) => output.push(bytes));
  const takeChunk = (): ByteChunk => {
    const bytes = Buffer.concat(output);
    output = [];
    return { bytes, rowsDone: rowsDeflated };
  };
  for (const [filename, pieces] of texts) {
    const file: ZipInputFile = { filename, size: 0, crc: 0, compression: 8, mtime: new Date(1980, 0, 1) };
    zip.add(file);
    let deflated: ReturnType<typeof deflate> | undefined;
    for (const { text, rowsDone } of pieces) {
      const bytes = Buffer.from(text);
      file.size += bytes.length;
      if (file.size > maxSize) throw new ExcelLimitError('size');
      file.crc = crc32(bytes, file.crc);
      const previous = deflated;
      deflated = deflate(bytes, flushOptions);
      if (previous) file.ondata?.(null, await previous, false);
      yield takeChunk();
      rowsDeflated = rowsDone;
    }
    if (deflated) file.ondata?.(null, await deflated, false);
    file.ondata?.(null, lastBlock, true);
  }
  zip.end();
  yield takeChunk();
}
