import assert from 'node:assert/strict';
import { calculateEnergy, getRowDuration } from '../../../../src/core/statistics/energy.ts';
import { cellState } from '../../../../src/shared/frame.ts';
import { index, power, powerDifference, powerExtreme, share } from '../../../../src/shared/units.ts';

const hourMs = 3_600_000;
const createTimes = (intervalMs: number, rows = 3) =>
  ({
    kind: 'time',
    name: 'ts',
    path: ['ts'],
    values: Float64Array.from({ length: rows }, (_, row) => row * intervalMs),
  }) as const;

describe('the duration of rows', () => {
  it('returns the length of the interval, whatever is missing between the rows', () => {
    assert.equal(getRowDuration(createTimes(hourMs), hourMs), hourMs);
    assert.equal(getRowDuration(createTimes(3 * hourMs), hourMs), hourMs);
    assert.equal(getRowDuration(createTimes(24 * hourMs), 24 * hourMs), 24 * hourMs);
    assert.equal(getRowDuration(createTimes(hourMs / 4), hourMs / 4), hourMs / 4);
    assert.equal(getRowDuration(createTimes(hourMs, 1), hourMs), hourMs);
  });

  it('returns undefined without an interval, without times, or when rows are closer together', () => {
    assert.equal(getRowDuration(createTimes(hourMs), undefined), undefined);
    assert.equal(getRowDuration(undefined, hourMs), undefined);
    assert.equal(getRowDuration(createTimes(hourMs / 2), hourMs), undefined);
  });

  it('returns undefined when two rows share an instant, adjacent or not', () => {
    const createTimesAt = (...hours: number[]) => ({
      ...createTimes(1),
      values: Float64Array.from(hours, hour => hour * hourMs),
    });
    assert.equal(getRowDuration(createTimesAt(0, 1, 1, 2), hourMs), undefined);
    assert.equal(getRowDuration(createTimesAt(0, 1, 2, 0, 1, 2), hourMs), undefined);
    assert.equal(getRowDuration(createTimesAt(2, 0, 1), hourMs), hourMs);
    const gaps = Uint8Array.of(cellState.value, cellState.null, cellState.null);
    assert.equal(getRowDuration({ ...createTimesAt(1, 0, 0), gaps }, hourMs), hourMs);
  });
});

describe('the energy of a column', () => {
  it('multiplies power by hours, and returns undefined for other units', () => {
    assert.deepEqual(calculateEnergy(power, 600.75, 3, hourMs / 2), { mwh: 300.375, hours: 1.5 });
    assert.deepEqual(calculateEnergy(powerDifference, -4, 2, 24 * hourMs), { mwh: -96, hours: 48 });
    assert.equal(calculateEnergy(power, 0, 0, hourMs), undefined);
    assert.equal(calculateEnergy(power, 1, 1, undefined), undefined);
    for (const unit of [powerExtreme, share, index]) assert.equal(calculateEnergy(unit, 1, 1, hourMs), undefined);
  });
});
