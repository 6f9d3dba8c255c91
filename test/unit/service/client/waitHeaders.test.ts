import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseHttpDate, parseRetryAfter, readResetMs } from '../../../../src/service/client/waitHeaders.ts';

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

describe('readResetMs', () => {
  const dateHeader = { date: 'Sat, 21 Nov 2026 08:00:00 GMT' };
  const epoch = Date.UTC(2026, 10, 21, 8) / 1000;
  for (const [headers, expected] of [
    // These are the structured fields of the current draft.
    [{ ratelimit: '"default";r=0;t=30' }, 30_000],
    [{ ratelimit: '"default"; r=0; t=30' }, 30_000],
    [{ ratelimit: '"burst";r=0;t=5, "daily";r=0;t=45' }, 45_000],
    [{ ratelimit: '"burst";r=5;t=50, "daily";r=0;t=45' }, 45_000],
    [{ ratelimit: '"burst";r=0', 'ratelimit-policy': '"daily";q=900;w=86400, "burst";q=10;w=20' }, 20_000],
    [{ ratelimit: '"burst";r=0', 'ratelimit-policy': '"daily";q=900;w=86400' }, 60_000],
    [{ ratelimit: '"default";r=1;t=30' }, undefined],
    [{ ratelimit: '"default";r=10;t=0' }, undefined],
    // These are the fields of earlier drafts.
    [{ ratelimit: 'limit=10, remaining=0, reset=7' }, 7_000],
    [{ ratelimit: 'limit=10, remaining=2, reset=7' }, undefined],
    [{ 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'ratelimit-reset': '7' }, 7_000],
    [{ 'ratelimit-limit': '9999', 'ratelimit-remaining': '3', 'ratelimit-reset': '7' }, undefined],
    // Common headers contain seconds, or an instant in seconds or milliseconds since 1970 by the service's clock.
    [{ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' }, 7_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(epoch + 9), ...dateHeader }, 9_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((epoch + 9) * 1000), ...dateHeader }, 9_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(epoch - 9), ...dateHeader }, 0],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3.2' }, 3_200],
    [{ 'x-ratelimit-remaining': '0' }, 60_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, 60_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '-5' }, 60_000],
    [{ 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '7' }, undefined],
    [{ 'x-ratelimit-remaining': 'none', 'x-ratelimit-reset': '7' }, undefined],
    [{ 'x-ratelimit-reset': '7' }, undefined],
    [{}, undefined],
  ] as const)
    it(`reads ${JSON.stringify(headers)} as ${expected}`, () => {
      assert.equal(readResetMs({ ...headers }, now, 60_000), expected);
    });

  it('returns a finite time of at least 0, or nothing, for any texts', () => {
    const texts = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('"x";r=0;t=99999999999999999999'));
    const names = ['ratelimit', 'ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-remaining'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, 'x-ratelimit-reset', 'date'), texts), headers => {
        const ms = readResetMs(headers, now, 60_000);
        assert.ok(ms === undefined || (Number.isFinite(ms) && ms >= 0));
      }),
    );
  });
});
