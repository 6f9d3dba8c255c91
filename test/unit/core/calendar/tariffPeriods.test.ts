import assert from 'node:assert/strict';
import { eskomTariffs, tariffPeriodAt, uncertainHolidays } from '../../../../src/core/calendar/tariffPeriods.ts';
import { readTariffs } from '../../../../src/core/calendar/readTariffs.ts';

const hourMs = 3_600_000;
const sast = (text: string): number => Date.parse(`${text}+02:00`);
const periodAt = tariffPeriodAt(eskomTariffs);
const letters = { peak: 'P', standard: 's', offPeak: '.' };

/** The hours of a day as letters: P peak, s standard, a point off-peak. */
function dayOf(date: string, at = periodAt): string {
  const start = sast(`${date}T00:00`);
  return Array.from({ length: 24 }, (_, hour) => letters[at(start + hour * hourMs) ?? 'offPeak']).join('');
}

// As drawn in Eskom's booklets, an hour each from midnight on.
const days = {
  until2025: {
    high: ['......PPPssssssssPPsss..', '.......sssss......ss....', '........................'],
    low: ['......sPPPssssssssPPss..', '.......sssss......ss....', '........................'],
  },
  since2025: {
    high: ['......PPsssssssssPPPss..', '.......sssss.....ss.....', '.................ss.....'],
    low: ['......sPPsssssssssPPPs..', '.......sssss......ss....', '..................ss....'],
  },
};

describe('tariff periods', () => {
  it('are those of the season, the weekday and the tariff of the date', () => {
    // A Wednesday, a Saturday and a Sunday without holidays.
    const weeks = [
      [days.until2025.high, '2023-07-05', '2023-07-08', '2023-07-09'],
      [days.until2025.low, '2023-05-03', '2023-05-06', '2023-05-07'],
      [days.since2025.high, '2025-07-02', '2025-07-05', '2025-07-06'],
      [days.since2025.low, '2026-05-06', '2026-05-09', '2026-05-10'],
    ] as const;
    for (const [expected, ...dates] of weeks)
      assert.deepEqual(
        dates.map(date => dayOf(date)),
        expected,
      );
  });

  it('change at midnight of SAST: with the tariff on 1 April 2025, with the season on 1 June and 1 September', () => {
    const { until2025, since2025 } = days;
    const at = ['2025-03-31', '2025-04-01', '2023-05-31', '2023-06-01', '2023-08-31', '2023-09-01'];
    const [oldLow, newLow, oldHigh] = [until2025.low[0], since2025.low[0], until2025.high[0]];
    assert.deepEqual(
      at.map(date => dayOf(date)),
      [oldLow, newLow, oldLow, oldHigh, oldHigh, oldLow],
    );
  });

  it('of public holidays are those of a Saturday, of family holidays and on Sundays those of a Sunday', () => {
    const [, saturday, sunday] = days.since2025.low;
    const [, winterSaturday] = days.since2025.high;
    // As in Eskom's table of 2025/26.
    const table = {
      '2025-04-18': sunday,
      '2025-04-21': sunday,
      '2025-04-27': sunday,
      '2025-04-28': saturday,
      '2025-05-01': saturday,
      '2025-06-16': winterSaturday,
      '2025-08-09': winterSaturday,
      '2025-09-24': saturday,
      '2025-12-16': saturday,
      '2025-12-25': sunday,
      '2025-12-26': sunday,
      '2026-01-01': sunday,
      '2026-03-21': saturday,
      '2026-04-03': sunday,
      '2026-04-06': sunday,
    };
    for (const [date, expected] of Object.entries(table)) assert.equal(dayOf(date), expected, date);
  });

  it('are of no hour before the first tariff, nor where no calendar reaches', () => {
    for (const ms of [sast('2005-03-31T23:59'), NaN, Infinity, 8.64e15, -8.64e15, 1e17])
      assert.equal(periodAt(ms), undefined, String(ms));
    assert.equal(periodAt(sast('2005-04-01T00:00')), 'offPeak');
  });

  it('of a date that is named go before the rule', () => {
    const own = eskomTariffs.map(tariff => ({
      ...tariff,
      days: { '2026-04-27': 'sunday', '2026-05-06': 'saturday' } as const,
    }));
    const at = tariffPeriodAt(own);
    assert.equal(dayOf('2026-04-27', at), days.since2025.low[2]);
    assert.equal(dayOf('2026-05-06', at), days.since2025.low[1]);
    assert.equal(dayOf('2026-05-07', at), days.since2025.low[0]);
  });
});

describe('readTariffs', () => {
  const [first] = eskomTariffs;
  assert.ok(first);
  const withPeak = (text: string) => [{ ...first, highDemand: { ...first.highDemand, sunday: { peak: [text] } } }];

  it('takes tariffs as they are, Eskom’s too', () => {
    for (const tariffs of [[], eskomTariffs, withPeak('23:30-24:00'), [{ ...first, days: { '2024-02-29': 'sunday' } }]])
      assert.deepEqual(readTariffs(tariffs), { tariffs });
  });

  it('says where they are invalid', () => {
    const invalid: readonly (readonly [unknown, string])[] = [
      ['weekdays', ''],
      [[null], '0'],
      [[{ ...first, from: '2025-02-30' }], '0.from'],
      [[{ ...first, from: 'yesterday' }], '0.from'],
      [[first, first], ''],
      [[{ ...first, hours: [] }], '0.hours'],
      [[{ ...first, days: { '2026-04-27': 'Sunday' } }], '0.days.2026-04-27'],
      ...['6:00-9:00', '09:00-06:00', '06:00-06:00', '24:00-24:00', '06:60-07:00'].map(
        text => [withPeak(text), '0.highDemand.sunday.peak.0'] as const,
      ),
    ];
    for (const [value, invalidAt] of invalid)
      assert.deepEqual(readTariffs(value), { invalidAt }, JSON.stringify(value));
  });
});

describe('public holidays whose hours no table says', () => {
  const span = (start: string, end: string) => ({ start: sast(`${start}T00:00`), end: sast(`${end}T00:00`) });

  it('are those of other years than the table, proclaimed ones among them', () => {
    assert.deepEqual(uncertainHolidays(span('2005-06-01', '2005-07-01')), ['2005-06-16']);
    assert.deepEqual(uncertainHolidays(span('2023-12-15', '2023-12-16')), ['2023-12-15']);
    assert.deepEqual(uncertainHolidays(span('2026-04-01', '2026-05-02')), ['2026-04-27', '2026-05-01']);
    assert.deepEqual(uncertainHolidays(span('2025-04-01', '2026-04-07')), []);
    // A Sunday keeps its hours, and before the first tariff there are none.
    assert.deepEqual(uncertainHolidays(span('2027-03-21', '2027-03-22')), []);
    assert.deepEqual(uncertainHolidays(span('2001-01-01', '2002-01-01')), []);
  });

  it('are none that the setting names', () => {
    const own = eskomTariffs.map(tariff => ({ ...tariff, days: { '2026-04-27': 'saturday' as const } }));
    assert.deepEqual(uncertainHolidays(span('2026-04-20', '2026-05-02'), own), ['2026-05-01']);
  });
});
