import assert from 'node:assert/strict';
import fc from 'fast-check';
import { focusMove } from '../../../../src/webview/grid/focusMove.ts';

const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

describe('focusMove', () => {
  it('keeps the focus inside the grid', () => {
    const moves = fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(fc.nat(100), fc.integer({ min: 1, max: 20 }), moves, (rows, columns, walk) => {
        let cell = { row: Math.min(0, rows - 1), column: 0 };
        for (const [key, jump] of walk) {
          cell = focusMove(cell, key, jump, { rows, columns, pageRows: 9 }) ?? cell;
          assert.ok(cell.row >= -1 && cell.row < Math.max(rows, 0) && cell.column >= 0 && cell.column < columns);
        }
      }),
    );
  });

  it('ignores other keys', () => {
    assert.equal(focusMove({ row: 0, column: 0 }, 'Tab', false, { rows: 1, columns: 1, pageRows: 1 }), undefined);
    assert.equal(focusMove({ row: 0, column: 0 }, 'a', true, { rows: 1, columns: 1, pageRows: 1 }), undefined);
  });

  it('stops at the first row before it enters the header', () => {
    const bounds = { rows: 100, columns: 3, pageRows: 10 };
    assert.deepEqual(focusMove({ row: 4, column: 2 }, 'PageUp', false, bounds), { row: 0, column: 2 });
    assert.deepEqual(focusMove({ row: 0, column: 2 }, 'PageUp', false, bounds), { row: -1, column: 2 });
    assert.deepEqual(focusMove({ row: -1, column: 2 }, 'PageDown', false, bounds), { row: 10, column: 2 });
  });
});
