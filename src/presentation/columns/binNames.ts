import { t } from '@vscode/l10n';
import { formatShortZone } from '../../core/time/zone.ts';
import { isCycle, type BinSize, type ZonedBins, type Cycle, type Resampling } from '../../shared/resampling.ts';

/** The names of the bins and cycles, for menus. */
export function getBinNames(): Readonly<Record<BinSize | Cycle, string>> {
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

/** Describes bins and their zone: "Months of SAST (UTC+2)". */
export function describeBins({ size, label }: Pick<ZonedBins, 'size' | 'label'>): string {
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

/** Formats the title of a resampled result: the description of the bins replaces the requested interval. */
export function formatBinsTitle(
  { title, tools }: { readonly title: string; readonly tools: { readonly interval?: string | undefined } },
  { by, label }: Pick<Resampling, 'by' | 'label'>,
): string {
  const rows = isCycle(by) ? `${getBinNames()[by]} (${formatShortZone({ label })})` : describeBins({ size: by, label });
  return title
    .split(' · ')
    .map(part => (part === tools.interval ? rows : part))
    .join(' · ');
}
