import { t } from '@vscode/l10n';
import { parseDayZone } from '../../core/bins/dayInterval.ts';
import { createReceivedFormatter } from '../../shared/formatNumber.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import { displayLocale } from '../language.ts';

/** Formats a count with the locale's thousands separators. */
export function formatCount(value: number): string {
  return new Intl.NumberFormat(displayLocale()).format(value);
}

/** Formats a number of rows: "1 row", "1,744 rows". */
export function formatRows(value: number): string {
  return value === 1 ? t('1 row') : t('{0} rows', formatCount(value));
}

/** Formats a number of changed cells: "1 cell changed", "312 cells changed". */
export function formatChangedCells(value: number): string {
  return value === 1 ? t('1 cell changed') : t('{0} cells changed', formatCount(value));
}

export function formatRequests(value: number): string {
  return value === 1 ? t('1 request') : t('{0} requests', formatCount(value));
}

/** Formats a number of intervals: "744 hours", "31 days", "96 × 15m", or "96 rows" if the interval is empty because rows differ in length. */
export function formatIntervals(value: number, interval: string): string {
  if (interval === '') return formatRows(value);
  if (interval === '1h') return value === 1 ? t('1 hour') : t('{0} hours', formatCount(value));
  if (interval === '1d' || parseDayZone(interval)) return value === 1 ? t('1 day') : t('{0} days', formatCount(value));
  return `${formatCount(value)} × ${interval}`;
}

/** Returns the name of an interval: "hourly", "daily (UTC)" for the service's days, or "days of SAST". Returns any other interval unchanged. */
export function intervalName(interval: string): string {
  const zone = parseDayZone(interval);
  if (zone) return t('days of {0}', formatShortZone(zone));
  if (interval === '1h') return t('hourly');
  return interval === '1d' ? t('daily (UTC)') : interval;
}

/** Formats a duration, rounded up: "12 s", "2 min". */
export function formatDuration(ms: number): string {
  // The service's windows last slightly longer than a minute. Without the tolerance of 0.1 s, this would read as 61 s.
  const seconds = Math.max(1, Math.ceil(ms / 1000 - 0.1));
  return seconds <= 120 ? t('{0} s', seconds) : t('{0} min', Math.ceil(seconds / 60));
}

/** Formats a size on disk: "78 kB", "0.4 MB", "12 MB". Rounds kilobytes up. */
export function formatSize(bytes: number): string {
  if (bytes < 100_000) return t('{0} kB', formatCount(Math.ceil(bytes / 1_000)));
  const megabytes = bytes / 1_000_000;
  const digits = megabytes < 10 ? 1 : 0;
  const text = new Intl.NumberFormat(displayLocale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(megabytes);
  return t('{0} MB', text);
}

/** Formats a value with all digits that the service sent, and its unit if it has one: "28,412.5 MW", "0.72". */
export function formatMeasured(value: number, unit: string | undefined): string {
  const text = createReceivedFormatter(displayLocale())(value);
  return unit ? `${text} ${unit}` : text;
}
