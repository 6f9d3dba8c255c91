import { t } from '@vscode/l10n';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import { selectTimeParts, type TimeShape } from '../../shared/formatTime.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { createCountFormatter } from '../columns/numberColumnFormat.ts';

/** Describes the rows that the statistics are computed from. Instants and lengths are milliseconds. */
export interface StatisticsScope {
  /** The number of rows that pass the filters. */
  readonly rows: number;
  readonly allRows: number;
  readonly filterCount: number;
  /** From the start of the first visible row to the end of the last; undefined if unknown or if no row has an instant. */
  readonly span: readonly [start: number, end: number] | undefined;
  readonly intervalMs: number | undefined;
  /** The size of the bins that the rows are resampled to. */
  readonly binSize?: BinSize | undefined;
  /** How many rows have data for less than `minCoverage` (0 to 1) of their hours. Undefined if there are no such rows. */
  readonly fewHours: { readonly rows: number; readonly minCoverage: number } | undefined;
}

/** Formats the instants of one result. */
export interface TimeFormat {
  /** "SAST" for "SAST (UTC+2)". */
  readonly zoneName: string;
  readonly format: (instant: number) => string;
}

export function createTimeFormat(shape: TimeShape, locale: string, zone: DisplayZone): TimeFormat {
  return {
    zoneName: formatShortZone(zone),
    format: createTimeFormatter(locale, zone.timeZone, selectTimeParts(shape, zone.timeZone)),
  };
}

/** Formats the scope of the statistics, such as "Over 168 of 8,760 rows (2 filters) · 14 Nov 05:00 – 21 Nov 05:00 SAST" */
export function describeScope(scope: StatisticsScope, timeFormat: TimeFormat | undefined, locale: string): string {
  const formatCount = createCountFormatter(locale);
  const { rows, allRows } = scope;
  const rowsText =
    rows === 1 && allRows === 1
      ? describeOnlyRow(scope)
      : rows === allRows
        ? t('Over all {0} rows{1}', formatCount(rows), formatFilterCount(scope))
        : t('Over {0} of {1} rows{2}', formatCount(rows), formatCount(allRows), formatFilterCount(scope));
  return [rowsText, ...formatSpan(scope, timeFormat), ...describeFewHours(scope, formatCount)].join(' · ');
}

/** Describes the length of the only row, as in "Over 1 hour", if that length has a name. */
function describeOnlyRow(scope: StatisticsScope): string {
  const { intervalMs, binSize = intervalMs === hourMs ? 'hour' : intervalMs === dayMs ? 'day' : undefined } = scope;
  const filterText = formatFilterCount(scope);
  switch (binSize) {
    case 'hour':
      return t('Over 1 hour{0}', filterText);
    case 'day':
      return t('Over 1 day{0}', filterText);
    case 'week':
      return t('Over 1 week{0}', filterText);
    case 'month':
      return t('Over 1 month{0}', filterText);
    case 'quarter':
      return t('Over 1 quarter{0}', filterText);
    case 'year':
      return t('Over 1 year{0}', filterText);
    default:
      return t('Over 1 row{0}', filterText);
  }
}

function describeFewHours({ fewHours }: StatisticsScope, formatCount: (count: number) => string): string[] {
  if (!fewHours) return [];
  const share = String(Math.round(fewHours.minCoverage * 100));
  return [
    fewHours.rows === 1
      ? t('1 row has data for less than {0} % of its hours', share)
      : t('{0} rows have data for less than {1} % of their hours', formatCount(fewHours.rows), share),
  ];
}

/** Formats the scope of a column, such as "Over 167 rows with a value of 168 shown (2 filters) · 14 Nov 05:00 – 21 Nov 05:00 SAST" */
export function describeColumnScope(
  scope: StatisticsScope,
  count: number,
  timeFormat: TimeFormat | undefined,
  locale: string,
): string {
  const formatCount = createCountFormatter(locale);
  if (count === 1 && scope.allRows === 1) return [describeOnlyRow(scope), ...formatSpan(scope, timeFormat)].join(' · ');
  const rowsText = t(
    'Over {0} rows with a value of {1} shown{2}',
    formatCount(count),
    formatCount(scope.rows),
    formatFilterCount(scope),
  );
  return [rowsText, ...formatSpan(scope, timeFormat)].join(' · ');
}

function formatFilterCount({ filterCount }: StatisticsScope): string {
  if (filterCount === 0) return '';
  return ` (${filterCount === 1 ? t('1 filter') : t('{0} filters', filterCount)})`;
}

function formatSpan({ span }: StatisticsScope, timeFormat: TimeFormat | undefined): string[] {
  if (!span || !timeFormat) return [];
  const texts = new Set(span.map(instant => timeFormat.format(instant)));
  return [`${[...texts].join(' – ')} ${timeFormat.zoneName}`];
}
