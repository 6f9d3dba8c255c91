import assert from 'node:assert/strict';
import type { TimeColumn } from '../../../../src/shared/frame.ts';
import { selectedRowsWithin, selectedIntervals } from '../../../../src/webview/result/selectedCells.ts';

const time = (...values: number[]): TimeColumn => ({
  kind: 'time',
  name: 'ts',
  path: ['ts'],
  values: Float64Array.from(values),
});

describe('selectedIntervals', () => {
  it('joins consecutive rows of the data, in any display order and with any gaps', () => {
    const hours = time(10, 11, 14, 15, 16);
    assert.deepEqual(selectedIntervals(hours, Uint32Array.of(2, 0, 1)), [{ start: 10, end: 14, rows: 3 }]);
    assert.deepEqual(selectedIntervals(hours, Uint32Array.of(4, 0, 1)), [
      { start: 10, end: 11, rows: 2 },
      { start: 16, end: 16, rows: 1 },
    ]);
  });

  it('leaves out rows without an instant, and leaves the given order unchanged', () => {
    const rows = Uint32Array.of(2, 1, 0);
    assert.deepEqual(selectedIntervals(time(10, NaN, 12), rows), [
      { start: 10, end: 10, rows: 1 },
      { start: 12, end: 12, rows: 1 },
    ]);
    assert.deepEqual([...rows], [2, 1, 0]);
  });
});

describe('selectedRowsWithin', () => {
  const hours = time(10, 11, 12, 13);

  it('finds the visible rows of a window, both ends included', () => {
    assert.deepEqual(selectedRowsWithin(hours, undefined, { start: 11, end: 12 }), [1, 2]);
    assert.deepEqual(selectedRowsWithin(hours, Uint32Array.of(3, 2, 1, 0), { start: 11, end: 13 }), [0, 2]);
    assert.deepEqual(selectedRowsWithin(hours, Uint32Array.of(0, 2, 3), { start: 11, end: 13 }), [1, 2]);
    assert.equal(selectedRowsWithin(hours, undefined, { start: 20, end: 30 }), undefined);
  });

  it('reports whether other rows lie between them', () => {
    assert.equal(selectedRowsWithin(hours, Uint32Array.of(1, 3, 0, 2), { start: 11, end: 12 }), 'scattered');
  });
});
