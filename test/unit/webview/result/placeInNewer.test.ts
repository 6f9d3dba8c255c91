import assert from 'node:assert/strict';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { placeInNewer } from '../../../../src/webview/result/placeInNewer.ts';
import type { GridPosition } from '../../../../src/webview/grid/gridSelection.ts';

const hour = 3_600_000;
const start = Date.parse('2026-05-04T00:00:00Z');

/** Hours of the day from one to another, in their order or in another one. */
function rows(from: number, to: number, order?: number[]) {
  const records = Array.from({ length: to - from }, (_, index) => {
    return { ts: new Date(start + (from + index) * hour).toISOString().replace('.000Z', 'Z'), wind_mw: 1 };
  });
  const frame = frameOf(records);
  return { frame, order: order && Uint32Array.from(order), rowCount: order?.length ?? frame.rowCount };
}

const place: GridPosition = { topRow: 5.5, row: 7, column: 'wind_mw', anchor: { row: 9, column: 'pv_mw' }, left: 12 };

describe('the position in a newer result', () => {
  it('moves with the hours that it was at', () => {
    assert.deepEqual(placeInNewer(place, rows(0, 24), rows(1, 25)), {
      ...place,
      topRow: 4.5,
      row: 6,
      anchor: { row: 8, column: 'pv_mw' },
    });
    assert.deepEqual(placeInNewer(place, rows(0, 24), rows(0, 25)), place);
  });

  it('follows an hour to its sorted position', () => {
    const backwards = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);
    const after = placeInNewer(place, rows(0, 24, backwards(24)), rows(1, 25, backwards(24)));
    assert.deepEqual([after.topRow, after.row, after.anchor?.row], [6.5, 8, 10]);
  });

  it('stays at the top, and within the rows', () => {
    assert.equal(placeInNewer({ ...place, topRow: 0 }, rows(0, 24), rows(1, 25)).topRow, 0);
    const later = placeInNewer(place, rows(0, 24), rows(20, 44));
    assert.deepEqual([later.row, later.topRow], [0, 0.5]);
    assert.equal(placeInNewer({ ...place, row: 23 }, rows(0, 24), rows(0, 4)).row, 3);
  });

  it('stays on its rows behind a filter and in another order', () => {
    const all = rows(0, 24);
    const only = (...order: number[]) => ({ ...all, order: Uint32Array.from(order), rowCount: order.length });
    const corners = (after: GridPosition) => [after.topRow, after.row, after.anchor?.row];
    const shown = placeInNewer(place, all, only(2, 3, 7, 8, 9, 20));
    assert.deepEqual(corners(shown), [0.5, 2, 4]);
    assert.deepEqual(corners(placeInNewer(shown, only(2, 3, 7, 8, 9, 20), all)), [5.5, 7, 9]);
    // Of these rows, what is left.
    assert.deepEqual(corners(placeInNewer(place, all, only(8, 9, 10))), [0, 0, 1]);
    assert.deepEqual(corners(placeInNewer({ ...place, topRow: 0 }, all, only(9, 8, 7, 6))), [0, 2, 0]);
    // One cell is no selection, and the first is where nobody has gone.
    assert.deepEqual(corners(placeInNewer({ topRow: 0, row: 7, column: '' }, all, only(1, 7))), [0, 1, undefined]);
    assert.deepEqual(placeInNewer({ topRow: 0, row: 0, column: '' }, all, only(1, 0)).row, 0);
  });

  it('clears the selection when its rows are no longer adjacent', () => {
    const all = rows(0, 24);
    const only = (...order: number[]) => ({ ...all, order: Uint32Array.from(order), rowCount: order.length });
    const torn = placeInNewer(place, all, only(8, 1, 7, 9));
    assert.deepEqual([torn.row, torn.anchor], [2, undefined]);
    const gone = placeInNewer(place, all, only(1, 2));
    assert.deepEqual([gone.row, gone.anchor], [1, undefined]);
  });

  it('keeps the position for the same rows, and without times', () => {
    const one = rows(0, 24);
    assert.equal(placeInNewer(place, one, { ...one, rowCount: 3 }), place);
    const other = { frame: frameOf([{ name: 'a' }]), order: undefined, rowCount: 1 };
    assert.equal(placeInNewer(place, one, other), place);
  });
});
