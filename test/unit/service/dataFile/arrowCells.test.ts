import assert from 'node:assert/strict';
import { Field } from 'apache-arrow/schema';
import { Int32, LargeUtf8, List, Struct, Utf8, Utf8View } from 'apache-arrow/type';
import { BufferRegion, FieldNode, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { bytesSource } from '../../../../src/service/dataFile/byteSource.ts';
import { cellsOf, type ArrowType } from '../../../../src/service/dataFile/arrowCells.ts';

/** The cells of a column of these buffers, and the bytes that are made of them. `lengths`: of the column and those within it. */
function read(type: unknown, lengths: readonly number[], buffers: readonly ArrayBufferView[], views: number[] = []) {
  const parts = buffers.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  let end = 0;
  const regions = parts.map(({ length }) => new BufferRegion((end += length) - length, length));
  const nodes = lengths.map(length => new FieldNode(length, 0));
  const batch = new RecordBatch(lengths[0] ?? 0, nodes, regions, null, views);
  let made = 0;
  const source = { ...bytesSource(Buffer.concat(parts)), use: (bytes: number) => (made += bytes) };
  const reading = { source, placed: { batch, body: 0 }, entries: new Map() };
  const cells = cellsOf(reading, type as ArrowType, { node: 0, buffer: 0, view: 0 }, lengths[0] ?? 0);
  made = 0;
  const values = Array.from({ length: lengths[0] ?? 0 }, (_, row) => cells(row));
  return { values, made };
}

const none = new Uint8Array();
const words = Buffer.from('north south');

describe('the cells of an Arrow file', () => {
  it('count the bytes of each text, which may be those of others', () => {
    const offsets = [0, 5, 5, 11];
    for (const [type, ends] of [
      [new Utf8(), Int32Array.from(offsets)],
      [new LargeUtf8(), BigInt64Array.from(offsets, BigInt)],
    ] as const)
      assert.deepEqual(read(type, [3], [none, ends, words]), { values: ['north', '', ' south'], made: 11 });
  });

  it('count the bytes of each view', () => {
    const long = Buffer.from('a text of more than twelve bytes');
    const view = Int32Array.of(long.length, 0, 0, 0);
    const twice = Int32Array.of(...view, ...view);
    const { values, made } = read(new Utf8View(), [2], [none, twice, long], [1]);
    assert.deepEqual([values, made], [[String(long), String(long)], 2 * long.length]);
  });

  it('count the items of each list and object', () => {
    const item = new Field('item', new Int32());
    const numbers = Int32Array.of(1, 2, 3, 4);
    const lists = read(new List(item), [2, 4], [none, Int32Array.of(0, 3, 4), none, numbers]);
    assert.deepEqual(lists, { values: [[1, 2, 3], [4]], made: 4 * 8 });
    const objects = read(
      new Struct([item, new Field('other', new Int32())]),
      [2, 2, 2],
      [none, none, numbers, none, numbers],
    );
    const expected = [
      { item: 1, other: 1 },
      { item: 2, other: 2 },
    ];
    assert.deepEqual(objects, { values: expected, made: 4 * 8 });
  });
});
