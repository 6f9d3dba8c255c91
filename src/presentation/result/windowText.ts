import { t } from '@vscode/l10n';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import type { DisplayZone } from '../../shared/protocol.ts';

/** Formats the visible window, such as "Chart and table show 14 Nov 05:00 to 14 Nov 20:00 UTC" */
export function formatChartWindow({ start, end }: TimeRange, zone: DisplayZone, locale: string): string {
  const formatTime = createTimeFormatter(locale, zone.timeZone, { time: true });
  return t('Chart and table show {0} to {1} {2}', formatTime(start), formatTime(end), formatShortZone(zone));
}
