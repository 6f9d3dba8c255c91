import { t } from '@vscode/l10n';
import { zoneOfDays } from '../../core/bins/dayInterval.ts';
import { receivedFormatter } from '../../shared/formatNumber.ts';
import { shortZone } from '../../core/time/zone.ts';
import { displayLocale } from '../language.ts';

/** Formats a count with the locale's thousands separators. */
export function count(value: number): string {
  return new Intl.NumberFormat(displayLocale()).format(value);
}

/** Formats a number of rows: "1 row", "1,744 rows". */
export function rows(value: number): string {
  return value === 1 ? t('1 row') : t('{0} rows', count(value));
}

/** Formats a number of changed cells: "1 cell changed", "312 cells changed". */
export function changedCells(value: number): string {
  return value === 1 ? t('1 cell changed') : t('{0} cells changed', count(value));
}

export function requests(value: number): string {
  return value === 1 ? t('1 request') : t('{0} requests', count(value));
}

/** Formats a number of intervals: "744 hours", "31 days", "96 × 15m", or "96 rows" if they differ in length. */
export function steps(value: number, interval: string): string {
  if (interval === '') return rows(value);
  if (interval === '1h') return value === 1 ? t('1 hour') : t('{0} hours', count(value));
  if (interval === '1d' || zoneOfDays(interval)) return value === 1 ? t('1 day') : t('{0} days', count(value));
  return `${count(value)} × ${interval}`;
}

/** Returns the name of an interval: "hourly", or "daily (UTC)" with the zone of the days. Others stay as they are. */
export function intervalName(interval: string): string {
  const zone = zoneOfDays(interval);
  if (zone) return t('days of {0}', shortZone(zone));
  if (interval === '1h') return t('hourly');
  return interval === '1d' ? t('daily (UTC)') : interval;
}

/** Formats a duration, rounded up: "12 s", "2 min". */
export function duration(ms: number): string {
  // Rate limit windows last slightly longer than documented; without the tolerance, a minute would show as 61 s.
  const seconds = Math.max(1, Math.ceil(ms / 1000 - 0.1));
  return seconds <= 120 ? t('{0} s', seconds) : t('{0} min', Math.ceil(seconds / 60));
}

/** Formats a size on disk: "78 kB", "0.4 MB", "12 MB". */
export function megabytes(bytes: number): string {
  if (bytes < 100_000) return t('{0} kB', count(Math.ceil(bytes / 1_000)));
  const megabyte = bytes / 1_000_000;
  const digits = megabyte < 10 ? 1 : 0;
  const shown = new Intl.NumberFormat(displayLocale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(megabyte);
  return t('{0} MB', shown);
}

/** Formats a value with its unit, if any, and with the digits of the response: "28,412.5 MW", "0.72". */
export function measured(value: number, unit: string | undefined): string {
  const shown = receivedFormatter(displayLocale())(value);
  return unit ? `${shown} ${unit}` : shown;
}
