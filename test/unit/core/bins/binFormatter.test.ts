import assert from 'node:assert/strict';
import { createBinFormatter } from '../../../../src/core/bins/binFormatter.ts';
import type { BinSize } from '../../../../src/shared/resampling.ts';

describe('the formatter of bins', () => {
  const timeZone = 'Africa/Johannesburg';
  const parts = { year: false, time: true, seconds: false, milliseconds: false };
  const formatFirstBin = (size: BinSize, instant: string, locale = 'en'): string =>
    createBinFormatter(locale, { size, timeZone }, parts)(Date.parse(instant));

  it('names months, quarters and years, and formats shorter bins as their beginning', () => {
    const first = '2022-12-31T22:00Z';
    const sizes: readonly BinSize[] = ['3h', 'day', 'week', 'month', 'quarter', 'year'];
    assert.deepEqual(
      sizes.map(size => formatFirstBin(size, first)),
      ['01 Jan 00:00', '01 Jan', '01 Jan', 'Jan 2023', 'Q1 2023', '2023'],
    );
    assert.equal(formatFirstBin('quarter', '2023-09-30T22:00Z'), 'Q4 2023');
    assert.match(formatFirstBin('month', first, 'de'), /^Jan\.? 2023$/);
  });

  it('formats an instant outside the calendar as its number', () => {
    assert.equal(createBinFormatter('en', { size: 'month', timeZone }, parts)(9e15), '9000000000000000');
  });
});
