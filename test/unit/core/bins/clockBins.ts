import { Temporal } from 'temporal-polyfill';
import { eskomTariffs, createTariffPeriodFinder, tariffPeriods } from '../../../../src/core/calendar/tariffPeriods.ts';
import type { Resampling } from '../../../../src/shared/resampling.ts';

export type By = Resampling['by'];
const periodAt = createTariffPeriodFinder(eskomTariffs);

const clocks = new Map<string, Temporal.PlainDateTime>();

/** Returns the local time by Temporal's calendar, which the tested code does not use for this. */
function getClock(ms: number, timeZone: string): Temporal.PlainDateTime {
  const key = `${ms} ${timeZone}`;
  const cached =
    clocks.get(key) ?? Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDateTime();
  clocks.set(key, cached);
  return cached;
}

/** Returns the name of the bin that contains an instant. */
export function getBinName(ms: number, bins: By, timeZone: string): string {
  const clock = getClock(ms, timeZone);
  const date = clock.toPlainDate();
  switch (bins) {
    case '3h':
      return `${date.toString()}T${Math.floor(clock.hour / 3) * 3}`;
    case 'day':
      return date.toString();
    case 'week':
      return `${clock.yearOfWeek}-W${clock.weekOfYear}`;
    case 'month':
      return date.toPlainYearMonth().toString();
    case 'quarter':
      return `${clock.year}-Q${Math.ceil(clock.month / 3)}`;
    case 'year':
      return String(clock.year);
    case 'hourOfDay':
      return String(clock.hour);
    case 'weekday':
      return String(clock.dayOfWeek - 1);
    case 'monthOfYear':
      return String(clock.month - 1);
    case 'season':
      return String([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0][clock.month - 1]);
    case 'tariffPeriod':
      return String(tariffPeriods.findIndex(period => period === periodAt(ms)));
  }
}
