import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeHistogram } from '../../../../src/presentation/statistics/niceNumbers.ts';

function histogram(values: readonly number[]) {
  return computeHistogram(Float64Array.from(values).sort(), values.every(Number.isInteger));
}

describe('computeHistogram', () => {
  it('uses round bin edges that include zero', () => {
    const { edges } = histogram([-120.4, 33.3, 310.9]);
    assert.deepEqual(edges.slice(0, 3), [-125, -100, -75]);
    assert.equal(edges.at(-1), 325);
    assert.ok(edges.includes(0));
  });

  it('uses edges in exact tenths', () => {
    assert.deepEqual(
      histogram([0.11, 1.99]).edges,
      Array.from({ length: 21 }, (_, index) => index / 10).filter(edge => edge >= 0.1),
    );
  });

  it('gives each of a few whole numbers its own bin', () => {
    assert.deepEqual(histogram([0, 1, 1, 2, 5, 5]), { edges: [0, 1, 2, 3, 4, 5, 6], counts: [1, 2, 1, 0, 0, 2] });
  });

  it('returns one bin for numbers without a round edge between them', () => {
    const nextDouble = 1e16 + 2;
    assert.deepEqual(histogram([1e16, nextDouble, nextDouble]).counts, [3]);
    assert.deepEqual(histogram([42.5]), { edges: [42.5, 42.5], counts: [1] });
    assert.deepEqual(histogram([1, 2, 3]).edges, [1, 2, 3, 4]);
    assert.deepEqual(histogram([1, 2.5, 3]).edges.slice(0, 2), [1, 1.1]);
    assert.deepEqual(histogram([-1.7e308, 1.7e308]).counts, [2]);
    assert.deepEqual(
      histogram([0, 1.7e308]).edges.filter(edge => !Number.isFinite(edge)),
      [],
    );
  });

  it('counts each number once, in the bin that contains it', () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -50, max: 50 }));
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 100 }), values => {
        const { edges, counts } = histogram(values);
        assert.equal(edges.length, counts.length + 1);
        assert.ok(counts.length <= 25, `${counts.length} bins`);
        counts.forEach((count, bin) => {
          const from = edges[bin] ?? NaN;
          const to = edges[bin + 1] ?? NaN;
          const isLast = bin === counts.length - 1;
          const valuesInBin = values.filter(value => value >= from && (value < to || (isLast && value <= to)));
          assert.equal(count, valuesInBin.length);
        });
        assert.equal(
          counts.reduce((sum, count) => sum + count, 0),
          values.length,
        );
      }),
    );
  });
});
