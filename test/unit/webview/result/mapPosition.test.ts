import assert from 'node:assert/strict';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { mapPosition } from '../../../../src/webview/result/mapPosition.ts';
import type { GridPosition } from '../../../../src/webview/grid/gridSelection.ts';

const hour = 3_600_000;
const start = Date.parse('2026-05-04T00:00:00Z');

/** Creates rows of consecutive hours of the day, optionally in another order. */
function createRows(from: number, to: number, order?: number[]) {
  const records = Array.from({ length: to - from }, (_, index) => {
    return { ts: new Date(start + (from + index) * hour).toISOString().replace('.000Z', 'Z'), wind_mw: 1 };
  });
  const frame = recordsToFrame(records);
  return { frame, order: order && Uint32Array.from(order), rowCount: order?.length ?? frame.rowCount };
}

const position: GridPosition = {
  topRow: 5.5,
  row: 7,
  column: 'wind_mw',
  anchor: { row: 9, column: 'pv_mw' },
  left: 12,
};

describe('the position in a newer result', () => {
  it('follows its hours when rows are removed or added', () => {
    assert.deepEqual(mapPosition(position, createRows(0, 24), createRows(1, 25)), {
      ...position,
      topRow: 4.5,
      row: 6,
      anchor: { row: 8, column: 'pv_mw' },
    });
    assert.deepEqual(mapPosition(position, createRows(0, 24), createRows(0, 25)), position);
  });

  it('follows an hour to its sorted position', () => {
    const backwards = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);
    const mapped = mapPosition(position, createRows(0, 24, backwards(24)), createRows(1, 25, backwards(24)));
    assert.deepEqual([mapped.topRow, mapped.row, mapped.anchor?.row], [6.5, 8, 10]);
  });

  it('stays at the top, and within the rows', () => {
    assert.equal(mapPosition({ ...position, topRow: 0 }, createRows(0, 24), createRows(1, 25)).topRow, 0);
    const later = mapPosition(position, createRows(0, 24), createRows(20, 44));
    assert.deepEqual([later.row, later.topRow], [0, 0.5]);
    assert.equal(mapPosition({ ...position, row: 23 }, createRows(0, 24), createRows(0, 4)).row, 3);
  });

  it('stays on its rows after filtering and sorting', () => {
    const allRows = createRows(0, 24);
    const selectRows = (...order: number[]) => ({ ...allRows, order: Uint32Array.from(order), rowCount: order.length });
    const listRows = (mapped: GridPosition) => [mapped.topRow, mapped.row, mapped.anchor?.row];
    const filtered = mapPosition(position, allRows, selectRows(2, 3, 7, 8, 9, 20));
    assert.deepEqual(listRows(filtered), [0.5, 2, 4]);
    assert.deepEqual(listRows(mapPosition(filtered, selectRows(2, 3, 7, 8, 9, 20), allRows)), [5.5, 7, 9]);
    // The new result has only some of the selected rows.
    assert.deepEqual(listRows(mapPosition(position, allRows, selectRows(8, 9, 10))), [0, 0, 1]);
    assert.deepEqual(listRows(mapPosition({ ...position, topRow: 0 }, allRows, selectRows(9, 8, 7, 6))), [0, 2, 0]);
    // A single cell is not a selection, and a focus on the first row stays there.
    assert.deepEqual(listRows(mapPosition({ topRow: 0, row: 7, column: '' }, allRows, selectRows(1, 7))), [
      0,
      1,
      undefined,
    ]);
    assert.deepEqual(mapPosition({ topRow: 0, row: 0, column: '' }, allRows, selectRows(1, 0)).row, 0);
  });

  it('clears the selection when its rows are no longer adjacent', () => {
    const allRows = createRows(0, 24);
    const selectRows = (...order: number[]) => ({ ...allRows, order: Uint32Array.from(order), rowCount: order.length });
    const scattered = mapPosition(position, allRows, selectRows(8, 1, 7, 9));
    assert.deepEqual([scattered.row, scattered.anchor], [2, undefined]);
    const hidden = mapPosition(position, allRows, selectRows(1, 2));
    assert.deepEqual([hidden.row, hidden.anchor], [1, undefined]);
  });

  it('keeps the position if the rows are the same or have no times', () => {
    const dayRows = createRows(0, 24);
    assert.equal(mapPosition(position, dayRows, { ...dayRows, rowCount: 3 }), position);
    const rowsWithoutTimes = { frame: recordsToFrame([{ name: 'a' }]), order: undefined, rowCount: 1 };
    assert.equal(mapPosition(position, dayRows, rowsWithoutTimes), position);
  });
});
