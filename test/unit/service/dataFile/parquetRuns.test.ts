import assert from 'node:assert/strict';
import type { SchemaTree } from 'hyparquet';
import type { Encoding, ParquetType } from 'hyparquet/src/types.js';
import { GridError } from '../../../../src/core/errors.ts';
import { checkRuns, mostPageValues, NumberView } from '../../../../src/service/dataFile/parquetRuns.ts';

interface Page {
  readonly encoding: Encoding;
  readonly bytes: readonly number[];
  readonly values: number;
  readonly type?: ParquetType;
  readonly repetition?: 'REQUIRED' | 'OPTIONAL' | 'REPEATED';
  /** Of a page of the second version: how many are null, and the bytes of its levels. */
  readonly second?: { readonly nulls: number; readonly repetition: number; readonly definition: number };
}

/** What the texts of the page take that are made of others; throws what is wrong with it. */
function check({ encoding, bytes, values, type = 'BYTE_ARRAY', repetition = 'REQUIRED', second }: Page): number {
  const element = { name: 'a', type, repetition_type: repetition };
  const leaf: SchemaTree = { children: [], count: 1, element, path: ['a'] };
  const root: SchemaTree = { children: [leaf], count: 2, element: { name: 'root' }, path: [] };
  const levels = { definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' } as const;
  const own = { num_values: values, encoding };
  const header = {
    type: second ? ('DATA_PAGE_V2' as const) : ('DATA_PAGE' as const),
    uncompressed_page_size: bytes.length,
    compressed_page_size: bytes.length,
    ...(second
      ? {
          data_page_header_v2: {
            ...own,
            num_rows: values,
            num_nulls: second.nulls,
            repetition_levels_byte_length: second.repetition,
            definition_levels_byte_length: second.definition,
          },
        }
      : { data_page_header: { ...own, ...levels } }),
  };
  const schemaPath = [root, leaf];
  let made = 0;
  const decoder = {
    pathInSchema: ['a'],
    type,
    element,
    schemaPath,
    codec: 'UNCOMPRESSED' as const,
    parsers: undefined as never,
  };
  checkRuns(Uint8Array.from(bytes), header, decoder, count => (made += count));
  return made;
}

/** As Parquet writes a number of variable length. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...number(Math.floor(value / 0x80))];
}

const isDamaged = (error: unknown): boolean => error instanceof GridError && error.reason === 'fileDamaged';

describe('the runs of a Parquet page', () => {
  it('stand for as many values as there are, and the last for some more', () => {
    const run = (count: number): Page => ({
      encoding: 'RLE_DICTIONARY',
      values: 100,
      bytes: [1, ...number(2 * count), 0],
    });
    for (const count of [100, 104, mostPageValues]) check(run(count));
    for (const count of [mostPageValues + 1, 2 ** 30]) assert.throws(() => check(run(count)), isDamaged, String(count));
    assert.throws(() => check(run(99)), RangeError, 'the hundredth is not there');
  });

  it('stand for as many packed values, eight at a time', () => {
    const packed = (groups: number): Page => ({
      encoding: 'RLE_DICTIONARY',
      values: 8,
      bytes: [1, ...number(2 * groups + 1), 0xff],
    });
    check(packed(1));
    assert.throws(() => check(packed(mostPageValues / 8 + 1)), isDamaged);
    assert.throws(() => check({ ...packed(1), values: 9 }), RangeError);
    // Eight of two bits in two bytes, and one of nine bits in two; then the others.
    const [eight, more] = [[3, 0xff, 0xff], number(2 * 2 ** 30)];
    check({ encoding: 'RLE_DICTIONARY', values: 9, bytes: [2, ...eight, 2, 0] });
    assert.throws(() => check({ encoding: 'RLE_DICTIONARY', values: 9, bytes: [2, ...eight, ...more, 0] }), isDamaged);
    assert.throws(() => check({ encoding: 'RLE_DICTIONARY', values: 9, bytes: [9, 2, 0, 0, ...more, 0] }), isDamaged);
  });

  it('are none where all cells are the only entry, and still some in the second version', () => {
    const only: Page = { encoding: 'RLE_DICTIONARY', values: 5, bytes: [0] };
    check(only);
    assert.throws(() => check({ ...only, second: { nulls: 0, repetition: 0, definition: 0 } }), RangeError);
  });

  it('stand for the cells that begin a list', () => {
    const once = [2, 0, 0, 0, ...number(4), 1];
    const many = [6, 0, 0, 0, ...number(2 ** 31), 1];
    const lists = (levels: readonly number[]): Page => ({
      encoding: 'PLAIN',
      repetition: 'REPEATED',
      values: 2,
      bytes: [...levels, ...once],
    });
    check(lists(once));
    assert.throws(() => check(lists(many)), isDamaged);
  });

  it('stand behind levels whose bytes the second version tells', () => {
    const second = { nulls: 1, repetition: 3, definition: 2 };
    const ofSecond = (bytes: readonly number[]): Page => ({
      encoding: 'RLE_DICTIONARY',
      repetition: 'OPTIONAL',
      values: 3,
      bytes,
      second,
    });
    // Three bytes that nobody reads, three cells, the width, and two entries.
    check(ofSecond([0xff, 0xff, 0xff, ...[6, 1], 1, ...number(4), 0]));
    assert.throws(() => check(ofSecond([0xff, 0xff, 0xff, ...[6, 1], 1, ...number(2), 0])), RangeError);
  });

  it('say which cells are null', () => {
    // Three cells, the second of them null, and the runs of the other two.
    const levels = [6, 0, 0, 0, ...[2, 1], ...[2, 0], ...[2, 1]];
    check({ encoding: 'RLE_DICTIONARY', repetition: 'OPTIONAL', values: 3, bytes: [...levels, 1, ...number(4), 0] });
    assert.throws(
      () =>
        check({
          encoding: 'RLE_DICTIONARY',
          repetition: 'OPTIONAL',
          values: 3,
          bytes: [...levels, 1, ...number(2), 0],
        }),
      RangeError,
    );
    const many = [6, 0, 0, 0, ...number(2 ** 31), 1];
    assert.throws(() => check({ encoding: 'PLAIN', repetition: 'OPTIONAL', values: 3, bytes: many }), isDamaged);
  });

  it('are runs of one bit for booleans', () => {
    const ofBooleans = (count: number): Page => ({
      encoding: 'RLE',
      type: 'BOOLEAN',
      values: 9,
      bytes: [3, 0, 0, 0, ...number(2 * count), 1],
    });
    check(ofBooleans(9));
    assert.throws(() => check(ofBooleans(2 ** 29)), isDamaged);
    const packed = (rest: readonly number[]): Page => ({
      encoding: 'RLE',
      type: 'BOOLEAN',
      values: 9,
      bytes: [4, 0, 0, 0, ...[3, 0xff], ...rest],
    });
    const second = { nulls: 0, repetition: 0, definition: 0 };
    for (const version of [{}, { second }]) {
      check({ ...packed([2, 1]), ...version });
      assert.throws(() => check({ ...packed([...number(2 ** 30), 1]), ...version }), isDamaged);
    }
  });

  it('have blocks of differences that can be counted', () => {
    const block = (size: number, parts: readonly number[]): Page => {
      const bytes = [...number(size), ...parts, 2, 0, 0, ...Array.from({ length: 5 }, () => 0)];
      return { encoding: 'DELTA_BINARY_PACKED', type: 'INT32', values: 2, bytes };
    };
    for (const parts of [1, 4]) check(block(128, [parts]));
    // The first stands before the blocks.
    check({ ...block(128, [4]), values: 129 });
    assert.throws(() => check({ ...block(128, [4]), values: 130 }), RangeError);
    // As the library reads a number of 32 bits, the last of these is less than nothing: it would read the same bytes for ever.
    for (const [size, parts] of [
      [0, [4]],
      [128, [0]],
      [100, [4]],
      [2 ** 30, [4]],
      [128, [0xff, 0xff, 0xff, 0xff, 0x0f]],
    ] as const)
      assert.throws(() => check(block(size, parts)), isDamaged, `${size} in ${parts.join()}`);
  });

  it('tell how long the texts are that begin as the one before', () => {
    // Two lengths in one block of no bits: the first, and how much the second is more.
    const lengths = (first: number, more: number): number[] => [
      ...number(128),
      4,
      2,
      ...number(2 * first),
      ...number(2 * more),
      0,
      0,
      0,
      0,
    ];
    const bytes = [...lengths(0, 1_000), ...lengths(1_000, 0)];
    assert.equal(check({ encoding: 'DELTA_BYTE_ARRAY', values: 2, bytes }), 3_000);
  });

  it('have no number of more than 64 bits', () => {
    const long = (bytes: number): DataView =>
      new NumberView(Uint8Array.from([...Array.from({ length: bytes - 1 }, () => 0xff), 1]).buffer);
    const read = (view: DataView): void => {
      for (let at = 0; at < view.byteLength; at++) view.getUint8(at);
    };
    read(long(10));
    assert.throws(() => read(long(11)), isDamaged);
    assert.throws(() => read(new NumberView(new Uint8Array(11).fill(0x80).buffer)), isDamaged);
    read(new NumberView(Uint8Array.from([0xff, 1, ...new Uint8Array(9).fill(0xff), 1]).buffer));
  });

  it('take the space of their values where each byte has its own stream', () => {
    const streams = (values: number): Page => ({
      encoding: 'BYTE_STREAM_SPLIT',
      type: 'FLOAT',
      values,
      bytes: [1, 2, 3, 4, 5, 6, 7, 8],
    });
    check(streams(2));
    assert.throws(() => check(streams(3)), isDamaged);
  });
});
