import assert from 'node:assert/strict';
import { getTimeShape } from '../../../src/shared/formatTime.ts';
import type { TimeColumn } from '../../../src/shared/frame.ts';

const hour = 3_600_000;
const day = 24 * hour;

function createColumn(values: readonly number[], gaps?: Uint8Array): TimeColumn {
  return { kind: 'time', name: 'ts', path: ['ts'], values: Float64Array.from(values), ...(gaps && { gaps }) };
}

describe('getTimeShape', () => {
  it('finds the range, the step and the unit', () => {
    const start = Date.UTC(2026, 10, 14, 5);
    assert.deepEqual(getTimeShape(createColumn([start, start + hour, start + 3 * hour]), 3), {
      range: [start, start + 3 * hour],
      step: hour,
      unit: 'hour',
      daily: false,
    });
    assert.equal(getTimeShape(createColumn([start + 60_000]), 1).unit, 'minute');
    assert.equal(getTimeShape(createColumn([start + 1000]), 1).unit, 'second');
    assert.equal(getTimeShape(createColumn([start + 1]), 1).unit, 'millisecond');
  });

  it('detects daily values at midnight, but not from a single one', () => {
    const start = Date.UTC(2026, 10, 14);
    assert.equal(getTimeShape(createColumn([start, start + day]), 2).daily, true);
    assert.equal(getTimeShape(createColumn([start]), 1).daily, false);
  });

  it('reads nothing from gaps', () => {
    assert.equal(getTimeShape(createColumn([1, 2], Uint8Array.from([1, 2])), 2).range, undefined);
  });
});
