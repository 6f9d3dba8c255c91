import { dayMs, minuteMs } from '../../shared/durations.ts';
import type { Tariff, TariffDay, TariffDayName } from '../../shared/resampling.ts';
import { easterSunday, isPublicHoliday, sastOffsetMs } from './holidays.ts';

export const tariffPeriods = ['peak', 'standard', 'offPeak'] as const;
export type TariffPeriod = (typeof tariffPeriods)[number];

/** Eskom's tariffs. Each is valid until the next one begins. */
export const eskomTariffs: readonly Tariff[] = [
  {
    from: '2005-04-01',
    source: 'Eskom Schedule of Standard Prices: WEPS, Megaflex, Miniflex',
    highDemand: {
      weekday: { peak: ['06:00-09:00', '17:00-19:00'], standard: ['09:00-17:00', '19:00-22:00'] },
      saturday: { standard: ['07:00-12:00', '18:00-20:00'] },
      sunday: {},
    },
    lowDemand: {
      weekday: { peak: ['07:00-10:00', '18:00-20:00'], standard: ['06:00-07:00', '10:00-18:00', '20:00-22:00'] },
      saturday: { standard: ['07:00-12:00', '18:00-20:00'] },
      sunday: {},
    },
  },
  {
    // This tariff introduced two peak hours in the morning, three in the evening, and a standard period on Sunday evenings.
    from: '2025-04-01',
    source: 'Eskom Tariffs & Charges 2025/26, retail tariff plan as approved by NERSA',
    highDemand: {
      weekday: { peak: ['06:00-08:00', '17:00-20:00'], standard: ['08:00-17:00', '20:00-22:00'] },
      saturday: { standard: ['07:00-12:00', '17:00-19:00'] },
      sunday: { standard: ['17:00-19:00'] },
    },
    lowDemand: {
      weekday: { peak: ['07:00-09:00', '18:00-21:00'], standard: ['06:00-07:00', '09:00-18:00', '21:00-22:00'] },
      saturday: { standard: ['07:00-12:00', '18:00-20:00'] },
      sunday: { standard: ['18:00-20:00'] },
    },
  },
];

type DaySpans = Readonly<Record<keyof TariffDay, readonly (readonly [start: number, end: number])[]>>;

/**
 * Creates a function that returns the tariff period of an instant (UTC milliseconds), in SAST, or undefined before the first tariff. The
 * tariffs must be valid: see `parseTariffs`. With a `year`, every day has the hours of the tariff that is valid on 1 April of that year,
 * so that hours can be priced under two tariffs.
 */
export function createTariffPeriodFinder(
  tariffs: readonly Tariff[],
  year?: number,
): (ms: number) => TariffPeriod | undefined {
  let day = NaN;
  let spans: DaySpans | undefined;
  return ms => {
    // A Date can't represent instants beyond this.
    if (!(Math.abs(ms) < 8.64e15 - dayMs)) return undefined;
    const localTime = ms + sastOffsetMs;
    const today = Math.floor(localTime / dayMs);
    // The hours of the previous call are reused, since rows are usually in chronological order.
    if (today !== day) {
      day = today;
      spans = getSpans(tariffs, today, year === undefined ? today : Date.UTC(year, 3) / dayMs);
    }
    if (!spans) return undefined;
    const minute = (localTime - today * dayMs) / minuteMs;
    const containsMinute = ([start, end]: readonly [number, number]): boolean => minute >= start && minute < end;
    return spans.peak.some(containsMinute) ? 'peak' : spans.standard.some(containsMinute) ? 'standard' : 'offPeak';
  };
}

/** Whether an instant (UTC milliseconds) is in the season of high demand, June to August in SAST. */
export function isHighDemandSeason(ms: number): boolean {
  const month = new Date(ms + sastOffsetMs).getUTCMonth();
  return month >= 5 && month <= 7;
}

/**
 * Returns the peak and standard hours of a day, in minutes since midnight, by the tariff of `tariffDay`. Both days are in days since
 * 1970.
 */
function getSpans(tariffs: readonly Tariff[], day: number, tariffDay: number): DaySpans | undefined {
  const { name } = getTariffDay(tariffs, day);
  const { tariff } = getTariffDay(tariffs, tariffDay);
  if (!tariff) return undefined;
  const season = isHighDemandSeason(day * dayMs - sastOffsetMs) ? tariff.highDemand : tariff.lowDemand;
  const { peak = [], standard = [] } = season[name];
  return { peak: peak.map(parseHours), standard: standard.map(parseHours) };
}

/** Returns the tariff of a day (undefined before the first tariff), and which day's hours apply. `day` is in days since 1970. */
export function getTariffDay(
  tariffs: readonly Tariff[],
  day: number,
): { tariff: Tariff | undefined; name: TariffDayName } {
  const date = new Date(day * dayMs);
  const text = date.toISOString().slice(0, 10);
  const tariff = tariffs.findLast(({ from }) => from <= text);
  return { tariff, name: tariff?.days?.[text] ?? getDayName(day, date) };
}

/**
 * Returns which day's hours apply to a day. Public holidays follow Eskom's table of 2025/26 for Megaflex, Miniflex and WEPS: New Year's Day,
 * Good Friday, Family Day, Christmas Day and the Day of Goodwill have the hours of Sundays. Other holidays have those of Saturdays, unless
 * they fall on a Sunday.
 */
function getDayName(day: number, date: Date): TariffDayName {
  const dayName = getPlainDayName(date);
  if (dayName === 'sunday' || !isPublicHoliday(day * dayMs - sastOffsetMs)) return dayName;
  const daysAfterEaster = day - easterSunday(date.getUTCFullYear());
  const isFamilyDay = /^(?:01-01|12-25|12-26)$/.test(date.toISOString().slice(5, 10));
  return isFamilyDay || daysAfterEaster === -2 || daysAfterEaster === 1 ? 'sunday' : 'saturday';
}

/** The first and the last day of Eskom's table of 2025/26. Its rule for holidays is applied to other years too. */
const eskomTable = { from: '2025-04-01', to: '2026-04-06' };

/**
 * Returns the dates (such as `2023-12-15`) of the public holidays in a span (UTC milliseconds) whose hours are uncertain: holidays outside
 * the period of Eskom's table, unless the tariff itself specifies their hours.
 */
export function uncertainHolidays(
  { start, end }: { readonly start: number; readonly end: number },
  tariffs: readonly Tariff[] = eskomTariffs,
): readonly string[] {
  const dates: string[] = [];
  const lastDay = Math.floor((end - 1 + sastOffsetMs) / dayMs);
  for (let day = Math.floor((start + sastOffsetMs) / dayMs); day <= lastDay; day++) {
    if (!isPublicHoliday(day * dayMs - sastOffsetMs)) continue;
    const date = new Date(day * dayMs);
    const text = date.toISOString().slice(0, 10);
    const { tariff } = getTariffDay(tariffs, day);
    if (!tariff || tariff.days?.[text] || getPlainDayName(date) === 'sunday') continue;
    if (text < eskomTable.from || text > eskomTable.to) dates.push(text);
  }
  return dates;
}

/** Returns which day's hours apply to a day that isn't a holiday. */
export function getPlainDayName(date: Date): TariffDayName {
  const weekday = date.getUTCDay();
  return weekday === 0 ? 'sunday' : weekday === 6 ? 'saturday' : 'weekday';
}

/** Parses hours into minutes since midnight: `06:00-09:30` into 360 and 570. */
function parseHours(text: string): readonly [start: number, end: number] {
  const [start = NaN, end = NaN] = text.split('-').map(time => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return [start, end];
}
