import assert from 'node:assert/strict';
import { decompressLz4Frame } from '../../../../src/service/dataFile/lz4Frame.ts';

const ascii = (text: string): number[] => [...Buffer.from(text)];
const size = (count: number): number[] => [count & 255, (count >> 8) & 255, (count >> 16) & 255, count >>> 24];
/** `flags` of a frame with linked blocks; 0x60 of one whose blocks stand alone. */
const frame = (blocks: readonly (readonly number[])[], { flags = 0x40, extra = [] as number[] } = {}) =>
  Uint8Array.from([4, 0x22, 0x4d, 0x18, flags, 0x40, ...extra, 0, ...blocks.flat(), ...size(0)]);
const packed = (block: readonly number[]): number[] => [...size(block.length), ...block];
const plain = (text: string): number[] => [...size(text.length + 0x80_00_00_00), ...ascii(text)];
const told = (bytes: Uint8Array, length: number): string => Buffer.from(decompressLz4Frame(bytes, length)).toString();

/** Three letters, nine more from three before, and two that no match follows. */
const block = [0x35, ...ascii('abc'), 3, 0, 0x20, ...ascii('yz')];

describe('a frame of LZ4', () => {
  it('joins its blocks, which may repeat bytes of those before', () => {
    const second = [0x01, 14, 0, 0x10, ...ascii('!')];
    const whole = 'abcabcabcabcyzabcab!plain';
    assert.equal(told(frame([packed(block), packed(second), plain('plain')]), whole.length), whole);
  });

  it('may have checksums behind its blocks, and the length of its content', () => {
    const sums = [9, 9, 9, 9];
    const blocks = [
      [...packed(block), ...sums],
      [...plain('plain'), ...sums],
    ];
    const bytes = frame(blocks, { flags: 0x58, extra: [19, 0, 0, 0, 0, 0, 0, 0] });
    assert.equal(told(bytes, 19), 'abcabcabcabcyzplain');
  });

  const damaged: Readonly<Record<string, () => unknown>> = {
    'more bytes than announced': () => decompressLz4Frame(frame([packed(block)]), 13),
    'fewer bytes than announced': () => decompressLz4Frame(frame([packed(block)]), 15),
    'a dictionary of its own': () => decompressLz4Frame(frame([packed(block)], { flags: 0x41 }), 14),
    'another version': () => decompressLz4Frame(frame([packed(block)], { flags: 0x80 }), 14),
  };
  for (const [name, read] of Object.entries(damaged))
    it(`is refused with ${name}`, () => {
      assert.throws(read, { reason: 'fileDamaged' });
    });

  it('is refused wherever it is cut off', () => {
    const whole = frame([packed(block), plain('plain')]);
    for (let length = 0; length < whole.length; length++)
      assert.throws(() => decompressLz4Frame(whole.slice(0, length), 19));
  });
});
