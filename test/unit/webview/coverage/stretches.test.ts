import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stretchAt, stretchesIn } from '../../../../src/webview/coverage/coverageWords.ts';

describe('stretchesIn', () => {
  it('joins equal neighbours', () => {
    assert.deepEqual(stretchesIn(Uint8Array.of(0, 0, 1, 2, 2, 0)), [
      { state: 0, from: 0, to: 2 },
      { state: 1, from: 2, to: 3 },
      { state: 2, from: 3, to: 5 },
      { state: 0, from: 5, to: 6 },
    ]);
    assert.deepEqual(stretchesIn(new Uint8Array()), []);
  });

  it('covers every step once, and finds the interval of each', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 0, max: 2, minLength: 1 }), states => {
        const stretches = stretchesIn(states);
        states.forEach((state, step) => {
          const { from, to, ...stretch } = stretches[stretchAt(stretches, step)] ?? { from: 0, to: 0, state: -1 };
          assert.ok(from <= step && step < to);
          assert.equal(stretch.state, state);
        });
        stretches.slice(1).forEach((stretch, index) => {
          assert.equal(stretch.from, stretches[index]?.to);
          assert.notEqual(stretch.state, stretches[index]?.state);
        });
      }),
    );
  });

  it('takes the nearest interval for a step outside', () => {
    const stretches = stretchesIn(Uint8Array.of(0, 1));
    assert.deepEqual([stretchAt(stretches, -5), stretchAt(stretches, 9), stretchAt([], 3)], [0, 1, 0]);
  });
});
