import type { Cycle } from '../../shared/resampling.ts';
import type { Say } from './binSums.ts';

/** The bins of cycles that no calendar names, in their order, in English. */
export const cycleTexts = {
  season: ['Summer (Dec–Feb)', 'Autumn (Mar–May)', 'Winter (Jun–Aug)', 'Spring (Sep–Nov)'],
  tariffPeriod: ['Peak', 'Standard', 'Off-peak'],
} as const satisfies Partial<Record<Cycle, readonly string[]>>;

/** What a scorecard calls its row of all hours, in English. */
export const allHours = 'All hours';

/** The bins of a cycle in their order: "00:00" to "23:00", Monday, January, summer, peak first. `say` translates. */
export function cycleNames(cycle: Cycle, locale: string, say: Say): readonly string[] {
  const write = (options: Intl.DateTimeFormatOptions, dates: readonly number[]): string[] => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' });
    return dates.map(date => format.format(date));
  };
  switch (cycle) {
    case 'hourOfDay':
      return Array.from({ length: 24 }, (_, hour) => hourText(hour));
    case 'weekday':
      // 5 January 1970 is a Monday.
      return write(
        { weekday: 'long' },
        Array.from({ length: 7 }, (_, day) => Date.UTC(1970, 0, 5 + day)),
      );
    case 'monthOfYear':
      return write(
        { month: 'long' },
        Array.from({ length: 12 }, (_, month) => Date.UTC(1970, month)),
      );
    case 'season':
    case 'tariffPeriod':
      return cycleTexts[cycle].map(text => say(text));
  }
}

/** An hour of the day as a clock shows it: "06:00". */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
