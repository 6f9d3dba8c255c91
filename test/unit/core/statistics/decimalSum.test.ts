import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Moments } from '../../../../src/core/statistics/moments.ts';
import { quantile } from '../../../../src/core/statistics/quantile.ts';
import { sumDecimals } from '../../../../src/core/statistics/decimalSum.ts';

/** Decimals like a service's: integers in units of the last digit, and the number of decimals. */
const decimals = fc.record({
  digits: fc.integer({ min: 0, max: 6 }),
  units: fc.array(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), { minLength: 1, maxLength: 300 }),
});
type Decimals = typeof decimals extends fc.Arbitrary<infer Value> ? Value : never;

/** The numbers and their negatives in another order, which add up to zero. */
const cancelling = decimals.chain(({ digits, units }) => {
  const withNegatives = units.flatMap(unit => [unit, -unit]);
  return fc
    .shuffledSubarray(withNegatives, { minLength: withNegatives.length })
    .map(shuffled => ({ digits, units: shuffled }));
});

function toDoubles({ digits, units }: Decimals): Float64Array {
  return Float64Array.from(units, unit => Number(`${unit}e-${digits}`));
}

/** Computes the exact sum in units of the last digit. */
function computeExactSum({ units }: Decimals): bigint {
  return units.reduce((sum, unit) => sum + BigInt(unit), 0n);
}

function computeMean(values: Float64Array): number {
  return new Moments(values.toSorted()).mean;
}

describe('decimalSum', () => {
  it('returns the double nearest to the exact decimal sum', () => {
    fc.assert(
      fc.property(fc.oneof(decimals, cancelling), decimal => {
        assert.equal(sumDecimals(toDoubles(decimal)), Number(`${computeExactSum(decimal)}e-${decimal.digits}`));
      }),
    );
  });

  it('returns zero without a sign when decimals cancel', () => {
    assert.ok(Object.is(sumDecimals(Float64Array.of(0.1, 0.2, -0.3)), 0));
    assert.ok(Object.is(sumDecimals(Float64Array.of(-0.1, -0.2, 0.3)), 0));
    fc.assert(fc.property(cancelling, decimal => assert.ok(Object.is(sumDecimals(toDoubles(decimal)), 0))));
  });

  it('rounds away the remainder of fractions without a decimal form', () => {
    const thirds = [23_581.8, 101.7, 3.1].map(part => (part / 23_420.1) * 100);
    const total = thirds.reduce((sum, third) => sum + third, 0);
    assert.equal(sumDecimals(Float64Array.of(total, ...thirds.map(third => -third))), 0);
  });

  it('keeps small real numbers among large ones', () => {
    const cases: [number[], number][] = [
      [[1e-300], 1e-300],
      [[1e-300, 2e-300], 3e-300],
      [[5e-324], 5e-324],
      [[1e300, 1e-300, -1e300], 1e-300],
      [[1e16, 1, -1e16], 1],
      [[123_456_789.123, 0.001, -123_456_789.123], 0.001],
      [[1 / 3], 1 / 3],
      [[1.7e308], 1.7e308],
    ];
    for (const [values, sum] of cases) assert.equal(sumDecimals(Float64Array.from(values)), sum, String(values));
  });
});

describe('a mean', () => {
  it('returns a zero mean only when decimals cancel', () => {
    fc.assert(
      fc.property(fc.oneof(decimals, cancelling), decimal => {
        const mean = computeMean(toDoubles(decimal));
        assert.equal(mean === 0, computeExactSum(decimal) === 0n, String(mean));
      }),
    );
  });

  it('matches exact arithmetic to the second last digit of a double', () => {
    fc.assert(
      fc.property(decimals, decimal => {
        const mean = computeMean(toDoubles(decimal));
        // The mean times 10^(digits + 30), exact except for the last of these digits.
        const exact = (computeExactSum(decimal) * 10n ** 30n) / BigInt(decimal.units.length);
        const scaledMean = BigInt(Math.round(mean * 10 ** decimal.digits * 2 ** 20)) * 10n ** 30n;
        const difference = scaledMean - exact * 2n ** 20n;
        const size = exact < 0n ? -exact : exact;
        const allowed = (size * 2n ** 20n) / 10n ** 15n + 10n ** 30n;
        assert.ok(difference <= allowed && -difference <= allowed, `${mean} is ${difference} away`);
      }),
    );
  });

  it('keeps a tiny mean tiny', () => {
    assert.equal(computeMean(Float64Array.of(1e-300, 3e-300)), 2e-300);
    assert.equal(computeMean(Float64Array.of(-0.3, 0.1, 0.2, 0.001)), 0.00025);
  });
});

describe('a quantile', () => {
  it('returns zero for a quantile between two decimals around zero', () => {
    for (const [low, high, count] of [
      [-0.35, 0.65, 168],
      [-6.5, 3.5, 14],
      [-0.1, 0.1, 2],
    ] as const) {
      const share = ((count - 2) / 2 + low / (low - high)) / (count - 1);
      const half = count / 2;
      const values = Float64Array.from({ length: count }, (_, rank) => (rank < half ? low : high));
      assert.equal(quantile(values, share), 0, `${low} ${high}`);
    }
    assert.equal(quantile(Float64Array.of(-1e-300, 3e-300), 0.5).toPrecision(12), '1.00000000000e-300');
  });
});
