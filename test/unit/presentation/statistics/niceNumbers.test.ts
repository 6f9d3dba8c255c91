import assert from 'node:assert/strict';
import { listMultiples, computeNiceWidth } from '../../../../src/presentation/statistics/niceNumbers.ts';

describe('computeNiceWidth', () => {
  const cases = [
    [0.3, 0.5],
    [1, 1],
    [1.1, 2],
    [2.2, 2.5],
    [30, 50],
    [51, 100],
  ] as const;
  for (const [width, nice] of cases)
    it(`rounds ${width} to ${nice}`, () => {
      assert.equal(computeNiceWidth(width).width, nice);
    });
});

describe('listMultiples', () => {
  it('returns multiples without floating-point noise', () => {
    assert.deepEqual(listMultiples(computeNiceWidth(0.1), 0.05, 0.35), [0, 0.1, 0.2, 0.3, 0.4]);
    assert.deepEqual(listMultiples(computeNiceWidth(0.001), -0.0011, 0.001), [-0.002, -0.001, 0, 0.001]);
  });
});
