import { dayMs, minuteMs } from '../../shared/durations.ts';
import type { Tariff, TariffDay, TariffDayName } from '../../shared/resampling.ts';
import { easterSunday, isPublicHoliday, sastMs } from './holidays.ts';

export const tariffPeriods = ['peak', 'standard', 'offPeak'] as const;
export type TariffPeriod = (typeof tariffPeriods)[number];

/** Eskom's periods, each until the next begins. */
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
    // Two hours in the morning and three in the evening, and a standard period on Sunday evenings.
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

type Spans = Readonly<Record<keyof TariffDay, readonly (readonly [start: number, end: number])[]>>;

/** Returns the period of an instant, UTC milliseconds, by SAST; undefined before the first tariff. They are valid, as `readTariffs` has them. */
export function tariffPeriodAt(tariffs: readonly Tariff[]): (ms: number) => TariffPeriod | undefined {
  let day = NaN;
  let spans: Spans | undefined;
  return ms => {
    // No calendar reaches further.
    if (!(Math.abs(ms) < 8.64e15 - dayMs)) return undefined;
    const wall = ms + sastMs;
    const today = Math.floor(wall / dayMs);
    // Rows mostly stand in the order of time.
    if (today !== day) [day, spans] = [today, spansOf(tariffs, today)];
    if (!spans) return undefined;
    const minute = (wall - today * dayMs) / minuteMs;
    const isIn = ([start, end]: readonly [number, number]): boolean => minute >= start && minute < end;
    return spans.peak.some(isIn) ? 'peak' : spans.standard.some(isIn) ? 'standard' : 'offPeak';
  };
}

/** `day`: days since 1970. */
function spansOf(tariffs: readonly Tariff[], day: number): Spans | undefined {
  const { tariff, name } = tariffDayOf(tariffs, day);
  if (!tariff) return undefined;
  const month = new Date(day * dayMs).getUTCMonth();
  const season = month >= 5 && month <= 7 ? tariff.highDemand : tariff.lowDemand;
  const { peak = [], standard = [] } = season[name];
  return { peak: peak.map(minutesOf), standard: standard.map(minutesOf) };
}

/** The tariff of a day, undefined before the first, and which day's hours it has. `day`: days since 1970. */
export function tariffDayOf(
  tariffs: readonly Tariff[],
  day: number,
): { tariff: Tariff | undefined; name: TariffDayName } {
  const date = new Date(day * dayMs);
  const text = date.toISOString().slice(0, 10);
  const tariff = tariffs.findLast(({ from }) => from <= text);
  return { tariff, name: tariff?.days?.[text] ?? dayNameOf(day, date) };
}

/**
 * Which day's hours a day has. Public holidays follow Eskom's table of 2025/26 for Megaflex, Miniflex and WEPS: New Year's Day, Good
 * Friday, Family Day, Christmas Day and the Day of Goodwill as a Sunday, another as a Saturday unless it is one on a Sunday.
 */
function dayNameOf(day: number, date: Date): TariffDayName {
  const plain = plainDayOf(date);
  if (plain === 'sunday' || !isPublicHoliday(day * dayMs - sastMs)) return plain;
  const fromEaster = day - easterSunday(date.getUTCFullYear());
  const isFamilyDay = /^(?:01-01|12-25|12-26)$/.test(date.toISOString().slice(5, 10));
  return isFamilyDay || fromEaster === -2 || fromEaster === 1 ? 'sunday' : 'saturday';
}

/** The days of Eskom's table of 2025/26, whose rule holidays of other years are given: from and to, by SAST. */
const table = { from: '2025-04-01', to: '2026-04-06' };

/**
 * The public holidays of a span, in UTC milliseconds, whose hours no table says: those of other years than that of Eskom's table, among
 * them those that were proclaimed once, such as for elections. Not those that a tariff names itself. Dates such as `2023-12-15`.
 */
export function uncertainHolidays(
  { start, end }: { readonly start: number; readonly end: number },
  tariffs: readonly Tariff[] = eskomTariffs,
): readonly string[] {
  const dates: string[] = [];
  const last = Math.floor((end - 1 + sastMs) / dayMs);
  for (let day = Math.floor((start + sastMs) / dayMs); day <= last; day++) {
    if (!isPublicHoliday(day * dayMs - sastMs)) continue;
    const date = new Date(day * dayMs);
    const text = date.toISOString().slice(0, 10);
    const { tariff } = tariffDayOf(tariffs, day);
    if (!tariff || tariff.days?.[text] || plainDayOf(date) === 'sunday') continue;
    if (text < table.from || text > table.to) dates.push(text);
  }
  return dates;
}

/** Which day's hours a day has that is no holiday. */
export function plainDayOf(date: Date): TariffDayName {
  const weekday = date.getUTCDay();
  return weekday === 0 ? 'sunday' : weekday === 6 ? 'saturday' : 'weekday';
}

/** `06:00-09:30` is from 360 to 570. */
function minutesOf(text: string): readonly [start: number, end: number] {
  const [start = NaN, end = NaN] = text.split('-').map(time => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return [start, end];
}
