import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  computeDisplayDecimals,
  createFigureFormatter,
  hidesDigits,
  createNumberFormatter,
  getNumberShape,
} from '../../../src/shared/formatNumber.ts';
import type { NumberColumn } from '../../../src/shared/frame.ts';
import { money, power, share, unitKinds } from '../../../src/shared/units.ts';

function createColumn(values: readonly number[], parts: Partial<NumberColumn> = {}): NumberColumn {
  return { kind: 'number', name: 'x', path: ['x'], values: Float64Array.from(values), ...parts };
}

const megawatts = { field: { label: 'Wind', unit: power, meaning: 'Wind generation' } };
const countDecimals = (values: readonly number[], parts?: Partial<NumberColumn>) =>
  getNumberShape(createColumn(values, parts), values.length).decimals;

describe('getNumberShape', () => {
  it('uses as many decimals as the number that needs most', () => {
    assert.equal(countDecimals([1, 2, 3]), 0);
    assert.equal(countDecimals([23_581.8, 1]), 1);
    assert.equal(countDecimals([0.42, 0.4217]), 4);
  });

  it('keeps all digits that a service sends, up to six, whatever the unit', () => {
    const percent = { field: { label: 'Share', unit: share, meaning: 'Renewable share' } };
    for (const parts of [megawatts, percent, {}])
      assert.deepEqual(
        [[8.6], [8.6, 8.613], [8.61345, 1], [0.123456]].map(values => countDecimals(values, parts)),
        [1, 3, 5, 6],
      );
  });

  it('treats numbers with more than six digits as computed: three digits with a unit, else six', () => {
    assert.equal(countDecimals([1 / 3], megawatts), 3);
    assert.equal(countDecimals([1 / 3, 0.15625], megawatts), 3);
    assert.equal(countDecimals([1 / 3]), 6);
  });

  it('rounds computed money to cents', () => {
    assert.equal(countDecimals([1 / 3, 1e6], { field: { label: 'Cost', unit: money, meaning: '' } }), 2);
  });

  it('ignores nulls and absent cells', () => {
    assert.deepEqual(getNumberShape(createColumn([1, 0.123, 9.99], { gaps: Uint8Array.from([0, 1, 2]) }), 3), {
      decimals: 0,
      range: [1, 1],
      hasExponents: false,
    });
    assert.equal(getNumberShape(createColumn([5], { gaps: Uint8Array.from([1]) }), 1).range, undefined);
  });

  it('uses at most d decimals for a number with d decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }), (whole, digits) => {
        const value = Number(`${whole}e-${digits}`);
        assert.ok(countDecimals([value]) <= digits);
        assert.equal(hidesDigits(value, digits), false);
      }),
    );
  });

  it('reads all rows of a column of any length', () => {
    for (const [rowCount, row] of [
      [87_600, 86_399],
      [400_000, 7],
      [400_000, 399_999],
    ] as const) {
      const values = new Float64Array(rowCount);
      values[row] = 0.25;
      const { decimals, range } = getNumberShape({ kind: 'number', name: 'x', path: ['x'], values }, rowCount);
      assert.deepEqual([decimals, range], [2, [0, 0.25]]);
    }
  });
});

describe('computeDisplayDecimals', () => {
  it('shows at most two digits of money, and three significant digits of mass and rates', () => {
    assert.deepEqual(
      [1_234_567.891, 0.94, 12].map(largest =>
        (['money', 'mass', 'rate'] as const).map(kind => computeDisplayDecimals(kind, largest)),
      ),
      [
        [2, 0, 0],
        [2, 3, 3],
        [2, 1, 1],
      ],
    );
    for (const kind of unitKinds) assert.equal(computeDisplayDecimals(kind, 5_500, 0), 0);
  });
});

describe('createNumberFormatter', () => {
  it('uses the separators of the locale', () => {
    assert.equal(createNumberFormatter('en', 1)(23_581.8), '23,581.8');
    assert.equal(createNumberFormatter('de', 1)(23_581.8), '23.581,8');
    assert.equal(createNumberFormatter('en', 1)(0), '0.0');
    assert.equal(createNumberFormatter('ar-EG', 0)(12), '12');
  });

  it('writes a small number without an exponent while three of its digits fit', () => {
    assert.equal(createNumberFormatter('en', 0)(0.1290323), '0.129');
    assert.equal(createNumberFormatter('en', 2)(-0.00123456), '-0.00123');
    assert.equal(createNumberFormatter('de', 2)(0.001), '0,00100');
    assert.equal(createNumberFormatter('en', 2)(1.234e-7), '1.234e-7');
    assert.equal(createNumberFormatter('de', 2)(1.234e-7), '1,234e-7');
    assert.equal(createNumberFormatter('af', 0)(-1.5e20), '-1,5e+20');
    assert.equal(createNumberFormatter('en', 2, 15)(1.234e-7), '0.000000123');
    assert.equal(createNumberFormatter('en', 2, 15)(1e-300), '1e-300');
    assert.equal(hidesDigits(0.129, 0), false);
    assert.equal(hidesDigits(0.1290323, 0), true);
  });

  it('keeps the sign of a negative zero, and of no other zero', () => {
    assert.deepEqual(
      [createNumberFormatter('en', 0), createNumberFormatter('en', 2), createFigureFormatter('en')].map(write => [
        write(-0),
        write(0),
      ]),
      [
        ['-0', '0'],
        ['-0.00', '0.00'],
        ['-0', '0'],
      ],
    );
    // A nonzero number keeps its significant digits.
    assert.deepEqual(
      [createNumberFormatter('en', 2)(-0.004), createFigureFormatter('en')(-0.0004)],
      ['-0.00400', '-0.000400'],
    );
  });

  it('never writes a nonzero number as zero', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 0, max: 6 }),
        (value, digits) => {
          const text = createNumberFormatter('en', digits)(value);
          assert.equal(Number(text.replaceAll(',', '')) === 0, value === 0, text);
          assert.ok(text.length <= 30, text);
        },
      ),
    );
  });

  it('keeps all digits unless rounding is requested', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 0, max: 6 }),
        (value, digits) => {
          if (hidesDigits(value, digits)) return;
          assert.equal(Number(createNumberFormatter('en', digits)(value).replaceAll(',', '')), value);
        },
      ),
    );
  });
});
