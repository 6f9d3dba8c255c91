import assert from 'node:assert/strict';
import { createBinFormatter } from '../../../../src/core/bins/binFormatter.ts';
import type { BinSize } from '../../../../src/shared/resampling.ts';

describe('the text of a bin', () => {
  const timeZone = 'Africa/Johannesburg';
  const parts = { year: false, time: true, seconds: false, milliseconds: false };
  const write = (size: BinSize, instant: string, locale = 'en'): string =>
    createBinFormatter(locale, { size, timeZone }, parts)(Date.parse(instant));

  it('names months, quarters and years, and writes shorter bins as their beginning', () => {
    const first = '2022-12-31T22:00Z';
    const sizes: readonly BinSize[] = ['3h', 'day', 'week', 'month', 'quarter', 'year'];
    assert.deepEqual(
      sizes.map(size => write(size, first)),
      ['01 Jan 00:00', '01 Jan', '01 Jan', 'Jan 2023', 'Q1 2023', '2023'],
    );
    assert.equal(write('quarter', '2023-09-30T22:00Z'), 'Q4 2023');
    assert.match(write('month', first, 'de'), /^Jan\.? 2023$/);
  });

  it('writes an instant that no calendar reaches as its number', () => {
    assert.equal(createBinFormatter('en', { size: 'month', timeZone }, parts)(9e15), '9000000000000000');
  });
});
