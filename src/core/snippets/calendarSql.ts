import { dayMs } from '../../shared/durations.ts';
import { isPublicHoliday } from '../calendar/holidays.ts';
import { eskomTariffs, plainDayOf, tariffDayOf } from '../calendar/tariffPeriods.ts';
import type { FilterContext, ReadFilter } from '../filter/filterTypes.ts';
import { tariffDays, type Tariff, type TariffDay } from '../../shared/resampling.ts';
import { commentText } from './quote.ts';

const local = "timezone('Africa/Johannesburg', moment)";
const macro = (head: string, body: string): string => `CREATE OR REPLACE TEMP MACRO ${head} AS ${body}`;

/** DuckDB macros for calendar facts about an instant that SQL lacks. */
export type CalendarMacro = 'is_public_holiday' | 'tariff_period';

/** Lists the macros that a filter needs. */
export function calendarMacrosOf({ conditions }: ReadFilter): CalendarMacro[] {
  return conditions.flatMap(({ cells }) => {
    if (cells.kind === 'filter') return calendarMacrosOf(cells);
    const parts = cells.kind === 'calendar' ? cells.parts : [];
    return parts.flatMap(({ of }) => (of === 'holiday' ? 'is_public_holiday' : of === 'period' ? 'tariff_period' : []));
  });
}

/** A filter's context with the range of the rows, in UTC milliseconds. */
export interface StepsContext extends Omit<FilterContext, 'tariffs'> {
  readonly tariffs?: readonly Tariff[];
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the statements that create a macro. Tariff periods are defined by rules, holidays by dates: those of the years of the range
 * and of the years before and after, for bins that extend beyond its ends and for relative ranges.
 */
export function calendarMacroSql(name: CalendarMacro, { start, end, tariffs = eskomTariffs }: StepsContext): string[] {
  const [from, to] = [new Date(start).getUTCFullYear() - 1, new Date(end).getUTCFullYear() + 1];
  const first = Date.UTC(from, 0) / dayMs;
  const days = Array.from({ length: Date.UTC(to + 1, 0) / dayMs - first }, (_, at) => first + at);
  // A program that is run years later must not treat holidays as working days.
  const later = `\n  WHEN date > '${to}-12-31' THEN error('Holidays are listed to ${to}: copy this program anew.')`;
  if (name === 'is_public_holiday') {
    const holidays = days.filter(day => isPublicHoliday(day * dayMs));
    return [
      `-- Public holidays of South Africa, ${from} to ${to}.
${macro('is_holiday(date)', `CASE${later} ELSE ${isAmong('date', holidays)} END`)}`,
      macro('is_public_holiday(moment)', `is_holiday(${local}::DATE)`),
    ];
  }
  const others = tariffDays.flatMap(name => {
    const dates = days.filter(
      day => tariffDayOf(tariffs, day).name === name && plainDayOf(new Date(day * dayMs)) !== name,
    );
    return dates.length > 0 ? `\n  WHEN ${isAmong('date', dates)} THEN '${name}'` : [];
  });
  const used = tariffs.filter((_, at) => (tariffs[at + 1]?.from ?? '9999') > dateText(first)).toReversed();
  const rules = used.map(({ from, source, highDemand, lowDemand }) => {
    const hours = [highDemand, lowDemand].flatMap((season, at) =>
      tariffDays.map(day => `\n    WHEN '${at === 0 ? 'high' : 'low'} ${day}' THEN ${periodSql(season[day])}`),
    );
    return `\n  -- ${commentText(source)}\n  WHEN date >= '${from}' THEN CASE tariff_season(date) || ' ' || tariff_day(date)${hours.join('')} END`;
  });
  return [
    macro('tariff_season(date)', "CASE WHEN month(date) BETWEEN 6 AND 8 THEN 'high' ELSE 'low' END"),
    `-- Public holidays of South Africa, and other days with the hours of another, ${from} to ${to}.
${macro(
  'tariff_day(date)',
  `CASE${later}${others.join('')}
  WHEN isodow(date) = 7 THEN 'sunday' WHEN isodow(date) = 6 THEN 'saturday' ELSE 'weekday' END`,
)}`,
    macro('tariff_hours(date, clock)', `CASE${rules.join('')}\n  ELSE 'none' END`),
    macro('tariff_period(moment)', `tariff_hours(${local}::DATE, strftime(${local}, '%H:%M'))`),
  ];
}

/** Writes the periods of a day by clock times such as `06:00`. */
function periodSql({ peak = [], standard = [] }: TariffDay): string {
  const periods = Object.entries({ peak, standard }).flatMap(([period, spans]) => {
    const within = spans.map(span => `clock >= '${span.slice(0, 5)}' AND clock < '${span.slice(6)}'`);
    return within.length > 0 ? ` WHEN ${within.join(' OR ')} THEN '${period}'` : [];
  });
  return periods.length > 0 ? `CASE${periods.join('')} ELSE 'offPeak' END` : "'offPeak'";
}

const isAmong = (date: string, days: readonly number[]): string =>
  `list_contains([${days.map(day => `'${dateText(day)}'`).join(', ')}]::DATE[], ${date})`;

const dateText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
