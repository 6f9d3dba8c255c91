import assert from 'node:assert/strict';
import { getPeriodDate, reportPeriods, type ReportPeriod } from '../../../src/cli/reportPeriod.ts';
import { hourMs } from '../../../src/shared/durations.ts';

const cases: readonly (readonly [ReportPeriod, string, string, string])[] = [
  ['day', '2026-11-23T23:59:59Z', 'UTC', '2026-11-23'],
  ['day', '2026-11-23T22:00:00Z', 'Africa/Johannesburg', '2026-11-24'],
  ['day', '2026-11-23T07:59:59Z', 'America/Los_Angeles', '2026-11-22'],
  // A Monday, the Sunday before it, and the Sunday after it.
  ['monday', '2026-11-23T00:00:00Z', 'UTC', '2026-11-23'],
  ['monday', '2026-11-22T23:59:59Z', 'UTC', '2026-11-16'],
  ['monday', '2026-11-22T22:00:00Z', 'Africa/Johannesburg', '2026-11-23'],
  ['monday', '2026-11-29T23:00:00Z', 'UTC', '2026-11-23'],
  ['sunday', '2026-11-28T12:00:00Z', 'UTC', '2026-11-22'],
  ['sunday', '2026-11-29T00:00:00Z', 'UTC', '2026-11-29'],
  // The week of the turn of the year.
  ['friday', '2027-01-02T00:00:00Z', 'UTC', '2027-01-01'],
  ['thursday', '2027-01-02T00:00:00Z', 'UTC', '2026-12-31'],
  ['month', '2026-11-01T00:00:00Z', 'UTC', '2026-11-01'],
  ['month', '2026-11-30T22:30:00Z', 'Africa/Johannesburg', '2026-12-01'],
  ['month', '2028-02-29T12:00:00Z', 'UTC', '2028-02-01'],
  // Clocks of Berlin: an hour is skipped at 01:00Z on 29 March and repeated at 01:00Z on 25 October.
  ['sunday', '2026-03-28T22:59:59Z', 'Europe/Berlin', '2026-03-22'],
  ['sunday', '2026-03-28T23:00:00Z', 'Europe/Berlin', '2026-03-29'],
  ['day', '2026-03-29T21:59:59Z', 'Europe/Berlin', '2026-03-29'],
  ['day', '2026-03-29T22:00:00Z', 'Europe/Berlin', '2026-03-30'],
  ['day', '2026-10-25T22:59:59Z', 'Europe/Berlin', '2026-10-25'],
  ['day', '2026-10-25T23:00:00Z', 'Europe/Berlin', '2026-10-26'],
  // Beirut skips midnight: 28 March 2027 begins at 01:00.
  ['sunday', '2027-03-27T22:00:00Z', 'Asia/Beirut', '2027-03-28'],
  // Samoa had no 30 December 2011, a Friday.
  ['thursday', '2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-29'],
];

describe('getPeriodDate', () => {
  for (const [period, instant, timeZone, date] of cases)
    it(`returns ${date} for '${period}' at ${instant} in ${timeZone}`, () => {
      assert.equal(getPeriodDate(period, Date.parse(instant), timeZone), date);
    });

  it('changes once in each period, and only at a midnight of the zone', () => {
    const timeZone = 'Europe/Berlin';
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    // Twelve weeks around the day on which an hour is skipped.
    const start = Date.parse('2026-02-15T12:00:00Z');
    const hours = Array.from({ length: 84 * 24 }, (_, hour) => start + hour * hourMs);
    const counts = reportPeriods.map(period => {
      const dates = hours.map(ms => getPeriodDate(period, ms, timeZone));
      const changes = hours.filter((_, index) => index > 0 && dates[index] !== dates[index - 1]);
      for (const ms of changes) assert.equal(format.format(ms), '00:00', new Date(ms).toISOString());
      return changes.length;
    });
    assert.deepEqual(counts, [84, ...Array<number>(7).fill(12), 3]);
  });
});
