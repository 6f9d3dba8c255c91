import assert from 'node:assert/strict';
import { GridSelection } from '../../../../src/webview/grid/gridSelection.ts';

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
    assert.equal(selection.extended, true);
    selection.moveTo({ row: 2, column: 1 });
    assert.equal(selection.extended, false);
  });

  it('keeps whole rows while it grows', () => {
    const selection = selectionAt(5, 5);
    selection.widen('rows');
    selection.extendTo({ row: 6, column: 5 });
    assert.deepEqual(selection.range(10, 10), { rows: [5, 6], columns: [0, 9] });
  });

  it('selects everything where rows and columns cross', () => {
    const selection = selectionAt(5, 5);
    selection.widen('rows');
    selection.widen('columns');
    assert.deepEqual(selection.range(10, 10), { rows: [0, 9], columns: [0, 9] });
  });

  it('starts again at the focus after everything', () => {
    const selection = selectionAt(5, 5);
    selection.extendTo({ row: 6, column: 6 });
    selection.widen('all');
    selection.extendTo({ row: 7, column: 6 });
    assert.deepEqual(selection.range(10, 10), { rows: [6, 7], columns: [6, 6] });
  });
});
