import { Temporal } from 'temporal-polyfill';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** How often a report is written: daily, weekly on a weekday, or monthly. */
export const reportPeriods = ['day', ...weekdays, 'month'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

/**
 * Returns the first date of the current period in a time zone, such as `2026-11-23`: today, the latest such weekday (today included), or the
 * first of the month. `now` is in UTC milliseconds; `timeZone` is an IANA name.
 */
export function getPeriodDate(period: ReportPeriod, now: number, timeZone: string): string {
  // Dates are counted without times, so that a day of 23 or 25 hours counts like any other.
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  if (period === 'day') return today.toString();
  if (period === 'month') return today.with({ day: 1 }).toString();
  const weekday = weekdays.indexOf(period) + 1;
  return today.subtract({ days: (today.dayOfWeek - weekday + 7) % 7 }).toString();
}
