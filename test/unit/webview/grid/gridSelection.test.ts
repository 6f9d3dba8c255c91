import assert from 'node:assert/strict';
import {
  GridSelection,
  containsCell,
  hasMultipleCells,
  computeRange,
  isSameRange,
} from '../../../../src/webview/grid/gridSelection.ts';
import fc from 'fast-check';

function selectionAt(row: number, column: number): GridSelection {
  const selection = new GridSelection();
  selection.moveTo({ row, column });
  return selection;
}

describe('GridSelection', () => {
  it('extends from its anchor in any direction', () => {
    const selection = selectionAt(5, 5);
    selection.extendTo({ row: 7, column: 6 });
    selection.extendTo({ row: 2, column: 1 });
    assert.deepEqual(selection.range(10, 10), { rows: [2, 5], columns: [1, 5] });
    assert.equal(selection.isExtended, true);
    selection.moveTo({ row: 2, column: 1 });
    assert.equal(selection.isExtended, false);
  });

  it('keeps whole rows while it grows', () => {
    const selection = selectionAt(5, 5);
    selection.extendReach('rows');
    selection.extendTo({ row: 6, column: 5 });
    assert.deepEqual(selection.range(10, 10), { rows: [5, 6], columns: [0, 9] });
  });

  it('selects everything where rows and columns cross', () => {
    const selection = selectionAt(5, 5);
    selection.extendReach('rows');
    selection.extendReach('columns');
    assert.deepEqual(selection.range(10, 10), { rows: [0, 9], columns: [0, 9] });
  });

  it('starts again at the focus after Select All', () => {
    const selection = selectionAt(5, 5);
    selection.extendTo({ row: 6, column: 6 });
    selection.extendReach('all');
    selection.extendTo({ row: 7, column: 6 });
    assert.deepEqual(selection.range(10, 10), { rows: [6, 7], columns: [6, 6] });
  });
});

const size = { rows: 100, columns: 10 };

describe('computeRange', () => {
  it('returns the smallest rectangle with both corners, in any order', () => {
    const cell = fc.record({ row: fc.nat(99), column: fc.nat(9) });
    fc.assert(
      fc.property(cell, cell, (first, second) => {
        const range = computeRange(first, second, 'cells', size);
        assert.ok(range && containsCell(range, first) && containsCell(range, second));
        assert.ok(isSameRange(range, computeRange(second, first, 'cells', size)));
        assert.equal(range.rows[1] - range.rows[0], Math.abs(first.row - second.row));
        assert.equal(range.columns[1] - range.columns[0], Math.abs(first.column - second.column));
        assert.equal(hasMultipleCells(range), first.row !== second.row || first.column !== second.column);
      }),
    );
  });

  it('extends to whole rows, columns or all cells', () => {
    const cell = { row: 4, column: 2 };
    assert.deepEqual(computeRange(cell, cell, 'rows', size), { rows: [4, 4], columns: [0, 9] });
    assert.deepEqual(computeRange(cell, cell, 'columns', size), { rows: [0, 99], columns: [2, 2] });
    assert.deepEqual(computeRange(cell, cell, 'all', size), { rows: [0, 99], columns: [0, 9] });
  });

  it('returns no cell for a header alone, and whole columns for headers', () => {
    const header = { row: -1, column: 3 };
    assert.equal(computeRange(header, header, 'cells', size), undefined);
    assert.deepEqual(computeRange(header, { row: -1, column: 5 }, 'columns', size), { rows: [0, 99], columns: [3, 5] });
  });

  it('returns no cell of an empty table', () => {
    const cell = { row: -1, column: 0 };
    assert.equal(computeRange(cell, cell, 'all', { rows: 0, columns: 10 }), undefined);
    assert.equal(computeRange(cell, cell, 'columns', { rows: 9, columns: 0 }), undefined);
  });
});
