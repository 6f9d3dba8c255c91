import { t } from '@vscode/l10n';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import { shortZone } from '../../core/time/zone.ts';
import { selectTimeParts, type TimeShape } from '../../shared/formatTime.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { countFormatter } from '../columns/numberTexts.ts';

/** Describes the rows that the statistics are computed from. Instants and lengths are milliseconds. */
export interface StatisticsScope {
  /** The number of rows that pass the filters. */
  readonly rows: number;
  readonly allRows: number;
  readonly filterCount: number;
  /** From the start of the first visible row to the end of the last; undefined if unknown or if no row has an instant. */
  readonly span: readonly [start: number, end: number] | undefined;
  readonly step: number | undefined;
  /** The size of the bins that the rows are resampled to. */
  readonly size?: BinSize | undefined;
  /** How many rows have data for less than `minCoverage` (0 to 1) of their hours; undefined if none. */
  readonly few: { readonly rows: number; readonly least: number } | undefined;
}

/** Formats the instants of one result. */
export interface Times {
  /** "SAST" for "SAST (UTC+2)". */
  readonly zoneName: string;
  readonly write: (instant: number) => string;
}

export function timesOf(shape: TimeShape, locale: string, zone: DisplayZone): Times {
  return {
    zoneName: shortZone(zone),
    write: timeFormatter(locale, zone.timeZone, selectTimeParts(shape, zone.timeZone)),
  };
}

/** "Over 168 of 8,760 rows (2 filters) · 14 Nov 05:00 – 21 Nov 05:00 SAST" */
export function scopeOfAll(scope: StatisticsScope, times: Times | undefined, locale: string): string {
  const write = countFormatter(locale);
  const { rows, allRows } = scope;
  const over =
    rows === 1 && allRows === 1
      ? overOne(scope)
      : rows === allRows
        ? t('Over all {0} rows{1}', write(rows), filters(scope))
        : t('Over {0} of {1} rows{2}', write(rows), write(allRows), filters(scope));
  return [over, ...spanText(scope, times), ...fewText(scope, write)].join(' · ');
}

/** Names the length of the only row where it has a name, as in "Over 1 hour". */
function overOne(scope: StatisticsScope): string {
  const { step, size = step === hourMs ? 'hour' : step === dayMs ? 'day' : undefined } = scope;
  const filtered = filters(scope);
  switch (size) {
    case 'hour':
      return t('Over 1 hour{0}', filtered);
    case 'day':
      return t('Over 1 day{0}', filtered);
    case 'week':
      return t('Over 1 week{0}', filtered);
    case 'month':
      return t('Over 1 month{0}', filtered);
    case 'quarter':
      return t('Over 1 quarter{0}', filtered);
    case 'year':
      return t('Over 1 year{0}', filtered);
    default:
      return t('Over 1 row{0}', filtered);
  }
}

function fewText({ few }: StatisticsScope, write: (count: number) => string): string[] {
  if (!few) return [];
  const share = String(Math.round(few.least * 100));
  return [
    few.rows === 1
      ? t('1 row has data for less than {0} % of its hours', share)
      : t('{0} rows have data for less than {1} % of their hours', write(few.rows), share),
  ];
}

/** "Over 167 rows with a value of 168 shown (2 filters) · 14 Nov 05:00 – 21 Nov 05:00 SAST" */
export function scopeOfColumn(scope: StatisticsScope, count: number, times: Times | undefined, locale: string): string {
  const write = countFormatter(locale);
  if (count === 1 && scope.allRows === 1) return [overOne(scope), ...spanText(scope, times)].join(' · ');
  const over = t('Over {0} rows with a value of {1} shown{2}', write(count), write(scope.rows), filters(scope));
  return [over, ...spanText(scope, times)].join(' · ');
}

function filters({ filterCount }: StatisticsScope): string {
  if (filterCount === 0) return '';
  return ` (${filterCount === 1 ? t('1 filter') : t('{0} filters', filterCount)})`;
}

function spanText({ span }: StatisticsScope, times: Times | undefined): string[] {
  if (!span || !times) return [];
  const texts = new Set(span.map(instant => times.write(instant)));
  return [`${[...texts].join(' – ')} ${times.zoneName}`];
}
