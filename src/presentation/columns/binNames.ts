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
