import { t } from '@vscode/l10n';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { getRequestedInterval, getRequestedSpan, countIntervals, type ResolvedQuery } from '../../core/query/query.ts';
import { parseRange } from '../../core/range/parseRange.ts';
import { toAfrikaansRange } from '../../core/range/printRange.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { hourMs } from '../../shared/durations.ts';
import { displayLocale } from '../language.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { selectTimeParts, type TimeParts, type TimeShape } from '../../shared/formatTime.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { formatShortZone, utc } from '../../core/time/zone.ts';
import { formatIntervals } from './numbers.ts';

/** Formats a range of time: `14 Nov 05:00 – 21 Nov 05:00 UTC`. Omits the year if both ends are in the year of `now`. */
export function formatSpan(span: Span, zone: DisplayZone, now?: number): string {
  const yearFormat = new Intl.DateTimeFormat('en-US', {
    timeZone: zone.timeZone,
    year: 'numeric',
    calendar: 'gregory',
  });
  const hasYear =
    now === undefined || [span.start, span.end - 1].some(ms => yearFormat.format(ms) !== yearFormat.format(now));
  const formatInstant = createFormatter(zone, hasYear);
  return `${formatInstant(span.start)} – ${formatInstant(span.end)} ${zone.label}`;
}

/** Formats a range of time with its year: `3–9 May 2026 UTC` for whole days of the zone, otherwise with times. */
export function formatPeriod(span: Span, zone: DisplayZone): string {
  const days = formatDays(span, zone, true);
  return days === undefined ? formatSpan(span, zone) : `${days} ${zone.label}`;
}

/** Formats whole days of the zone: `3–9 May`. Returns undefined if the span does not consist of whole days. */
function formatDays(span: Span, { timeZone }: DisplayZone, hasYear: boolean): string | undefined {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if ([span.start, span.end].some(ms => clock.format(ms) !== '00:00')) return undefined;
  const locale = displayLocale();
  // All English dates in the UI have the day first and months of three letters.
  const isEnglish = locale.split('-')[0] === 'en';
  const days = new Intl.DateTimeFormat(isEnglish ? 'en-GB' : locale, {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    day: 'numeric',
    month: 'short',
    ...(hasYear && { year: 'numeric' }),
  });
  const text = days.formatRange(span.start, span.end - 1);
  return isEnglish ? text.replaceAll('Sept', 'Sep').replace(/^(\d\d?)\s*–\s*(?=\d)/, '$1–') : text;
}

/** The two texts that explain a range. */
export interface RangeMeaning {
  /** `30 days to now` for a rolling range, or `1–31 Oct` for whole days, with the zone if it is not UTC. Undefined for other ranges. */
  readonly kind: string | undefined;
  /** `1 Oct 00:00 – 1 Nov 00:00 UTC · 744 hours`, without the number of intervals if `kind` has the same text. */
  readonly exact: string;
}

export function describeRange(query: ResolvedQuery, displayZone: DisplayZone, now: number): RangeMeaning {
  const span = getRequestedSpan(query);
  const isDaily = query.interval === '1d';
  const zone = getZoneOfRows(getRequestedInterval(query), displayZone);
  const hours = (span.end - span.start) / hourMs;
  const length = hours % 24 === 0 && hours > 24 ? formatIntervals(hours / 24, '1d') : formatIntervals(hours, '1h');
  // A range of whole days does not end now.
  const isRolling = !query.days && !isDaily && reachesToNow(query.range);
  const count = countIntervals(query);
  const countText = count === undefined ? '' : formatIntervals(count, getRequestedInterval(query));
  const exact = [formatSpan(span, utc, now), isRolling && countText === length ? '' : countText]
    .filter(Boolean)
    .join(' · ');
  if (isRolling) return { kind: t('{0} to now', length), exact };
  return { kind: formatShortDays(span, zone, now), exact };
}

function formatShortDays(span: Span, zone: DisplayZone, now: number): string | undefined {
  const days = formatDays(span, zone, formatSpan(span, zone, now) === formatSpan(span, zone));
  return days === undefined || zone.timeZone === utc.timeZone ? days : `${days} ${formatShortZone(zone)}`;
}

/** Whether the range ends with the last full interval before now. */
export function reachesToNow(range: string): boolean {
  const spec = parseRange(range);
  if (!spec.ok || spec.value.kind === 'previous') return false;
  return spec.value.kind !== 'between' || spec.value.to.kind === 'now';
}

/** Translates a range into the user's language: “last 7 days” to “laaste 7 dae”. Returns other texts unchanged. */
export function translateRange(range: string): string {
  return /^af\b/.test(displayLocale()) && parseRange(range).ok ? toAfrikaansRange(range) : range;
}

/** Formats a range between two instants with dates. Translates any other range. */
export function formatRange(range: string, zone: DisplayZone, now?: number): string {
  const spec = parseRange(range);
  if (!spec.ok || spec.value.kind !== 'between') return translateRange(range);
  const { from, to } = spec.value;
  if (from.kind !== 'instant' || to.kind !== 'instant') return translateRange(range);
  return formatSpan({ start: from.ms, end: to.ms }, zone, now);
}

/** Formats an instant: `14 Nov 2026 05:00 UTC`. */
export function formatZonedInstant(ms: number, zone: DisplayZone): string {
  return createInstantFormatter(zone)(ms);
}

/** Creates a formatter for many instants, since creating one takes longer than using it. */
export function createInstantFormatter(zone: DisplayZone): (ms: number) => string {
  const formatInstant = createFormatter(zone, true);
  return ms => `${formatInstant(ms)} ${zone.label}`;
}

/** Formats the start of a row, `3 May 02:00`. Whether it has the year and the time depends on `shape`. */
export function formatRowTime(ms: number, zone: DisplayZone, shape: TimeShape): string {
  return createPartsFormatter(zone, selectTimeParts(shape, zone.timeZone))(ms);
}

/** Formats an instant: `09:41 UTC` on the day of `now`, `14 Nov 09:41 UTC` in the year of `now`, otherwise with the year. */
export function formatShortInstant(ms: number, zone: DisplayZone, now: number): string {
  const isSame = (parts: Intl.DateTimeFormatOptions): boolean => {
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone.timeZone, calendar: 'gregory', ...parts });
    return formatter.format(ms) === formatter.format(now);
  };
  if (!isSame({ year: 'numeric' })) return formatZonedInstant(ms, zone);
  const text = createFormatter(zone, false)(ms);
  const isToday = isSame({ month: 'numeric', day: 'numeric' });
  return `${isToday ? text.slice(text.search(/\d\d:/)) : text} ${zone.label}`;
}

function createFormatter(zone: DisplayZone, hasYear: boolean): (instant: number) => string {
  return createPartsFormatter(zone, { year: hasYear, time: true });
}

function createPartsFormatter(zone: DisplayZone, parts: TimeParts): (instant: number) => string {
  const formatTime = createTimeFormatter(displayLocale(), zone.timeZone, parts);
  // Removes the leading zero of the day, which only table columns need.
  return instant => formatTime(instant).replace(/^0(?=\d )/, '');
}
