import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import { zipChunks } from '../../../../src/service/export/zipChunks.ts';
import { zipText } from './zipText.ts';

type Texts = Parameters<typeof zipChunks>[0];

async function zipped(texts: Texts, most?: number) {
  const [pieces, told]: [Uint8Array[], number[]] = [[], []];
  for await (const { bytes, rowsDone } of zipChunks(texts, most)) {
    pieces.push(bytes);
    told.push(rowsDone);
  }
  return { zip: Buffer.concat(pieces), told };
}

describe('zipChunks', () => {
  const rows = Array.from({ length: 5 }, (_, at) => ({ text: `${at} é😀 `.repeat(20_000), rowsDone: 10 * (at + 1) }));
  const texts: Texts = [
    ['none.xml', []],
    ['a.xml', [{ text: '<a/>', rowsDone: 0 }]],
    ['folder/rows.xml', rows],
  ];

  it('deflates texts of several pieces to one file each, with its size and its checksum', async () => {
    const { zip } = await zipped(texts);
    for (const [path, pieces] of texts) {
      const whole = Array.from(pieces, ({ text }) => text).join('');
      assert.equal(zipText(zip, path), whole, path);
      const entry = zip.lastIndexOf(path) - 46;
      assert.equal(zip.readUInt32LE(entry + 16), crc32(whole), path);
      assert.equal(zip.readUInt32LE(entry + 24), Buffer.byteLength(whole), path);
    }
    assert.ok(zip.length < 20_000, `${zip.length} bytes`);
  });

  it('says the rows whose bytes are made', async () => {
    const { told } = await zipped(texts);
    assert.deepEqual(told, [0, 0, 10, 20, 30, 40, 50]);
  });

  it('makes the same bytes at any time', async () => {
    const { zip } = await zipped(texts);
    assert.deepEqual((await zipped(texts)).zip, zip);
    assert.equal(zip.readUInt16LE(12), 0x21);
  });

  it('refuses a text whose size a zip cannot say', async () => {
    const size = Buffer.byteLength(rows.map(({ text }) => text).join(''));
    await zipped(texts, size);
    await assert.rejects(zipped(texts, size - 1), { name: 'ExcelLimitError', limit: 'size' });
  });
});
