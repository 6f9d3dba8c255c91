import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';

/** The text of a file in a zip archive, such as a part of a workbook. */
export function zipText(zip: Buffer, path: string): string {
  const name = Buffer.from(path);
  // Its entry in the directory at the end says where the file is: the name stands 46 bytes behind the beginning of the entry.
  const entry = zip.lastIndexOf(name) - 46;
  assert.equal(zip.toString('latin1', entry, entry + 2), 'PK', path);
  const [method, size, offset] = [
    zip.readUInt16LE(entry + 10),
    zip.readUInt32LE(entry + 20),
    zip.readUInt32LE(entry + 42),
  ];
  const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  const bytes = zip.subarray(begin, begin + size);
  return (method === 0 ? bytes : inflateRawSync(bytes)).toString();
}
