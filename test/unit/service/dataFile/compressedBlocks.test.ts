import assert from 'node:assert/strict';
import { lz4Frame } from '../../../../src/service/dataFile/compressedBlocks.ts';

const ascii = (text: string): number[] => [...Buffer.from(text)];
const told = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const size = (count: number): number[] => [count & 255, (count >> 8) & 255, (count >> 16) & 255, count >>> 24];
/** `flags` of a frame with linked blocks; 0x60 of one whose blocks stand alone. */
const frame = (blocks: readonly (readonly number[])[], { flags = 0x40, extra = [] as number[] } = {}) =>
  Uint8Array.from([4, 0x22, 0x4d, 0x18, flags, 0x40, ...extra, 0, ...blocks.flat(), ...size(0)]);
const packed = (block: readonly number[]): number[] => [...size(block.length), ...block];
const plain = (text: string): number[] => [...size(text.length + 0x80_00_00_00), ...ascii(text)];

const lz4Block = (block: readonly number[], length: number): Uint8Array => lz4Frame(frame([packed(block)]), length);

/** Three letters, nine more from three before, and two that no match follows. */
const block = [0x35, ...ascii('abc'), 3, 0, 0x20, ...ascii('yz')];

describe('LZ4', () => {
  it('repeats what is written already, also while it is written', () => {
    assert.equal(told(lz4Block(block, 14)), 'abcabcabcabcyz');
  });

  it('reads lengths of several bytes', () => {
    const letters = 'x'.repeat(15 + 255 + 10);
    const long = [0xf0 | 0x0f, 255, 10, ...ascii(letters), 1, 0, 255, 0, 0x10, ...ascii('!')];
    assert.equal(told(lz4Block(long, 280 + 4 + 15 + 255 + 1)), `${'x'.repeat(554)}!`);
  });

  it('joins the blocks of a frame, which may repeat bytes of those before', () => {
    const second = [0x01, 14, 0, 0x10, ...ascii('!')];
    const whole = 'abcabcabcabcyzabcab!plain';
    assert.equal(told(lz4Frame(frame([packed(block), packed(second), plain('plain')]), whole.length)), whole);
    const sums = frame([[...packed(block), 9, 9, 9, 9]], { flags: 0x58, extra: [14, 0, 0, 0, 0, 0, 0, 0] });
    assert.equal(told(lz4Frame(sums, 14)), 'abcabcabcabcyz');
  });

  const damaged: Readonly<Record<string, () => unknown>> = {
    'a block that is longer than announced': () => lz4Block(block, 13),
    'a block that is shorter than announced': () => lz4Block(block, 15),
    'a block that ends within a length': () => lz4Block([0xf0, 255], 300),
    'a block that ends within its letters': () => lz4Block([0x40, 1, 2], 4),
    'a block that ends within a distance': () => lz4Block([0x10, 1, 1], 5),
    'bytes of before the beginning': () => lz4Block([0x15, 1, 2, 0, 0x10, 1], 11),
    'bytes that are not written yet': () => lz4Block([0x15, 1, 0, 0, 0x10, 1], 11),
    'a length that so few bytes cannot have': () => lz4Block(block, 4_000_000_000),
    'a frame with too long a plain block': () => lz4Frame(frame([plain('plain')]), 4),
    'a frame that needs a dictionary': () => lz4Frame(frame([packed(block)], { flags: 0x41 }), 14),
    'another version': () => lz4Frame(frame([packed(block)], { flags: 0x80 }), 14),
  };
  for (const [name, read] of Object.entries(damaged))
    it(`refuses ${name}`, () => {
      assert.throws(read, { reason: 'fileDamaged' });
    });

  it('ends wherever a frame is cut off', () => {
    const whole = frame([packed(block), plain('plain')]);
    for (let length = 0; length < whole.length; length++) assert.throws(() => lz4Frame(whole.slice(0, length), 19));
  });
});
