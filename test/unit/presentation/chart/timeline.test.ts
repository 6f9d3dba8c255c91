import assert from 'node:assert/strict';
import type { TimeColumn } from '../../../../src/shared/frame.ts';
import { getRow, createTimeline, getTimelineValues } from '../../../../src/presentation/chart/timeline.ts';
import { hourMs, numbers } from './chartWorld.ts';

const createTimeColumn = (hours: readonly number[], gaps?: Uint8Array): TimeColumn => ({
  kind: 'time',
  name: 'ts',
  path: ['ts'],
  values: Float64Array.from(hours, hour => hour * hourMs),
  ...(gaps && { gaps }),
});
const toHours = (x: Float64Array): number[] => Array.from(x, instant => instant / hourMs);

describe('the timeline', () => {
  it('uses a column unchanged if its rows are complete and in order', () => {
    const time = createTimeColumn([1, 2, 3]);
    const { x, rows, intervalMs } = createTimeline(time, 3, undefined, hourMs);
    assert.equal(x.buffer, time.values.buffer);
    assert.equal(rows, undefined);
    assert.equal(intervalMs, hourMs);
  });

  it('interrupts a line one interval after a row that has no successor there', () => {
    const timeline = createTimeline(createTimeColumn([1, 2, 6, 7]), 4, undefined, hourMs);
    assert.deepEqual(toHours(timeline.x), [1, 2, 3, 6, 7]);
    assert.deepEqual(Array.from(timeline.rows ?? []), [0, 1, -1, 2, 3]);
    assert.equal(getRow(timeline, 2), undefined);
    assert.equal(getRow(timeline, 3), 2);
    assert.deepEqual(Array.from(getTimelineValues(timeline, numbers('a', [10, 20, 60, 70]))), [10, 20, NaN, 60, 70]);
  });

  it('sorts rows by instant and takes only the requested ones', () => {
    const timeline = createTimeline(createTimeColumn([5, 1, 3, 2]), 4, Uint32Array.of(0, 3, 1, 2), hourMs);
    assert.deepEqual(toHours(timeline.x), [1, 2, 3, 4, 5]);
    assert.deepEqual(Array.from(timeline.rows ?? []), [1, 3, 2, -1, 0]);
    const partialTimeline = createTimeline(createTimeColumn([1, 2, 3, 4]), 4, Uint32Array.of(3, 0), hourMs);
    assert.deepEqual(toHours(partialTimeline.x), [1, 2, 4]);
  });

  it('omits rows without an instant', () => {
    const timeline = createTimeline(
      createTimeColumn([1, 9, 2, NaN, 3], Uint8Array.of(0, 1, 0, 0, 0)),
      5,
      undefined,
      hourMs,
    );
    assert.deepEqual(toHours(timeline.x), [1, 2, 3]);
  });

  it('uses the most frequent distance if the interval is unknown or rows are closer than requested', () => {
    assert.deepEqual(toHours(createTimeline(createTimeColumn([1, 2, 3, 4.2, 8]), 5).x), [1, 2, 3, 4.2, 5.2, 8]);
    const { intervalMs, rows } = createTimeline(createTimeColumn([1, 2, 3]), 3, undefined, 24 * hourMs);
    assert.equal(intervalMs, hourMs);
    assert.equal(rows, undefined);
  });

  it("shares a column's memory if it has no gaps, and hides infinite numbers and numbers in gaps", () => {
    const timeline = createTimeline(createTimeColumn([1, 2, 3]), 3, undefined, hourMs);
    const plain = numbers('a', [1, 2, 3]);
    assert.equal(getTimelineValues(timeline, plain).buffer, plain.values.buffer);
    assert.deepEqual(Array.from(getTimelineValues(timeline, numbers('a', [1, null, 0]))), [1, NaN, 0]);
    assert.deepEqual(Array.from(getTimelineValues(timeline, numbers('a', [1, Infinity, 0]))), [1, NaN, 0]);
  });
});
