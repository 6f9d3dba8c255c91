import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeDurationCurve } from '../../../../src/webview/statistics/durationCurve.ts';

describe('computeDurationCurve', () => {
  it('runs from the maximum to the minimum, each at the middle of its share', () => {
    assert.deepEqual(computeDurationCurve(Float64Array.from([10, 20])), [
      { share: 0, value: 20 },
      { share: 0.25, value: 20 },
      { share: 0.75, value: 10 },
      { share: 1, value: 10 },
    ]);
  });

  it('never rises, keeps both ends and matches the numbers, for any count', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 3000 }), values => {
        const ascending = Float64Array.from(values).sort();
        const curve = computeDurationCurve(ascending);
        assert.ok(curve.length <= 514);
        assert.deepEqual(curve[0], { share: 0, value: Math.max(...values) });
        assert.deepEqual(curve.at(-1), { share: 1, value: Math.min(...values) });
        for (const [index, { share, value }] of curve.entries()) {
          const next = curve[index + 1];
          assert.ok(!next || (next.value <= value && next.share > share));
          // The load was at or above this value for this share of the time.
          const reached = values.filter(number => number >= value).length / values.length;
          const exceeded = values.filter(number => number > value).length / values.length;
          assert.ok(exceeded <= share && share <= Math.max(reached, 1 / values.length));
        }
      }),
      { numRuns: 30 },
    );
  });
});
