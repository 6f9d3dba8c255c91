import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createHourAxis,
  createFixedAxis,
  createLogAxis,
  createValueAxis,
} from '../../../../src/presentation/chart/valueAxis.ts';

describe('the value axis', () => {
  it('places ticks at round values', () => {
    assert.deepEqual(createValueAxis(21_000, 26_300, 6, false), {
      min: 21_000,
      max: 26_400,
      ticks: [21_000, 22_000, 23_000, 24_000, 25_000, 26_000],
      decimals: 0,
    });
    assert.deepEqual(createFixedAxis(0, 1, 5).ticks, [0, 0.2, 0.4, 0.6, 0.8, 1]);
    assert.equal(createFixedAxis(0, 1, 5).decimals, 1);
    assert.equal(createValueAxis(0, 1, 4, false).decimals, 2);
  });

  it('extends only slightly beyond the values', () => {
    const { min, ticks } = createValueAxis(-200, 27_000, 6, true);
    assert.deepEqual([min, ticks[0]], [-1000, 0]);
  });

  it('includes zero if required, and is not empty for one value or none', () => {
    assert.equal(createValueAxis(5, 8, 4, true).min, 0);
    assert.equal(createValueAxis(-8, -5, 4, true).max, 0);
    const flat = createValueAxis(1842, 1842, 5, false);
    assert.ok(flat.min < 1842 && flat.max > 1842);
    const none = createValueAxis(Infinity, -Infinity, 5, false);
    assert.ok(none.max > none.min && none.ticks.length > 1);
  });

  it('has finite ends and distinct ticks for the largest and smallest doubles', () => {
    const ends = [-Number.MAX_VALUE, -1e-310, 0, Number.MIN_VALUE, 1e-310, 1e-200, 1e308, Number.MAX_VALUE];
    for (const [index, lower] of ends.entries())
      for (const upper of ends.slice(index)) {
        const { min, max, ticks } = createValueAxis(lower, upper, 6, false);
        const message = `${lower} to ${upper}: ${min} to ${max}, ${ticks.join(' ')}`;
        assert.ok(Number.isFinite(max - min) && max > min, message);
        assert.ok(ticks.length > 1 && new Set(ticks).size === ticks.length && ticks.every(Number.isFinite), message);
      }
  });

  it('includes every value, with distinct ticks inside', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).filter(size => size === 0 || Math.abs(size) > 1e-6);
    fc.assert(
      fc.property(value, value, fc.integer({ min: 1, max: 12 }), fc.boolean(), (a, b, maxTicks, zero) => {
        fc.pre(a === b || Math.abs(a - b) > 1e-6);
        const { min, max, ticks, decimals } = createValueAxis(Math.min(a, b), Math.max(a, b), maxTicks, zero);
        const slack = (max - min) * 1e-6;
        assert.ok(min <= Math.min(a, b) + slack && max >= Math.max(a, b) - slack, `${min} ${max}`);
        assert.ok(ticks.every(tick => tick >= min - slack && tick <= max + slack));
        assert.ok(ticks.length >= 1 && ticks.length <= maxTicks + 3, `${ticks.length} of ${maxTicks}`);
        assert.equal(new Set(ticks.map(tick => tick.toFixed(decimals))).size, ticks.length);
      }),
    );
  });
});

describe('the logarithmic axis', () => {
  it('spans powers of ten around the values, with ticks inside in ascending order', () => {
    const size = fc.double({ min: 1e-9, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(size, size, fc.integer({ min: 1, max: 20 }), (first, second, maxTicks) => {
        const lower = Math.min(first, second);
        const upper = Math.max(first, second);
        const { min, max, ticks, isLog } = createLogAxis(lower, upper, maxTicks);
        assert.ok(isLog && min <= lower * (1 + 1e-12) && max >= upper * (1 - 1e-12) && max > min);
        assert.ok(ticks.length > 0 && ticks.length <= 2 * maxTicks + 3, String(ticks.length));
        ticks.forEach((tick, index) => assert.ok(tick >= min && tick <= max && tick > (ticks[index - 1] ?? 0)));
      }),
    );
    assert.deepEqual(createLogAxis(3, 4000, 8).ticks, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]);
  });

  it('is not empty if no value is above zero', () => {
    assert.deepEqual([createLogAxis(Infinity, -Infinity, 5).min, createLogAxis(Infinity, -Infinity, 5).max], [1, 10]);
  });
});

describe('the clock axis', () => {
  it('has ticks at hours that divide the day evenly', () => {
    assert.deepEqual(createHourAxis(8).ticks, [0, 3, 6, 9, 12, 15, 18, 21, 24]);
    assert.deepEqual(createHourAxis(2).ticks, [0, 12, 24]);
  });
});
