import assert from 'node:assert/strict';
import type { Frame, TimeColumn } from '../../../../src/shared/frame.ts';
import type { DataGrid } from '../../../../src/webview/grid/dataGrid.ts';
import type { DisplayedRows } from '../../../../src/presentation/result/displayedRows.ts';
import { SelectedCells, findRowsInWindow, listIntervals } from '../../../../src/webview/result/selectedCells.ts';

const time = (...values: number[]): TimeColumn => ({
  kind: 'time',
  name: 'ts',
  path: ['ts'],
  values: Float64Array.from(values),
});

describe('SelectedCells', () => {
  it('finds the visible row of each row in any order, and reads the order once', () => {
    const rowCount = 1_000;
    const frame: Frame = { rowCount, columns: [time(...Array.from({ length: rowCount }, (_, row) => row))] };
    const order = Uint32Array.from({ length: rowCount - 1 }, (_, index) => (index * 7) % rowCount);
    let readCount = 0;
    const countingOrder = new Proxy(order, {
      get(target, name) {
        readCount += Number(name !== 'length');
        return Reflect.get(target, name, target) as unknown;
      },
    });
    const rows: DisplayedRows = {
      frame,
      intervalMs: undefined,
      order: countingOrder,
      rowCount: order.length,
      receivedCount: order.length,
      omittedCount: 0,
      getNote: undefined,
    };
    const cells = new SelectedCells({} as DataGrid, () => rows);
    for (let row = 0; row < rowCount; row++)
      assert.equal(cells.findVisibleRow(row, frame) ?? -1, order.indexOf(row), `row ${row}`);
    assert.equal(readCount, order.length);
  });
});

describe('listIntervals', () => {
  it('joins consecutive rows of the data, in any display order and with any gaps', () => {
    const hours = time(10, 11, 14, 15, 16);
    assert.deepEqual(listIntervals(hours, Uint32Array.of(2, 0, 1)), [{ start: 10, end: 14, rows: 3 }]);
    assert.deepEqual(listIntervals(hours, Uint32Array.of(4, 0, 1)), [
      { start: 10, end: 11, rows: 2 },
      { start: 16, end: 16, rows: 1 },
    ]);
  });

  it('omits rows without an instant, and does not change the given order', () => {
    const rows = Uint32Array.of(2, 1, 0);
    assert.deepEqual(listIntervals(time(10, NaN, 12), rows), [
      { start: 10, end: 10, rows: 1 },
      { start: 12, end: 12, rows: 1 },
    ]);
    assert.deepEqual([...rows], [2, 1, 0]);
  });
});

describe('findRowsInWindow', () => {
  const hours = time(10, 11, 12, 13);

  it('finds the visible rows of a window, both ends included', () => {
    assert.deepEqual(findRowsInWindow(hours, undefined, { start: 11, end: 12 }), [1, 2]);
    assert.deepEqual(findRowsInWindow(hours, Uint32Array.of(3, 2, 1, 0), { start: 11, end: 13 }), [0, 2]);
    assert.deepEqual(findRowsInWindow(hours, Uint32Array.of(0, 2, 3), { start: 11, end: 13 }), [1, 2]);
    assert.equal(findRowsInWindow(hours, undefined, { start: 20, end: 30 }), undefined);
  });

  it('reports whether other rows are between those of the window', () => {
    assert.equal(findRowsInWindow(hours, Uint32Array.of(1, 3, 0, 2), { start: 11, end: 12 }), 'scattered');
  });
});
