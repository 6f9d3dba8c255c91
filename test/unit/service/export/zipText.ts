import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';

/** Returns the text of a file in a zip archive, such as a part of a workbook. */
export function zipText(zip: Buffer, path: string): string {
  const name = Buffer.from(path);
  // The entry in the central directory has the file's position: the name follows 46 bytes after the start of the entry.
  const entry = zip.lastIndexOf(name) - 46;
  assert.equal(zip.toString('latin1', entry, entry + 2), 'PK', path);
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const offset = zip.readUInt32LE(entry + 42);
  const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  const bytes = zip.subarray(begin, begin + size);
  return (method === 0 ? bytes : inflateRawSync(bytes)).toString();
}

/** Returns the concatenated texts of all files in a zip archive. */
export function zipTexts(zip: Buffer): string {
  // The end of the archive has the number of files, and the position of the directory.
  const end = zip.lastIndexOf('PK\x05\x06');
  let entry = zip.readUInt32LE(end + 16);
  const texts = Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const length = zip.readUInt16LE(entry + 28);
    const path = zip.toString('utf8', entry + 46, entry + 46 + length);
    entry += 46 + length + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
    return `${path}\n${zipText(zip, path)}`;
  });
  return texts.join('\n');
}
