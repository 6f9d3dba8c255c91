import assert from 'node:assert/strict';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { numberTexts, cachedFormatter } from '../../../../src/presentation/columns/numberTexts.ts';
import type { NumberStyle } from '../../../../src/shared/formatNumber.ts';
import { energy, index, power, share, type Unit } from '../../../../src/shared/units.ts';

function texts(values: readonly number[], style: NumberStyle, unit?: Unit, locale = 'de') {
  const column: NumberColumn = {
    kind: 'number',
    name: 'n',
    path: ['n'],
    values: Float64Array.from(values),
    ...(unit && { field: { label: 'N', meaning: '', unit } }),
  };
  return numberTexts(column, values.length, locale, style);
}

describe('numberTexts', () => {
  const values = [1234567.25, -0.5];

  it('formats numbers in the locale, plainly, or with all digits', () => {
    const written = (style: NumberStyle) => values.map(texts(values, style, power).format);
    assert.deepEqual(written('locale'), ['1.234.567,25', '-0,50']);
    assert.deepEqual(written('plain'), ['1234567.25', '-0.50']);
    assert.deepEqual(written('full'), ['1234567.25', '-0.5']);
  });

  it('rounds power and energy to whole MW and MWh, nothing else and nothing to zero', () => {
    const shown = [1234567.5, -0.3, 0, 17.25];
    for (const unit of [power, energy]) {
      const whole = texts(shown, 'whole', unit);
      assert.deepEqual(shown.map(whole.format), ['1.234.568', '-0,300', '0', '17']);
      assert.deepEqual(shown.map(whole.hides), [true, false, false, true]);
    }
    for (const unit of [share, index, undefined])
      assert.deepEqual(shown.map(texts(shown, 'whole', unit).format), shown.map(texts(shown, 'locale', unit).format));
  });

  it('shows all digits of percentages and power, and reports where it hides computed ones', () => {
    for (const unit of [share, power]) {
      const received = texts([11.8437, 10], 'plain', unit);
      assert.deepEqual(
        [received.format(11.8437), received.hides(11.8437), received.format(10)],
        ['11.8437', false, '10.0000'],
      );
      const computed = texts([100 / 7, 10], 'plain', unit);
      assert.deepEqual(
        [computed.format(100 / 7), computed.hides(100 / 7), computed.hides(10)],
        ['14.286', true, false],
      );
    }
  });

  it('keeps the sign of a negative zero in every style', () => {
    for (const style of ['locale', 'plain', 'full'] as const)
      assert.deepEqual([-0, 0, -3].map(texts([-0, 0, -3], style).format), ['-0', '0', '-3']);
  });

  it('shows every digit in the full style, and measures their length', () => {
    const full = texts([1 / 3, 100_000, 2], 'full', power);
    assert.deepEqual([full.format(1 / 3), full.hides(1 / 3)], [String(1 / 3), false]);
    assert.equal(full.samples[0], String(1 / 3));
  });

  it('keeps tiny and huge numbers readable in every style', () => {
    for (const style of ['locale', 'plain', 'full'] as const)
      assert.deepEqual([1.5e-9, 2e21].map(texts([1.5e-9, 2e21], style).format), [
        style === 'locale' ? '1,5e-9' : '1.5e-9',
        '2e+21',
      ]);
  });

  it('shares one formatter between columns of the same format', () => {
    const formatter = cachedFormatter();
    assert.equal(formatter('de', 1), formatter('de', 1));
    assert.deepEqual(
      [formatter('de', 1)(1234.5), formatter('de', 2)(1234.5), formatter('en', 1)(1234.5)],
      ['1.234,5', '1.234,50', '1,234.5'],
    );
  });
});
