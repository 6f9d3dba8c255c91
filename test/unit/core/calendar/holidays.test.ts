import assert from 'node:assert/strict';
import { findHoliday, isPublicHoliday } from '../../../../src/core/calendar/holidays.ts';

const hourMs = 3_600_000;
const parseSast = (text: string) => Date.parse(`${text}+02:00`);

/** Lists the dates of a year that are holidays at noon, as MM-DD. */
function listHolidays(year: number): string[] {
  const days = Array.from({ length: 366 }, (_, day) => Date.UTC(year, 0, 1, 10) + day * 24 * hourMs);
  return days
    .filter(ms => new Date(ms).getUTCFullYear() === year && isPublicHoliday(ms))
    .map(ms => new Date(ms).toISOString().slice(5, 10));
}

describe('the public holidays of South Africa', () => {
  // The dates are those that the government published: https://www.gov.za/about-sa/public-holidays
  const fixed = ['01-01', '03-21', '04-27', '05-01', '06-16', '08-09', '09-24', '12-16', '12-25', '12-26'];
  const years: Readonly<Record<number, readonly string[]>> = {
    2016: ['03-25', '03-28', '05-02', '08-03', '12-27'],
    2022: ['04-15', '04-18', '05-02', '12-27'],
    2023: ['01-02', '04-07', '04-10', '09-25', '12-15'],
    2024: ['03-29', '04-01', '05-29', '06-17'],
    2025: ['04-18', '04-21', '04-28'],
  };
  for (const [year, moving] of Object.entries(years))
    it(`lists for ${year} the fixed dates, Good Friday and Family Day, and ${moving.join(', ')}`, () => {
      assert.deepEqual(listHolidays(Number(year)), [...fixed, ...moving].sort());
    });

  it('names all holidays except those proclaimed for one year and Mondays after a Sunday', () => {
    const getHolidayName = (date: string) => findHoliday(Date.parse(date) / 86_400_000);
    const days = ['2024-03-21', '2024-03-29', '2024-04-01', '2024-06-16', '2024-06-17', '2024-05-29', '2024-03-22'];
    assert.deepEqual(days.map(getHolidayName), [
      'Human Rights Day',
      'Good Friday',
      'Family Day',
      'Youth Day',
      'Public holiday',
      'Public holiday',
      undefined,
    ]);
  });

  it('begins and ends holidays at midnight of SAST', () => {
    assert.equal(isPublicHoliday(parseSast('2023-09-24T00:00')), true);
    assert.equal(isPublicHoliday(parseSast('2023-09-24T00:00') - 1), false);
    assert.equal(isPublicHoliday(parseSast('2023-09-26T00:00') - 1), true);
    assert.equal(isPublicHoliday(parseSast('2023-09-26T00:00')), false);
  });

  it('matches the Easter dates of a published calendar', () => {
    const goodFridays = [
      '1995-04-14',
      '1999-04-02',
      '2000-04-21',
      '2008-03-21',
      '2011-04-22',
      '2038-04-23',
      '2049-04-16',
    ];
    for (const date of goodFridays) {
      assert.equal(isPublicHoliday(parseSast(`${date}T12:00`)), true, date);
      assert.equal(isPublicHoliday(parseSast(`${date}T12:00`) + 3 * 24 * hourMs), true, `Family Day after ${date}`);
    }
  });

  it('finds no holiday before the act of 1994, nor for an invalid instant', () => {
    assert.equal(isPublicHoliday(parseSast('1994-12-25T12:00')), false);
    assert.equal(isPublicHoliday(parseSast('1995-01-01T12:00')), true);
    assert.equal(isPublicHoliday(NaN), false);
    assert.equal(isPublicHoliday(1e300), false);
  });
});
