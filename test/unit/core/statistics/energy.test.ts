import assert from 'node:assert/strict';
import { energyOf, hoursOfRow } from '../../../../src/core/statistics/energy.ts';
import { index, power, powerDifference, powerExtreme, share } from '../../../../src/shared/units.ts';

const hourMs = 3_600_000;
const timesEvery = (step: number, rows = 3) =>
  ({
    kind: 'time',
    name: 'ts',
    path: ['ts'],
    values: Float64Array.from({ length: rows }, (_, row) => row * step),
  }) as const;

describe('hoursOfRow', () => {
  it('is the length of the interval, whatever is missing between the rows', () => {
    assert.equal(hoursOfRow(timesEvery(hourMs), hourMs), 1);
    assert.equal(hoursOfRow(timesEvery(3 * hourMs), hourMs), 1);
    assert.equal(hoursOfRow(timesEvery(24 * hourMs), 24 * hourMs), 24);
    assert.equal(hoursOfRow(timesEvery(hourMs / 4), hourMs / 4), 0.25);
    assert.equal(hoursOfRow(timesEvery(hourMs, 1), hourMs), 1);
  });

  it('is unknown without an interval, without times, and where rows are closer together', () => {
    assert.equal(hoursOfRow(timesEvery(hourMs), undefined), undefined);
    assert.equal(hoursOfRow(undefined, hourMs), undefined);
    assert.equal(hoursOfRow(timesEvery(hourMs / 2), hourMs), undefined);
  });
});

describe('energyOf', () => {
  it('is power times hours, and of nothing else', () => {
    assert.deepEqual(energyOf(power, 600.75, 3, 0.5), { mwh: 300.375, hours: 1.5 });
    assert.deepEqual(energyOf(powerDifference, -4, 2, 24), { mwh: -96, hours: 48 });
    assert.equal(energyOf(power, 0, 0, 1), undefined);
    assert.equal(energyOf(power, 1, 1, undefined), undefined);
    for (const unit of [powerExtreme, share, index]) assert.equal(energyOf(unit, 1, 1, 1), undefined);
  });
});
