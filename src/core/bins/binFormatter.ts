import { clampInstant, type TimeParts } from '../../shared/formatTime.ts';
import type { ZonedBins } from '../../shared/resampling.ts';
import { createTimeFormatter } from '../time/timeFormatter.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/**
 * Creates a formatter for the names of bins: `May 2023`, `Q2 2023`, `2023`. Days and weeks are named by their first date, bins of three
 * hours by their start time. `parts` selects the parts of dates and times.
 */
export function createBinFormatter(
  locale: string,
  { size, timeZone }: Pick<ZonedBins, 'size' | 'timeZone'>,
  parts: TimeParts,
): (instant: number) => string {
  if (size === '3h') return createTimeFormatter(locale, timeZone, parts);
  if (size === 'day' || size === 'week') return createTimeFormatter(locale, timeZone, { ...parts, time: false });
  const offsets = new ZoneOffsets(timeZone);
  const toLocalDate = (instant: number): Date => new Date(instant + offsets.at(instant));
  const monthFormat = new Intl.DateTimeFormat(locale.split('-')[0] === 'en' ? 'en-US' : locale, {
    ...({ timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const),
    ...({ month: 'short', year: 'numeric' } as const),
  });
  const format = {
    month: (date: Date) => monthFormat.format(date),
    quarter: (date: Date) => `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`,
    year: (date: Date) => String(date.getUTCFullYear()),
  }[size];
  return instant => (clampInstant(instant) === instant ? format(toLocalDate(instant)) : String(instant));
}
