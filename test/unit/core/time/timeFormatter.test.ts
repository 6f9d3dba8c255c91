import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTimeFormatter } from '../../../../src/core/time/timeFormatter.ts';
import { selectTimeParts, getTimeShape } from '../../../../src/shared/formatTime.ts';
import type { TimeColumn } from '../../../../src/shared/frame.ts';

const hour = 3_600_000;
const day = 24 * hour;

function createTimeColumn(values: readonly number[]): TimeColumn {
  return { kind: 'time', name: 'ts', path: ['ts'], values: Float64Array.from(values) };
}

function formatTimes(values: readonly number[], timeZone: string, locale = 'en'): string[] {
  const parts = selectTimeParts(getTimeShape(createTimeColumn(values), values.length), timeZone);
  return values.map(createTimeFormatter(locale, timeZone, parts));
}

describe('timeFormatter', () => {
  it('formats day, month and time in the time zone', () => {
    assert.deepEqual(formatTimes([Date.UTC(2026, 10, 14, 5)], 'UTC'), ['14 Nov 05:00']);
    assert.deepEqual(formatTimes([Date.UTC(2026, 10, 14, 23)], 'Africa/Johannesburg'), ['15 Nov 01:00']);
    assert.deepEqual(formatTimes([Date.UTC(2026, 8, 4, 0)], 'UTC'), ['04 Sep 00:00']);
    assert.deepEqual(formatTimes([Date.UTC(2026, 8, 4, 0)], 'UTC', 'en-GB'), ['04 Sep 00:00']);
    assert.deepEqual(formatTimes([Date.UTC(2026, 8, 4, 0)], 'UTC', 'de'), ['04. Sept. 00:00']);
  });

  it('adds the year when rows are in different years of the time zone', () => {
    const newYear = Date.UTC(2027, 0, 1);
    assert.deepEqual(formatTimes([newYear - 3 * hour, newYear - 2 * hour], 'UTC'), ['31 Dec 21:00', '31 Dec 22:00']);
    assert.deepEqual(formatTimes([newYear - 3 * hour, newYear - 2 * hour], 'Africa/Johannesburg'), [
      '31 Dec 2026 23:00',
      '01 Jan 2027 00:00',
    ]);
  });

  it('writes days without a time when they begin at midnight of the time zone', () => {
    const start = Date.UTC(2026, 10, 14);
    assert.deepEqual(formatTimes([start, start + day], 'UTC'), ['14 Nov', '15 Nov']);
    assert.deepEqual(formatTimes([start, start + day], 'Africa/Johannesburg'), ['14 Nov 02:00', '15 Nov 02:00']);
  });

  it('formats instants at both changes of daylight saving time', () => {
    const spring = Date.UTC(2026, 2, 29, 0);
    assert.deepEqual(formatTimes([spring, spring + hour, spring + 2 * hour], 'Europe/Berlin'), [
      '29 Mar 01:00',
      '29 Mar 03:00',
      '29 Mar 04:00',
    ]);
    const autumn = Date.UTC(2026, 9, 25, 0);
    assert.deepEqual(formatTimes([autumn, autumn + hour, autumn + 2 * hour], 'Europe/Berlin'), [
      '25 Oct 02:00 CEST',
      '25 Oct 02:00 CET',
      '25 Oct 03:00',
    ]);
  });

  it('shows seconds and milliseconds if there are any', () => {
    assert.deepEqual(formatTimes([Date.UTC(2026, 10, 14, 5, 0, 30)], 'UTC'), ['14 Nov 05:00:30']);
    assert.deepEqual(formatTimes([Date.UTC(2026, 10, 14, 5, 0, 0, 7)], 'UTC'), ['14 Nov 05:00:00.007']);
  });

  it('formats any instant, and numbers outside the range of Date unchanged', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (a, b) => {
        for (const text of formatTimes([a, b], 'Asia/Kathmandu')) assert.notEqual(text, '');
      }),
    );
    assert.deepEqual(formatTimes([9e15], 'UTC'), ['9000000000000000']);
  });

  it('agrees with UTC arithmetic at every hour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900_000 }), hours => {
        const [text] = formatTimes([hours * hour], 'UTC');
        assert.ok(text?.endsWith(new Date(hours * hour).toISOString().slice(11, 16)));
      }),
    );
  });
});
