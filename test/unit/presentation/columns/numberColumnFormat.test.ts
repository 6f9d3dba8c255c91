import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import {
  createNumberColumnFormat,
  createCachedFormatter,
} from '../../../../src/presentation/columns/numberColumnFormat.ts';
import { numberStyles, type NumberStyle } from '../../../../src/shared/formatNumber.ts';
import { energy, index, power, share, type Unit } from '../../../../src/shared/units.ts';

function formatTexts(values: readonly number[], style: NumberStyle, unit?: Unit, locale = 'de') {
  const column: NumberColumn = {
    kind: 'number',
    name: 'n',
    path: ['n'],
    values: Float64Array.from(values),
    ...(unit && { field: { label: 'N', meaning: '', unit } }),
  };
  return createNumberColumnFormat(column, values.length, locale, style);
}

describe('number column format', () => {
  const numbers = [1234567.25, -0.5];

  it('formats numbers in the locale, plainly, or with all digits', () => {
    const formatNumbers = (style: NumberStyle) => numbers.map(formatTexts(numbers, style, power).format);
    assert.deepEqual(formatNumbers('digits'), ['1.234.567,25', '-0,50']);
    assert.deepEqual(formatNumbers('plain'), ['1234567.25', '-0.50']);
    assert.deepEqual(formatNumbers('received'), ['1234567.25', '-0.5']);
  });

  const formatValues = (style: NumberStyle, unit: Unit | undefined, ...values: number[]) =>
    values.map(formatTexts(values, style, unit, 'en').format);

  it('rounds power and energy to whole units from 100 on, and below to three digits of the largest', () => {
    for (const unit of [power, energy]) {
      assert.deepEqual(formatValues('rounded', unit, 23_581.8, -100.4, 0, 17.25), ['23,582', '-100', '0', '17']);
      assert.deepEqual(formatValues('rounded', unit, 99.94, 1.234), ['99.9', '1.2']);
      assert.deepEqual(formatValues('rounded', unit, 9.876, 1.2), ['9.88', '1.20']);
      assert.deepEqual(formatValues('rounded', unit, 0.012_345, 0.001), ['0.0123', '0.0010']);
    }
  });

  it('rounds shares to one digit, an index to two, and unknown numbers to two or to three digits of the largest', () => {
    assert.deepEqual(formatValues('rounded', share, 100, 8.6134, 130.25), ['100.0', '8.6', '130.3']);
    assert.deepEqual(formatValues('rounded', index, 0.417, 0.9), ['0.42', '0.90']);
    assert.deepEqual(formatValues('rounded', undefined, 1234.567, 49.98), ['1,234.57', '49.98']);
    assert.deepEqual(formatValues('rounded', undefined, 0.123_456, 0.05), ['0.123', '0.050']);
  });

  it('adds no digits to those received', () => {
    for (const unit of [power, share, index, undefined])
      assert.deepEqual(formatValues('rounded', unit, 5, -12), ['5', '-12']);
    assert.deepEqual(formatValues('rounded', share, 0.5), ['0.5']);
  });

  it('marks a number that would round to zero, unless the whole column would', () => {
    assert.deepEqual(formatValues('rounded', power, 250.5, 0.49, -0.49, 0, 0.5), ['251', '~0', '~0', '0', '1']);
    assert.deepEqual(formatValues('rounded', share, 45.125, 0.002_71, -0.03), ['45.1', '~0.0', '~0.0']);
    assert.deepEqual(formatValues('rounded', share, 0.002_71, 0.001), ['0.00271', '0.00100']);
    assert.deepEqual(formatValues('rounded', index, 0.002), ['0.002']);
    assert.deepEqual(formatValues('rounded', power, 1.5e-9), ['0.00000000150']);
    assert.deepEqual(formatValues('rounded', power, 2e21, 1.5e-9), ['2e+21', '~0']);
  });

  const units = fc.constantFrom(power, energy, share, index, undefined);
  const values = fc.array(
    fc.oneof(fc.integer({ min: -30_000, max: 30_000 }), fc.float({ noNaN: true, min: -150, max: 150 })),
    {
      minLength: 1,
      maxLength: 12,
    },
  );

  it('gives all numbers of a column the same digits, keeps signs, and reports each hidden digit', () => {
    fc.assert(
      fc.property(units, values, (unit, column) => {
        const { format, hasHiddenDigits } = formatTexts(column, 'rounded', unit, 'en');
        const written = column.map(value => format(value));
        const decimals = new Set(written.map(text => text.split('.')[1]?.length ?? 0));
        assert.equal(decimals.size, 1, written.join(' '));
        if ((unit === power || unit === energy) && column.some(value => Math.abs(value) >= 100))
          assert.deepEqual([...decimals], [0], written.join(' '));
        for (const [row, value] of column.entries()) {
          const text = written[row] ?? '';
          const number = Number(text.replaceAll(',', '').replace('~', ''));
          assert.equal(text.startsWith('~'), number === 0 && value !== 0, text);
          if (number !== 0) assert.equal(Math.sign(number), Math.sign(value), text);
          assert.ok(
            Math.abs(number - value) <= 0.5000001 / 10 ** (text.split('.')[1]?.length ?? 0),
            `${text} for ${value}`,
          );
          assert.equal(hasHiddenDigits(value), number !== value || text.startsWith('~'), text);
        }
      }),
    );
  });

  it('shows all digits of percentages and power, and reports hidden digits of computed numbers', () => {
    for (const unit of [share, power]) {
      const received = formatTexts([11.8437, 10], 'plain', unit);
      assert.deepEqual(
        [received.format(11.8437), received.hasHiddenDigits(11.8437), received.format(10)],
        ['11.8437', false, '10.0000'],
      );
      const computed = formatTexts([100 / 7, 10], 'plain', unit);
      assert.deepEqual(
        [computed.format(100 / 7), computed.hasHiddenDigits(100 / 7), computed.hasHiddenDigits(10)],
        ['14.286', true, false],
      );
    }
  });

  it('keeps the sign of a negative zero in every style', () => {
    for (const style of numberStyles)
      assert.deepEqual([-0, 0, -3].map(formatTexts([-0, 0, -3], style).format), ['-0', '0', '-3']);
  });

  it('shows every digit as received, and measures their length', () => {
    const received = formatTexts([1 / 3, 100_000, 2], 'received', power);
    assert.deepEqual([received.format(1 / 3), received.hasHiddenDigits(1 / 3)], [String(1 / 3), false]);
    assert.equal(received.samples[0], String(1 / 3));
  });

  it('keeps tiny and huge numbers readable if all digits are shown', () => {
    for (const style of ['digits', 'plain', 'received'] as const)
      assert.deepEqual([1.5e-9, 2e21].map(formatTexts([1.5e-9, 2e21], style).format), [
        style === 'digits' ? '1,5e-9' : '1.5e-9',
        '2e+21',
      ]);
  });

  it('shares one formatter between columns of the same format', () => {
    const formatter = createCachedFormatter();
    assert.equal(formatter('de', 1), formatter('de', 1));
    assert.deepEqual(
      [formatter('de', 1)(1234.5), formatter('de', 2)(1234.5), formatter('en', 1)(1234.5)],
      ['1.234,5', '1.234,50', '1,234.5'],
    );
  });
});
