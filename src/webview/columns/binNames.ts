import { t } from '@vscode/l10n';
import { shortZone } from '../../core/time/zone.ts';
import { isCycle, type BinSize, type BinsOfZone, type Cycle, type Resampling } from '../../shared/resampling.ts';

/** What the ways to resample are called, in a menu. */
export function binNames(): Readonly<Record<BinSize | Cycle, string>> {
  return {
    '3h': t('Three Hours'),
    day: t('Days'),
    week: t('Weeks'),
    month: t('Months'),
    quarter: t('Quarters'),
    year: t('Years'),
    hourOfDay: t('Hours of the Day'),
    weekday: t('Weekdays'),
    monthOfYear: t('Months of the Year'),
    season: t('Seasons'),
    tariffPeriod: t('Tariff Periods'),
  };
}

/** "Months of SAST (UTC+2)": what the rows are, and by which clocks. */
export function binsText({ size, label }: Pick<BinsOfZone, 'size' | 'label'>): string {
  const texts: Readonly<Record<BinSize, string>> = {
    '3h': t('Three hours by the clocks of {0}', label),
    day: t('Days of {0}', label),
    week: t('Weeks of {0}, from Monday', label),
    month: t('Months of {0}', label),
    quarter: t('Quarters of {0}', label),
    year: t('Years of {0}', label),
  };
  return texts[size];
}

/** The title of rows that are made of others: those are not of the interval that was asked for, which it mostly names. */
export function titleOfBins(
  { title, tools }: { readonly title: string; readonly tools: { readonly interval?: string | undefined } },
  { by, label }: Pick<Resampling, 'by' | 'label'>,
): string {
  const rows = isCycle(by) ? `${binNames()[by]} (${shortZone({ label })})` : binsText({ size: by, label });
  return title
    .split(' · ')
    .map(part => (part === tools.interval ? rows : part))
    .join(' · ');
}

/** The bins of a cycle in their order: "00:00" to "23:00", Monday, January, summer, peak first. */
export function cycleNames(cycle: Cycle, locale: string): readonly string[] {
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
      return [t('Summer (Dec–Feb)'), t('Autumn (Mar–May)'), t('Winter (Jun–Aug)'), t('Spring (Sep–Nov)')];
    case 'tariffPeriod':
      return [t('Peak'), t('Standard'), t('Off-peak')];
  }
}

/** An hour of the day as a clock shows it: "06:00". */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
