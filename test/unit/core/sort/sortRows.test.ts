import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Column } from '../../../../src/shared/frame.ts';
import { sortRows, TextRanks } from '../../../../src/core/sort/sortRows.ts';
import {
  booleanColumn,
  createFrame,
  nestedColumn,
  numberColumn,
  textColumn,
  timeColumn,
  type Cell,
} from '../filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

function sortCells(column: Column, descending = false, rows?: number[], locale = 'en'): number[] {
  const keys = [{ column: column.name, descending }];
  return [...sortRows(createFrame(column), keys, rows && Uint32Array.from(rows), new TextRanks(locale))];
}

describe('sortRows', () => {
  it('puts gaps last in both directions, in received order', () => {
    const cells = [3, null, -1, undefined, 2];
    assert.deepEqual(sortCells(numberColumn('a', cells)), [2, 4, 0, 1, 3]);
    assert.deepEqual(sortCells(numberColumn('a', cells), true), [0, 4, 2, 1, 3]);
  });

  it('keeps the order of equal rows also when descending', () => {
    assert.deepEqual(sortCells(numberColumn('a', [1, 2, 1, 2, 3]), true), [4, 1, 3, 0, 2]);
    assert.deepEqual(sortCells(booleanColumn('a', [true, false, true, false]), true), [0, 2, 1, 3]);
    assert.deepEqual(sortCells(textColumn('a', ['b', 'a', 'b', 'a']), true), [0, 2, 1, 3]);
  });

  it('treats -0 as 0 and NaN as larger than all other values', () => {
    assert.deepEqual(sortCells(numberColumn('a', [0, -0, 0, -0, -1])), [4, 0, 1, 2, 3]);
    assert.deepEqual(sortCells(numberColumn('a', [0, -0, 0, -0, -1]), true), [0, 1, 2, 3, 4]);
    // A NaN may carry a sign.
    const negativeNaN = new Float64Array(Uint32Array.from([0, 0xfff80000]).buffer)[0];
    assert.deepEqual(sortCells(numberColumn('a', [NaN, 1, Infinity, negativeNaN, -Infinity])), [4, 1, 2, 0, 3]);
  });

  it('sorts only the given rows, and leaves them unchanged', () => {
    const rows = Uint32Array.from([4, 1, 0]);
    const frame = createFrame(numberColumn('a', [5, 6, 1, 2, 7]));
    assert.deepEqual([...sortRows(frame, [{ column: 'a', descending: false }], rows)], [0, 1, 4]);
    assert.deepEqual([...rows], [4, 1, 0]);
  });

  it("sorts texts in the locale's order, numbers in them by value", () => {
    const cells = ['unit 10', 'Unit 2', 'öl', 'zink', 'unit 2'];
    assert.deepEqual(sortCells(textColumn('a', cells), false, undefined, 'de'), [2, 4, 1, 0, 3]);
    assert.deepEqual(sortCells(textColumn('a', cells), false, undefined, 'sv'), [4, 1, 0, 3, 2]);
  });

  it('merges thousands of texts into one order', () => {
    const texts = Array.from({ length: 5000 }, (_, index) => `Unit ${(index * 7919) % 4999}`);
    const frameOfTexts = createFrame(textColumn('name', texts));
    const sorted = sortRows(frameOfTexts, [{ column: 'name', descending: false }]);
    const numbers = Array.from(sorted, row => Number(texts[row]?.slice(5)));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
  });

  it('sorts numbers beyond double precision by value', () => {
    const cells = ['9007199254740993', '-5', '9007199254740992', '"text"', '10.25', '10.5'];
    assert.deepEqual(sortCells(nestedColumn('a', cells)), [1, 4, 5, 2, 0, 3]);
  });

  it('sorts by several columns, skipping a removed one', () => {
    const frame = createFrame(textColumn('kind', ['b', 'a', 'b', 'a']), numberColumn('mw', [1, 2, 3, 4]));
    const keys = [
      { column: 'kind', descending: false },
      { column: 'gone', descending: false },
      { column: 'mw', descending: true },
    ];
    assert.deepEqual([...sortRows(frame, keys)], [3, 1, 2, 0]);
  });

  it('sorts numbers like a comparator of cells', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -3, max: 3 }), fc.constantFrom(-0, 0));
    const cell = fc.oneof({ weight: 5, arbitrary: number }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) });
    const input = fc.array(fc.tuple(cell, cell, fc.option(fc.boolean())), { maxLength: 60 });
    fc.assert(
      fc.property(input, fc.boolean(), fc.boolean(), (cells, firstDown, secondDown) => {
        const records = cells.map(([a, b, c], row) => ({ a, b, c, row }));
        const frame = createFrame(
          numberColumn(
            'a',
            records.map(({ a }) => a),
          ),
          timeColumn(
            'b',
            records.map(({ b }) => b),
          ),
          booleanColumn(
            'c',
            records.map(({ c }) => c),
          ),
        );
        const keys = [
          { column: 'c', descending: firstDown },
          { column: 'a', descending: secondDown },
          { column: 'b', descending: firstDown },
        ];
        const expected = records
          .sort(
            (x, y) =>
              compareCells(x.c, y.c, firstDown) ||
              compareCells(x.a, y.a, secondDown) ||
              compareCells(x.b, y.b, firstDown) ||
              0,
          )
          .map(({ row }) => row);
        assert.deepEqual([...sortRows(frame, keys)], expected);
      }),
      { numRuns: scaleRunCount(300) },
    );
  });
});

function compareCells(x: Cell, y: Cell, descending: boolean): number {
  if (x == null || y == null) return Number(x == null) - Number(y == null);
  return (x < y ? -1 : x > y ? 1 : 0) * (descending ? -1 : 1);
}
