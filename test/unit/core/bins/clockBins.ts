import { Temporal } from 'temporal-polyfill';
import { eskomTariffs, tariffPeriodAt, tariffPeriods } from '../../../../src/core/calendar/tariffPeriods.ts';
import type { Resampling } from '../../../../src/shared/resampling.ts';

export type By = Resampling['by'];
const periodAt = tariffPeriodAt(eskomTariffs);

const clocks = new Map<string, Temporal.PlainDateTime>();

/** Returns the local time by Temporal's calendar, which the tested code does not use for this. */
function clockAt(ms: number, timeZone: string): Temporal.PlainDateTime {
  const key = `${ms} ${timeZone}`;
  const known =
    clocks.get(key) ?? Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDateTime();
  clocks.set(key, known);
  return known;
}

/** Names a bin. */
export function binOf(ms: number, by: By, timeZone: string): string {
  const at = clockAt(ms, timeZone);
  const date = at.toPlainDate();
  switch (by) {
    case '3h':
      return `${date.toString()}T${Math.floor(at.hour / 3) * 3}`;
    case 'day':
      return date.toString();
    case 'week':
      return `${at.yearOfWeek}-W${at.weekOfYear}`;
    case 'month':
      return date.toPlainYearMonth().toString();
    case 'quarter':
      return `${at.year}-Q${Math.ceil(at.month / 3)}`;
    case 'year':
      return String(at.year);
    case 'hourOfDay':
      return String(at.hour);
    case 'weekday':
      return String(at.dayOfWeek - 1);
    case 'monthOfYear':
      return String(at.month - 1);
    case 'season':
      return String([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0][at.month - 1]);
    case 'tariffPeriod':
      return String(tariffPeriods.findIndex(period => period === periodAt(ms)));
  }
}
