import assert from 'node:assert/strict';
import { round, sumPrecisely } from '../../../../src/sandbox/data/gridHour.ts';

describe('round', () => {
  it('rounds like Python, half to even', () => {
    // The expected values are those of round(x, 3) in CPython.
    for (const [value, expected] of [
      [16499.3125, 16499.312],
      [0.9375, 0.938],
      [-65.8125, -65.812],
      [-65.9375, -65.938],
      [2.0005, 2.001],
      [1.0005, 1],
      [1.2345, 1.234],
      [123456.7894999, 123456.789],
    ] as const)
      assert.equal(round(value), expected);
    assert.equal(round(0.03125, 4), 0.0312);
    assert.equal(round(0.09375, 4), 0.0938);
  });

  it('returns no negative zero', () => {
    assert.ok(Object.is(round(-0.0001), 0));
    assert.ok(Object.is(round(-0), 0));
  });
});

describe('sumPrecisely', () => {
  it('sums without intermediate rounding', () => {
    assert.equal(sumPrecisely(Array.from({ length: 10 }, () => 0.1)), 1);
    assert.equal(sumPrecisely([1e16, 1, -1e16]), 1);
    assert.equal(sumPrecisely([]), 0);
  });
});
