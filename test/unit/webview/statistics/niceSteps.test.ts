import assert from 'node:assert/strict';
import fc from 'fast-check';
import { multiplesOf, niceStep, ticks } from '../../../../src/webview/statistics/niceSteps.ts';

describe('niceStep', () => {
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
      assert.equal(niceStep(width).width, nice);
    });
});

describe('multiplesOf', () => {
  it('returns multiples without floating-point noise', () => {
    assert.deepEqual(multiplesOf(niceStep(0.1), 0.05, 0.35), [0, 0.1, 0.2, 0.3, 0.4]);
    assert.deepEqual(multiplesOf(niceStep(0.001), -0.0011, 0.001), [-0.002, -0.001, 0, 0.001]);
  });
});

describe('ticks', () => {
  it('covers the range with a few ticks', () => {
    const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        // A number of that size has no more digits than these.
        const size = Math.max(1, Math.abs(a), Math.abs(b));
        fc.pre(Math.abs(a - b) > 1e-6 * size);
        const marks = ticks(Math.min(a, b), Math.max(a, b), 4);
        assert.ok(marks.length >= 2 && marks.length <= 7, `${marks.length}`);
        const close = 1e-9 * size;
        assert.ok((marks[0] ?? NaN) <= Math.min(a, b) + close && (marks.at(-1) ?? NaN) >= Math.max(a, b) - close);
      }),
    );
  });

  it('returns one tick for one number', () => {
    assert.deepEqual(ticks(5, 5, 4), [5]);
  });
});
