import { dayMs, hourMs } from '../../shared/durations.ts';

/** South African Standard Time is UTC+2 all year. */
export const sastOffsetMs = 2 * hourMs;

/** The names of the holidays, as published by the government: https://www.gov.za/about-sa/public-holidays. */
export const holidayNames = {
  newYear: "New Year's Day",
  humanRights: 'Human Rights Day',
  goodFriday: 'Good Friday',
  family: 'Family Day',
  freedom: 'Freedom Day',
  workers: "Workers' Day",
  youth: 'Youth Day',
  women: "National Women's Day",
  heritage: 'Heritage Day',
  reconciliation: 'Day of Reconciliation',
  christmas: 'Christmas Day',
  goodwill: 'Day of Goodwill',
  /** The Monday after a holiday on a Sunday, or a day that was proclaimed a holiday once. */
  other: 'Public holiday',
} as const;
type HolidayName = (typeof holidayNames)[keyof typeof holidayNames];

/** The holidays on the same date each year. */
const fixedDates: readonly (readonly [date: string, name: HolidayName])[] = [
  ['01-01', holidayNames.newYear],
  ['03-21', holidayNames.humanRights],
  ['04-27', holidayNames.freedom],
  ['05-01', holidayNames.workers],
  ['06-16', holidayNames.youth],
  ['08-09', holidayNames.women],
  ['09-24', holidayNames.heritage],
  ['12-16', holidayNames.reconciliation],
  ['12-25', holidayNames.christmas],
  ['12-26', holidayNames.goodwill],
];

/** Days that were proclaimed holidays once, for elections, the turn of the millennium, a Christmas Day on a Sunday, or the Rugby World Cup. */
const proclaimed: readonly string[] = [
  ...['1999-06-02', '1999-12-31', '2000-01-02', '2000-01-03', '2004-04-14', '2006-03-01', '2008-05-02', '2009-04-22'],
  ...['2011-05-18', '2011-12-27', '2014-05-07', '2016-08-03', '2016-12-27', '2019-05-08', '2021-11-01', '2022-12-27'],
  ...['2023-12-15', '2024-05-29', '2026-11-04'],
];
const firstYear = 1995;

const holidaysByYear = new Map<number, ReadonlyMap<number, HolidayName>>();

/**
 * Whether an instant (UTC milliseconds) is on a public holiday of South Africa, in SAST: a day of the Public Holidays Act 36 of 1994, the
 * Monday after a holiday on a Sunday, or a day proclaimed until `lastKnownYear`. Returns false before 1995, when the act came into force. The
 * package date-holidays (3.37) has the same days from 1995 to 2040, except that it lacks all proclaimed days but 15 December 2023 and 29 May 2024.
 */
export function isPublicHoliday(ms: number): boolean {
  return findHoliday(Math.floor((ms + sastOffsetMs) / dayMs)) !== undefined;
}

/** Returns the English name of the public holiday on a day; undefined for any other day. `day` is in days since 1970. */
export function findHoliday(day: number): HolidayName | undefined {
  const year = new Date(day * dayMs).getUTCFullYear();
  let days = holidaysByYear.get(year);
  if (!days) holidaysByYear.set(year, (days = computeHolidays(year)));
  return days.get(day);
}

/** The last year whose proclaimed days are known. */
export const lastKnownYear = 2026;

/** Returns the dates within a span (UTC milliseconds) that were proclaimed holidays once, such as `2023-12-15`. */
export function proclaimedHolidays({
  start,
  end,
}: {
  readonly start: number;
  readonly end: number;
}): readonly string[] {
  return proclaimed.filter(
    date => Date.parse(date) - sastOffsetMs < end && Date.parse(date) - sastOffsetMs + dayMs > start,
  );
}

/** Returns the holidays of a year by days since 1970. */
function computeHolidays(year: number): ReadonlyMap<number, HolidayName> {
  if (!(year >= firstYear)) return new Map();
  const easter = easterSunday(year);
  const fixed = fixedDates.map(([date, name]) => [Date.parse(`${year}-${date}`) / dayMs, name] as const);
  const mondays = fixed.flatMap(([day]) => (new Date(day * dayMs).getUTCDay() === 0 ? [day + 1] : []));
  const proclaimedDays = proclaimed.filter(date => date.startsWith(String(year))).map(date => Date.parse(date) / dayMs);
  return new Map([
    ...[...mondays, ...proclaimedDays].map(day => [day, holidayNames.other] as const),
    [easter - 2, holidayNames.goodFriday],
    [easter + 1, holidayNames.family],
    ...fixed,
  ]);
}

/** Computes Easter Sunday in days since 1970 by the anonymous Gregorian algorithm; see Meeus, Astronomical Algorithms, chapter 8. */
export function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const monthAndDay = epact + toSunday - 7 * late + 114;
  return Date.UTC(year, Math.floor(monthAndDay / 31) - 1, (monthAndDay % 31) + 1) / dayMs;
}
