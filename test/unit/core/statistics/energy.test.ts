import assert from 'node:assert/strict';
import { energyOf, rowDuration } from '../../../../src/core/statistics/energy.ts';
import { cellState } from '../../../../src/shared/frame.ts';
import { index, power, powerDifference, powerExtreme, share } from '../../../../src/shared/units.ts';

const hourMs = 3_600_000;
const timesEvery = (step: number, rows = 3) =>
  ({
    kind: 'time',
    name: 'ts',
    path: ['ts'],
    values: Float64Array.from({ length: rows }, (_, row) => row * step),
  }) as const;

describe('rowDuration', () => {
  it('returns the length of the interval, whatever is missing between the rows', () => {
    assert.equal(rowDuration(timesEvery(hourMs), hourMs), hourMs);
    assert.equal(rowDuration(timesEvery(3 * hourMs), hourMs), hourMs);
    assert.equal(rowDuration(timesEvery(24 * hourMs), 24 * hourMs), 24 * hourMs);
    assert.equal(rowDuration(timesEvery(hourMs / 4), hourMs / 4), hourMs / 4);
    assert.equal(rowDuration(timesEvery(hourMs, 1), hourMs), hourMs);
  });

  it('returns no duration without an interval, without times, or when rows are closer together', () => {
    assert.equal(rowDuration(timesEvery(hourMs), undefined), undefined);
    assert.equal(rowDuration(undefined, hourMs), undefined);
    assert.equal(rowDuration(timesEvery(hourMs / 2), hourMs), undefined);
  });

  it('returns no duration when two rows share an instant, adjacent or not', () => {
    const times = (...hours: number[]) => ({
      ...timesEvery(1),
      values: Float64Array.from(hours, hour => hour * hourMs),
    });
    assert.equal(rowDuration(times(0, 1, 1, 2), hourMs), undefined);
    assert.equal(rowDuration(times(0, 1, 2, 0, 1, 2), hourMs), undefined);
    assert.equal(rowDuration(times(2, 0, 1), hourMs), hourMs);
    const gaps = Uint8Array.of(cellState.value, cellState.null, cellState.null);
    assert.equal(rowDuration({ ...times(1, 0, 0), gaps }, hourMs), hourMs);
  });
});

describe('energyOf', () => {
  it('multiplies power by hours, and ignores other units', () => {
    assert.deepEqual(energyOf(power, 600.75, 3, hourMs / 2), { mwh: 300.375, hours: 1.5 });
    assert.deepEqual(energyOf(powerDifference, -4, 2, 24 * hourMs), { mwh: -96, hours: 48 });
    assert.equal(energyOf(power, 0, 0, hourMs), undefined);
    assert.equal(energyOf(power, 1, 1, undefined), undefined);
    for (const unit of [powerExtreme, share, index]) assert.equal(energyOf(unit, 1, 1, hourMs), undefined);
  });
});
