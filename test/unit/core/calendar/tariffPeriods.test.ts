import assert from 'node:assert/strict';
import {
  eskomTariffs,
  createTariffPeriodFinder,
  uncertainHolidays,
} from '../../../../src/core/calendar/tariffPeriods.ts';
import { parseTariffs } from '../../../../src/core/calendar/readTariffs.ts';

const hourMs = 3_600_000;
const parseSast = (text: string): number => Date.parse(`${text}+02:00`);
const periodAt = createTariffPeriodFinder(eskomTariffs);
const letters = { peak: 'P', standard: 's', offPeak: '.' };

/** Formats the hours of a day as letters: P for peak, s for standard, a period for off-peak. */
function formatDay(date: string, getPeriod = periodAt): string {
  const start = parseSast(`${date}T00:00`);
  return Array.from({ length: 24 }, (_, hour) => letters[getPeriod(start + hour * hourMs) ?? 'offPeak']).join('');
}

// The days are those of Eskom's tariff booklets, with one letter for each hour from midnight.
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

describe('createTariffPeriodFinder', () => {
  it('finds the period by season, weekday and the tariff of the date', () => {
    // The dates are a Wednesday, a Saturday and a Sunday, none of them a holiday.
    const weeks = [
      [days.until2025.high, '2023-07-05', '2023-07-08', '2023-07-09'],
      [days.until2025.low, '2023-05-03', '2023-05-06', '2023-05-07'],
      [days.since2025.high, '2025-07-02', '2025-07-05', '2025-07-06'],
      [days.since2025.low, '2026-05-06', '2026-05-09', '2026-05-10'],
    ] as const;
    for (const [expected, ...dates] of weeks)
      assert.deepEqual(
        dates.map(date => formatDay(date)),
        expected,
      );
  });

  it('changes at midnight of SAST: the tariff on 1 April 2025, the season on 1 June and 1 September', () => {
    const { until2025, since2025 } = days;
    const dates = ['2025-03-31', '2025-04-01', '2023-05-31', '2023-06-01', '2023-08-31', '2023-09-01'];
    const oldLow = until2025.low[0];
    const newLow = since2025.low[0];
    const oldHigh = until2025.high[0];
    assert.deepEqual(
      dates.map(date => formatDay(date)),
      [oldLow, newLow, oldLow, oldHigh, oldHigh, oldLow],
    );
  });

  it('treats public holidays as Saturdays, but family holidays and holidays on a Sunday as Sundays', () => {
    const [, saturday, sunday] = days.since2025.low;
    const [, winterSaturday] = days.since2025.high;
    // The table is Eskom's for 2025/26.
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
    for (const [date, expected] of Object.entries(table)) assert.equal(formatDay(date), expected, date);
  });

  it('returns undefined before the first tariff and outside the calendar', () => {
    for (const ms of [parseSast('2005-03-31T23:59'), NaN, Infinity, 8.64e15, -8.64e15, 1e17])
      assert.equal(periodAt(ms), undefined, String(ms));
    assert.equal(periodAt(parseSast('2005-04-01T00:00')), 'offPeak');
  });

  it('prefers the day that a tariff lists for a date to the rule', () => {
    const tariffs = eskomTariffs.map(tariff => ({
      ...tariff,
      days: { '2026-04-27': 'sunday', '2026-05-06': 'saturday' } as const,
    }));
    const customPeriodAt = createTariffPeriodFinder(tariffs);
    assert.equal(formatDay('2026-04-27', customPeriodAt), days.since2025.low[2]);
    assert.equal(formatDay('2026-05-06', customPeriodAt), days.since2025.low[1]);
    assert.equal(formatDay('2026-05-07', customPeriodAt), days.since2025.low[0]);
  });
});

describe('parseTariffs', () => {
  const [first] = eskomTariffs;
  assert.ok(first);
  const createTariffsWithPeak = (text: string) => [
    { ...first, highDemand: { ...first.highDemand, sunday: { peak: [text] } } },
  ];

  it('accepts valid tariffs, including Eskom’s', () => {
    for (const tariffs of [
      [],
      eskomTariffs,
      createTariffsWithPeak('23:30-24:00'),
      [{ ...first, days: { '2024-02-29': 'sunday' } }],
    ])
      assert.deepEqual(parseTariffs(tariffs), { tariffs });
  });

  it('reports the position of the first invalid value', () => {
    const invalid: readonly (readonly [unknown, string])[] = [
      ['weekdays', ''],
      [[null], '0'],
      [[{ ...first, from: '2025-02-30' }], '0.from'],
      [[{ ...first, from: 'yesterday' }], '0.from'],
      [[first, first], ''],
      [[{ ...first, hours: [] }], '0.hours'],
      [[{ ...first, days: { '2026-04-27': 'Sunday' } }], '0.days.2026-04-27'],
      ...['6:00-9:00', '09:00-06:00', '06:00-06:00', '24:00-24:00', '06:60-07:00'].map(
        text => [createTariffsWithPeak(text), '0.highDemand.sunday.peak.0'] as const,
      ),
    ];
    for (const [value, invalidAt] of invalid)
      assert.deepEqual(parseTariffs(value), { invalidAt }, JSON.stringify(value));
  });
});

describe('public holidays that no tariff table lists', () => {
  const createRange = (start: string, end: string) => ({
    start: parseSast(`${start}T00:00`),
    end: parseSast(`${end}T00:00`),
  });

  it('reports unlisted holidays for years after the table, including proclaimed holidays', () => {
    assert.deepEqual(uncertainHolidays(createRange('2005-06-01', '2005-07-01')), ['2005-06-16']);
    assert.deepEqual(uncertainHolidays(createRange('2023-12-15', '2023-12-16')), ['2023-12-15']);
    assert.deepEqual(uncertainHolidays(createRange('2026-04-01', '2026-05-02')), ['2026-04-27', '2026-05-01']);
    assert.deepEqual(uncertainHolidays(createRange('2025-04-01', '2026-04-07')), []);
    // Sundays are not affected, and there are no periods before the first tariff.
    assert.deepEqual(uncertainHolidays(createRange('2027-03-21', '2027-03-22')), []);
    assert.deepEqual(uncertainHolidays(createRange('2001-01-01', '2002-01-01')), []);
  });

  it('does not report holidays that the setting lists', () => {
    const tariffs = eskomTariffs.map(tariff => ({ ...tariff, days: { '2026-04-27': 'saturday' as const } }));
    assert.deepEqual(uncertainHolidays(createRange('2026-04-20', '2026-05-02'), tariffs), ['2026-05-01']);
  });
});
