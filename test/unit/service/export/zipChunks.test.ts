import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import { zipChunks } from '../../../../src/service/export/zipChunks.ts';
import { zipText } from './zipText.ts';

type Texts = Parameters<typeof zipChunks>[0];

async function readZip(texts: Texts, maxCount?: number) {
  const pieces: Uint8Array[] = [];
  const rowCounts: number[] = [];
  for await (const { bytes, rowsDone } of zipChunks(texts, maxCount)) {
    pieces.push(bytes);
    rowCounts.push(rowsDone);
  }
  return { zip: Buffer.concat(pieces), rowCounts };
}

describe('zipChunks', () => {
  const rows = Array.from({ length: 5 }, (_, index) => ({
    text: `${index} é😀 `.repeat(20_000),
    rowsDone: 10 * (index + 1),
  }));
  const texts: Texts = [
    ['none.xml', []],
    ['a.xml', [{ text: '<a/>', rowsDone: 0 }]],
    ['folder/rows.xml', rows],
  ];

  it('deflates texts of several pieces to one file each, with its size and its checksum', async () => {
    const { zip } = await readZip(texts);
    for (const [path, pieces] of texts) {
      const fullText = Array.from(pieces, ({ text }) => text).join('');
      assert.equal(zipText(zip, path), fullText, path);
      const entry = zip.lastIndexOf(path) - 46;
      assert.equal(zip.readUInt32LE(entry + 16), crc32(fullText), path);
      assert.equal(zip.readUInt32LE(entry + 24), Buffer.byteLength(fullText), path);
    }
    assert.ok(zip.length < 20_000, `${zip.length} bytes`);
  });

  it('reports the number of rows whose bytes are written', async () => {
    const { rowCounts } = await readZip(texts);
    assert.deepEqual(rowCounts, [0, 0, 10, 20, 30, 40, 50]);
  });

  it('writes the same bytes at any time', async () => {
    const { zip } = await readZip(texts);
    assert.deepEqual((await readZip(texts)).zip, zip);
    assert.equal(zip.readUInt16LE(12), 0x21);
  });

  it('rejects a text that is too large for a zip', async () => {
    const size = Buffer.byteLength(rows.map(({ text }) => text).join(''));
    await readZip(texts, size);
    await assert.rejects(readZip(texts, size - 1), { name: 'ExcelLimitError', limit: 'size' });
  });
});
