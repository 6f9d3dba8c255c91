import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseHttpDate, parseRetryAfter } from '../../../../src/service/client/retryAfter.ts';

const now = Date.UTC(2026, 10, 21, 8);

describe('parseRetryAfter', () => {
  for (const [header, expected] of [
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['999999999', 999_999_999_000],
    ['Sat, 21 Nov 2026 08:00:05 GMT', 5_000],
    ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
    ['-5', undefined],
    ['+5', undefined],
    ['1.5', undefined],
    ['0x10', undefined],
    ['1e3', undefined],
    ['1234567890', undefined],
    ['abc', undefined],
    ['', undefined],
    ['2026-11-21', undefined],
    ['2026-11-21T08:00:05Z', undefined],
    ['Sat, 21 Nov 2026 08:00:05', undefined],
    ['Sat, 99 Nov 2026 08:00:05 GMT', undefined],
    [undefined, undefined],
    [7, undefined],
    [['7'], undefined],
  ] as const)
    it(`parses ${JSON.stringify(header)} as ${expected}`, () => {
      assert.equal(parseRetryAfter(header, now), expected);
    });

  it('returns a finite time of at least 0, or nothing, for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map(date => date.toUTCString()),
    );
    fc.assert(
      fc.property(text, header => {
        const ms = parseRetryAfter(header, now);
        assert.ok(ms === undefined || (Number.isFinite(ms) && ms >= 0));
      }),
    );
  });
});

describe('parseHttpDate', () => {
  it('parses any HTTP date of a four-digit year', () => {
    const dates = fc.date({ min: new Date(0), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true });
    fc.assert(
      fc.property(dates, date => {
        assert.equal(parseHttpDate(date.toUTCString()), Math.floor(date.getTime() / 1000) * 1000);
      }),
    );
  });
});
