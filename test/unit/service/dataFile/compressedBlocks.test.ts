import assert from 'node:assert/strict';
import { lz4Block, lz4Frame, snappyBlock } from '../../../../src/service/dataFile/compressedBlocks.ts';

const ascii = (text: string): number[] => [...Buffer.from(text)];
const told = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const size = (count: number): number[] => [count & 255, (count >> 8) & 255, (count >> 16) & 255, count >>> 24];
/** `flags` of a frame with linked blocks; 0x60 of one whose blocks stand alone. */
const frame = (blocks: readonly (readonly number[])[], { flags = 0x40, extra = [] as number[] } = {}) =>
  Uint8Array.from([4, 0x22, 0x4d, 0x18, flags, 0x40, ...extra, 0, ...blocks.flat(), ...size(0)]);
const packed = (block: readonly number[]): number[] => [...size(block.length), ...block];
const plain = (text: string): number[] => [...size(text.length + 0x80_00_00_00), ...ascii(text)];

/** Three letters, nine more from three before, and two that no match follows. */
const block = [0x35, ...ascii('abc'), 3, 0, 0x20, ...ascii('yz')];

describe('LZ4', () => {
  it('repeats what is written already, also while it is written', () => {
    assert.equal(told(lz4Block(Uint8Array.from(block), 14)), 'abcabcabcabcyz');
  });

  it('reads lengths of several bytes', () => {
    const letters = 'x'.repeat(15 + 255 + 10);
    const long = [0xf0 | 0x0f, 255, 10, ...ascii(letters), 1, 0, 255, 0, 0x10, ...ascii('!')];
    assert.equal(told(lz4Block(Uint8Array.from(long), 280 + 4 + 15 + 255 + 1)), `${'x'.repeat(554)}!`);
  });

  it('joins the blocks of a frame, which may repeat bytes of those before', () => {
    const second = [0x01, 14, 0, 0x10, ...ascii('!')];
    const whole = 'abcabcabcabcyzabcab!plain';
    assert.equal(told(lz4Frame(frame([packed(block), packed(second), plain('plain')]), whole.length)), whole);
    const sums = frame([[...packed(block), 9, 9, 9, 9]], { flags: 0x58, extra: [14, 0, 0, 0, 0, 0, 0, 0] });
    assert.equal(told(lz4Frame(sums, 14)), 'abcabcabcabcyz');
  });

  const damaged: Readonly<Record<string, () => unknown>> = {
    'a block that is longer than announced': () => lz4Block(Uint8Array.from(block), 13),
    'a block that is shorter than announced': () => lz4Block(Uint8Array.from(block), 15),
    'a block that ends within a length': () => lz4Block(Uint8Array.from([0xf0, 255]), 300),
    'a block that ends within its letters': () => lz4Block(Uint8Array.from([0x40, 1, 2]), 4),
    'a block that ends within a distance': () => lz4Block(Uint8Array.from([0x10, 1, 1]), 5),
    'bytes of before the beginning': () => lz4Block(Uint8Array.from([0x15, 1, 2, 0, 0x10, 1]), 11),
    'bytes that are not written yet': () => lz4Block(Uint8Array.from([0x15, 1, 0, 0, 0x10, 1]), 11),
    'a length that so few bytes cannot have': () => lz4Block(Uint8Array.from(block), 4_000_000_000),
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

/** The length, three letters, nine more from three before, twelve from twelve before and two from twenty, each in its own way, and two letters. */
const snappy = [
  28,
  2 << 2,
  ...ascii('abc'),
  0x01 | (5 << 2),
  3,
  0x02 | (11 << 2),
  12,
  0,
  0x03 | (1 << 2),
  20,
  0,
  0,
  0,
  60 << 2,
  1,
  ...ascii('yz'),
];

describe('Snappy', () => {
  it('repeats what is written already, also while it is written', () => {
    assert.equal(told(snappyBlock(Uint8Array.from(snappy), 28)), `${'abc'.repeat(8)}bcyz`);
  });

  it('reads lengths and distances of each number of bytes', () => {
    const letters = 'x'.repeat(300);
    for (const bytes of [2, 3, 4]) {
      const long = [0xac, 2, (59 + bytes) << 2, ...size(299).slice(0, bytes), ...ascii(letters)];
      assert.equal(told(snappyBlock(Uint8Array.from(long), 300)), letters, `${bytes} bytes`);
    }
    const far = [
      0x80,
      2,
      61 << 2,
      ...size(299).slice(0, 2),
      ...ascii('y'),
      ...ascii(letters.slice(1)),
      0x01 | (1 << 5),
      44,
    ];
    assert.equal(told(snappyBlock(Uint8Array.from(far), 304)), `y${letters.slice(1)}yxxx`, '300 before');
  });

  const damaged: Readonly<Record<string, readonly [readonly number[], number]>> = {
    'a block that is longer than announced': [snappy, 27],
    'a block that is shorter than announced': [snappy, 29],
    'a block that ends within its letters': [[4, 3 << 2, 1, 2], 4],
    'a block that ends within a length': [[4, 61 << 2, 1], 4],
    'a block that ends within a distance': [[4, 0, 1, 0x02 | (2 << 2), 1], 4],
    'bytes of before the beginning': [[5, 0, 1, 0x01, 2], 5],
    'bytes that are not written yet': [[5, 0, 1, 0x01, 0], 5],
    'a length of four bytes that is none': [[5, 63 << 2, 0xf0, 0xff, 0xff, 0xff, 1], 5],
    'a length that so few bytes cannot have': [snappy, 4_000_000_000],
  };
  for (const [name, [bytes, length]] of Object.entries(damaged))
    it(`refuses ${name}`, () => {
      assert.throws(() => snappyBlock(Uint8Array.from(bytes), length), { reason: 'fileDamaged' });
    });
});
