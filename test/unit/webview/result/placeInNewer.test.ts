import assert from 'node:assert/strict';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import type { GridPlace } from '../../../../src/webview/grid/gridPlace.ts';
import { placeInNewer } from '../../../../src/webview/result/placeInNewer.ts';

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

const place: GridPlace = { topRow: 5.5, row: 7, column: 'wind_mw', anchor: { row: 9, column: 1 }, left: 12 };

describe('the place in a newer answer', () => {
  it('moves with its hours', () => {
    assert.deepEqual(placeInNewer(place, rows(0, 24), rows(1, 25)), {
      ...place,
      topRow: 4.5,
      row: 6,
      anchor: { row: 8, column: 1 },
    });
    assert.deepEqual(placeInNewer(place, rows(0, 24), rows(0, 25)), place);
  });

  it('follows an hour to where a sort puts it', () => {
    const backwards = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);
    const after = placeInNewer(place, rows(0, 24, backwards(24)), rows(1, 25, backwards(24)));
    assert.deepEqual([after.topRow, after.row, after.anchor?.row], [6.5, 8, 10]);
  });

  it('stays at the top, and within what is there', () => {
    assert.equal(placeInNewer({ ...place, topRow: 0 }, rows(0, 24), rows(1, 25)).topRow, 0);
    const later = placeInNewer(place, rows(0, 24), rows(20, 44));
    assert.deepEqual([later.row, later.topRow], [0, 0.5]);
    assert.equal(placeInNewer({ ...place, row: 23 }, rows(0, 24), rows(0, 4)).row, 3);
  });

  it('is the same for the same rows, and where there is no time', () => {
    const one = rows(0, 24);
    assert.equal(placeInNewer(place, one, { ...one, rowCount: 3 }), place);
    const other = { frame: frameOf([{ name: 'a' }]), order: undefined, rowCount: 1 };
    assert.equal(placeInNewer(place, one, other), place);
  });
});
