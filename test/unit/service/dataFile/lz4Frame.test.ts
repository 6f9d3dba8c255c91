import assert from 'node:assert/strict';
import { decompressLz4Frame } from '../../../../src/service/dataFile/lz4Frame.ts';

const encodeAscii = (text: string): number[] => [...Buffer.from(text)];
const encodeSize = (count: number): number[] => [count & 255, (count >> 8) & 255, (count >> 16) & 255, count >>> 24];
/** Creates an LZ4 frame. The `flags` are 0x40 if blocks are linked, and 0x60 if they are independent. */
const createFrame = (blocks: readonly (readonly number[])[], { flags = 0x40, extra = [] as number[] } = {}) =>
  Uint8Array.from([4, 0x22, 0x4d, 0x18, flags, 0x40, ...extra, 0, ...blocks.flat(), ...encodeSize(0)]);
const createBlock = (block: readonly number[]): number[] => [...encodeSize(block.length), ...block];
const createPlainBlock = (text: string): number[] => [...encodeSize(text.length + 0x80_00_00_00), ...encodeAscii(text)];
const decompressText = (bytes: Uint8Array, length: number): string =>
  Buffer.from(decompressLz4Frame(bytes, length)).toString();

/** A compressed block: three literals, a match of nine bytes at distance three, and two literals. */
const block = [0x35, ...encodeAscii('abc'), 3, 0, 0x20, ...encodeAscii('yz')];

describe('an LZ4 frame', () => {
  it('decompresses blocks that refer to bytes of earlier blocks', () => {
    const second = [0x01, 14, 0, 0x10, ...encodeAscii('!')];
    const content = 'abcabcabcabcyzabcab!plain';
    assert.equal(
      decompressText(createFrame([createBlock(block), createBlock(second), createPlainBlock('plain')]), content.length),
      content,
    );
  });

  it('accepts checksums of blocks, and the length of the content in the header', () => {
    const checksum = [9, 9, 9, 9];
    const blocks = [
      [...createBlock(block), ...checksum],
      [...createPlainBlock('plain'), ...checksum],
    ];
    const bytes = createFrame(blocks, { flags: 0x58, extra: [19, 0, 0, 0, 0, 0, 0, 0] });
    assert.equal(decompressText(bytes, 19), 'abcabcabcabcyzplain');
  });

  const invalidFrames: Readonly<Record<string, () => unknown>> = {
    'more bytes than expected': () => decompressLz4Frame(createFrame([createBlock(block)]), 13),
    'fewer bytes than expected': () => decompressLz4Frame(createFrame([createBlock(block)]), 15),
    'a dictionary': () => decompressLz4Frame(createFrame([createBlock(block)], { flags: 0x41 }), 14),
    'an unknown version': () => decompressLz4Frame(createFrame([createBlock(block)], { flags: 0x80 }), 14),
  };
  for (const [name, decompress] of Object.entries(invalidFrames))
    it(`rejects a frame with ${name}`, () => {
      assert.throws(decompress, { reason: 'fileDamaged' });
    });

  it('rejects a frame that is truncated at any byte', () => {
    const content = createFrame([createBlock(block), createPlainBlock('plain')]);
    for (let length = 0; length < content.length; length++)
      assert.throws(() => decompressLz4Frame(content.slice(0, length), 19));
  });
});
