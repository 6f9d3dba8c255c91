import type { Cycle } from '../../shared/resampling.ts';
import type { Translate } from './binSums.ts';

/** Names in English of the bins of cycles that Intl cannot format, in order. */
export const cycleBinNames = {
  season: ['Summer (Dec–Feb)', 'Autumn (Mar–May)', 'Winter (Jun–Aug)', 'Spring (Sep–Nov)'],
  tariffPeriod: ['Peak', 'Standard', 'Off-peak'],
} as const satisfies Partial<Record<Cycle, readonly string[]>>;

/** The name of a scorecard's row for all hours, in English. */
export const allHoursName = 'All hours';

/** Returns the names of a cycle's bins in order: "00:00" to "23:00", Monday, January, summer or peak first. */
export function getCycleNames(cycle: Cycle, locale: string, translate: Translate): readonly string[] {
  const formatDates = (options: Intl.DateTimeFormatOptions, dates: readonly number[]): string[] => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' });
    return dates.map(date => format.format(date));
  };
  switch (cycle) {
    case 'hourOfDay':
      return Array.from({ length: 24 }, (_, hour) => formatHour(hour));
    case 'weekday':
      // 5 January 1970 is a Monday.
      return formatDates(
        { weekday: 'long' },
        Array.from({ length: 7 }, (_, day) => Date.UTC(1970, 0, 5 + day)),
      );
    case 'monthOfYear':
      return formatDates(
        { month: 'long' },
        Array.from({ length: 12 }, (_, month) => Date.UTC(1970, month)),
      );
    case 'season':
    case 'tariffPeriod':
      return cycleBinNames[cycle].map(text => translate(text));
  }
}

/** Formats an hour of the day as a clock shows it: "06:00". */
export function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
