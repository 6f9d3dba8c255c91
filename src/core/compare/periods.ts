import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../shared/durations.ts';
import { formatInstant } from '../time/instant.ts';
import { toZonedDateTime } from '../time/zoneOffsets.ts';
import { type Days, type ResolveContext, resolveRange, type Span } from '../range/resolveRange.ts';
import { parseRange } from '../range/parseRange.ts';
import { formatQuarter, formatWeek } from '../range/printRange.ts';

/** The calendar length of a period. */
export interface PeriodLength {
  readonly unit: 'years' | 'months' | 'days';
  readonly count: number;
}

/** Returns the length of a period in whole calendar years or months if possible, else in days. */
export function getPeriodLength({ first, until }: Days): PeriodLength {
  const months = first.until(until, { largestUnit: 'months' });
  if (first.day !== 1 || months.days !== 0 || months.months === 0)
    return { unit: 'days', count: first.until(until).days };
  return first.month === 1 && months.months % 12 === 0
    ? { unit: 'years', count: months.months / 12 }
    : { unit: 'months', count: months.months };
}

/** Returns the period directly before (-1) or after (1), with the same length. */
export function getAdjacentDays(days: Days, direction: -1 | 1, unit = getPeriodLength(days).unit): Days {
  const length = { [unit]: days.first.until(days.until, { largestUnit: unit })[unit] };
  return direction === 1
    ? { first: days.until, until: days.until.add(length) }
    : { first: days.first.subtract(length), until: days.first };
}

/**
 * Returns the whole days of a span in the time zone of the context; undefined if it does not begin and end at midnight. Because a span
 * consists of whole intervals, a midnight within its first or last interval counts too.
 */
export function findWholeDays(span: Span, context: ResolveContext): Days | undefined {
  const exactDays = findDateRange(span, context.timeZone, 1);
  const roundingMs = Math.min(context.intervalMs ?? 1000, dayMs);
  for (const days of [exactDays, findDateRange(span, context.timeZone, roundingMs)]) {
    if (days && isSameSpan(parseSpan(formatDays(days), context), span)) return days;
  }
  return undefined;
}

function findDateRange(span: Span, timeZone: string, roundingMs: number): Days | undefined {
  const getDate = (ms: number): Temporal.PlainDate => toZonedDateTime(ms, timeZone).toPlainDate();
  const days = { first: getDate(span.start + roundingMs - 1), until: getDate(span.end) };
  return Temporal.PlainDate.compare(days.first, days.until) < 0 ? days : undefined;
}

/** How to format days. 'quarter' and 'week' apply only to exactly one quarter or week. */
export type PeriodFormat = PeriodLength['unit'] | 'quarter' | 'week';

/** Formats the days as range text: "2023", "2023-05", "2023-Q2", "2023-W18", "2023-05-03..2023-05-09". */
export function formatDays(days: Days, format: PeriodFormat = getPeriodLength(days).unit): string {
  const { first, until } = days;
  if (format === 'quarter' && first.month % 3 === 1 && first.add({ months: 3 }).equals(until))
    return formatQuarter(first);
  if (format === 'week' && first.dayOfWeek === 1 && first.add({ days: 7 }).equals(until)) return formatWeek(first);
  const dateLength = { years: 4, months: 7, quarter: 7, days: 10, week: 10 }[format];
  const [from, to] = [first, until.subtract({ days: 1 })].map(date => date.toString().slice(0, dateLength));
  return from === to ? String(from) : `${from}..${to}`;
}

/** Formats instants as range text: "2023-05-01T04:00Z..2023-05-02T04:00Z". */
export function formatInstantRange({ start, end }: Span): string {
  const formatShort = (ms: number): string => formatInstant(ms).replace(/:00Z$/, 'Z');
  return `${formatShort(start)}..${formatShort(end)}`;
}

/** Resolves a range text; undefined for any other text. */
export function parseSpan(text: string, context: ResolveContext): Span | undefined {
  const spec = parseRange(text);
  const span = spec.ok ? resolveRange(spec.value, context) : undefined;
  return span?.ok ? span.value : undefined;
}

export function isSameSpan(a: Span | undefined, b: Span | undefined): boolean {
  return a?.start === b?.start && a?.end === b?.end;
}
