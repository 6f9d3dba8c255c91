import assert from 'node:assert/strict';
import { decompressLz4Frame } from '../../../../src/service/dataFile/lz4Frame.ts';

const encodeAscii = (text: string): number[] => [...Buffer.from(text)];
const encodeSize = (count: number): number[] => [count & 255, (count >> 8) & 255, (count >> 16) & 255, count >>> 24];
/** Creates a frame. `flags` is 0x40 for linked blocks, and 0x60 for independent ones. */
const frame = (blocks: readonly (readonly number[])[], { flags = 0x40, extra = [] as number[] } = {}) =>
  Uint8Array.from([4, 0x22, 0x4d, 0x18, flags, 0x40, ...extra, 0, ...blocks.flat(), ...encodeSize(0)]);
const writeBlock = (block: readonly number[]): number[] => [...encodeSize(block.length), ...block];
const writePlainBlock = (text: string): number[] => [...encodeSize(text.length + 0x80_00_00_00), ...encodeAscii(text)];
const decompressText = (bytes: Uint8Array, length: number): string =>
  Buffer.from(decompressLz4Frame(bytes, length)).toString();

/** Three literals, a match of nine bytes at distance three, and two literals at the end. */
const block = [0x35, ...encodeAscii('abc'), 3, 0, 0x20, ...encodeAscii('yz')];

describe('an LZ4 frame', () => {
  it('joins blocks that refer to bytes of earlier blocks', () => {
    const second = [0x01, 14, 0, 0x10, ...encodeAscii('!')];
    const content = 'abcabcabcabcyzabcab!plain';
    assert.equal(
      decompressText(frame([writeBlock(block), writeBlock(second), writePlainBlock('plain')]), content.length),
      content,
    );
  });

  it('accepts checksums after the blocks, and the length of the content', () => {
    const sums = [9, 9, 9, 9];
    const blocks = [
      [...writeBlock(block), ...sums],
      [...writePlainBlock('plain'), ...sums],
    ];
    const bytes = frame(blocks, { flags: 0x58, extra: [19, 0, 0, 0, 0, 0, 0, 0] });
    assert.equal(decompressText(bytes, 19), 'abcabcabcabcyzplain');
  });

  const damaged: Readonly<Record<string, () => unknown>> = {
    'more bytes than announced': () => decompressLz4Frame(frame([writeBlock(block)]), 13),
    'fewer bytes than announced': () => decompressLz4Frame(frame([writeBlock(block)]), 15),
    'a dictionary of its own': () => decompressLz4Frame(frame([writeBlock(block)], { flags: 0x41 }), 14),
    'another version': () => decompressLz4Frame(frame([writeBlock(block)], { flags: 0x80 }), 14),
  };
  for (const [name, read] of Object.entries(damaged))
    it(`rejects a frame with ${name}`, () => {
      assert.throws(read, { reason: 'fileDamaged' });
    });

  it('rejects a frame wherever it is truncated', () => {
    const content = frame([writeBlock(block), writePlainBlock('plain')]);
    for (let length = 0; length < content.length; length++)
      assert.throws(() => decompressLz4Frame(content.slice(0, length), 19));
  });
});
