import { dayMs } from '../../shared/durations.ts';
import { isPublicHoliday } from '../calendar/holidays.ts';
import { eskomTariffs, getPlainDayName, getTariffDay } from '../calendar/tariffPeriods.ts';
import type { TariffConditionName } from '../formula/formula.ts';
import type { FilterContext, FilterConditions } from '../filter/filterTypes.ts';
import { tariffDays, type Tariff, type TariffDay } from '../../shared/resampling.ts';
import { cleanComment } from './quote.ts';

const formatLocalTime = (instant: string): string => `timezone('Africa/Johannesburg', ${instant})`;
const localTimestamp = formatLocalTime('instant');
const createMacro = (head: string, body: string): string => `CREATE OR REPLACE TEMP MACRO ${head} AS ${body}`;

/** DuckDB macros that compute what SQL cannot: whether an instant is on a public holiday, and its tariff period. */
export type CalendarMacro = 'is_public_holiday' | 'tariff_period';

/** Lists the macros that a filter needs. */
export function listCalendarMacros({ conditions }: FilterConditions): CalendarMacro[] {
  return conditions.flatMap(({ cells }) => {
    if (cells.kind === 'filter') return listCalendarMacros(cells);
    const parts = cells.kind === 'calendar' ? cells.parts : [];
    return parts.flatMap(({ kind }) =>
      kind === 'holiday' ? 'is_public_holiday' : kind === 'period' ? 'tariff_period' : [],
    );
  });
}

/** A filter's context with the range of the rows, in UTC milliseconds. */
export interface RangeFilterContext extends Omit<FilterContext, 'tariffs'> {
  readonly tariffs?: readonly Tariff[];
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the statements that create a macro. It computes tariff periods by rules. Public holidays are a list of dates: those in the years of
 * the range, and in one year before and after it, because bins can extend beyond the range and relative ranges move.
 */
export function formatCalendarMacro(
  name: CalendarMacro,
  { start, end, tariffs = eskomTariffs }: RangeFilterContext,
): string[] {
  const from = new Date(start).getUTCFullYear() - 1;
  const to = new Date(end).getUTCFullYear() + 1;
  const first = Date.UTC(from, 0) / dayMs;
  const days = Array.from({ length: Date.UTC(to + 1, 0) / dayMs - first }, (_, index) => first + index);
  // A program that runs after the listed years stops with an error, because it would treat holidays as working days.
  const expiryCheck = `\n  WHEN date > '${to}-12-31' THEN error('Holidays are listed through ${to}. Generate this query again.')`;
  if (name === 'is_public_holiday') {
    const holidays = days.filter(day => isPublicHoliday(day * dayMs));
    return [
      `-- Public holidays of South Africa, ${from} to ${to}.
${createMacro('is_holiday(date)', `CASE${expiryCheck} ELSE ${formatMembership('date', holidays)} END`)}`,
      createMacro('is_public_holiday(instant)', `is_holiday(${localTimestamp}::DATE)`),
    ];
  }
  const specialDays = tariffDays.flatMap(name => {
    const dates = days.filter(
      day => getTariffDay(tariffs, day).name === name && getPlainDayName(new Date(day * dayMs)) !== name,
    );
    return dates.length > 0 ? `\n  WHEN ${formatMembership('date', dates)} THEN '${name}'` : [];
  });
  const rules = tariffs.toReversed().map(({ from, source, highDemand, lowDemand }) => {
    const hours = [highDemand, lowDemand].flatMap((season, index) =>
      tariffDays.map(day => `\n    WHEN '${index === 0 ? 'high' : 'low'} ${day}' THEN ${formatPeriods(season[day])}`),
    );
    return `\n  -- ${cleanComment(source)}\n  WHEN tariff_date >= '${from}' THEN CASE tariff_season(date) || ' ' || tariff_day(date)${hours.join('')} END`;
  });
  return [
    createMacro('tariff_season(date)', "CASE WHEN month(date) BETWEEN 6 AND 8 THEN 'high' ELSE 'low' END"),
    `-- Public holidays of South Africa and other days with different tariff hours, ${from} to ${to}.
${createMacro(
  'tariff_day(date)',
  `CASE${expiryCheck}${specialDays.join('')}
  WHEN isodow(date) = 7 THEN 'sunday' WHEN isodow(date) = 6 THEN 'saturday' ELSE 'weekday' END`,
)}`,
    createMacro('tariff_hours(tariff_date, date, clock)', `CASE${rules.join('')}\n  ELSE 'none' END`),
    createMacro('tariff_period(instant)', formatTariffHours(`${localTimestamp}::DATE`, 'instant')),
  ];
}

const formatTariffHours = (tariffDate: string, instant: string): string =>
  `tariff_hours(${tariffDate}, ${formatLocalTime(instant)}::DATE, strftime(${formatLocalTime(instant)}, '%H:%M'))`;

/** Formats a formula's condition on the tariff of an instant: 1, 0, or NULL if it is unknown. It needs the macro `tariff_period`. */
export function formatTariffCondition(
  { name, year }: { readonly name: TariffConditionName; readonly year: number | undefined },
  instant: string,
): string {
  const period = year === undefined ? `tariff_period(${instant})` : formatTariffHours(`DATE '${year}-04-01'`, instant);
  const condition =
    name === 'highdemand'
      ? `tariff_season(${formatLocalTime(instant)}::DATE) = 'high'`
      : `lower(${period}) = '${name}'`;
  return `(CASE WHEN ${instant} IS NOT NULL AND ${period} <> 'none' THEN (${condition})::INT END)`;
}

/** Formats a CASE expression that returns the period of a clock time such as `06:00`. */
function formatPeriods({ peak = [], standard = [] }: TariffDay): string {
  const periods = Object.entries({ peak, standard }).flatMap(([period, spans]) => {
    const conditions = spans.map(span => `clock >= '${span.slice(0, 5)}' AND clock < '${span.slice(6)}'`);
    return conditions.length > 0 ? ` WHEN ${conditions.join(' OR ')} THEN '${period}'` : [];
  });
  return periods.length > 0 ? `CASE${periods.join('')} ELSE 'offPeak' END` : "'offPeak'";
}

const formatMembership = (date: string, days: readonly number[]): string =>
  `list_contains([${days.map(day => `'${formatDate(day)}'`).join(', ')}]::DATE[], ${date})`;

const formatDate = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
