import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../shared/durations.ts';
import {
  findWholeDays,
  formatDays,
  formatInstantRange,
  getAdjacentDays,
  parseSpan,
  type PeriodLength,
  type PeriodFormat,
} from '../compare/periods.ts';
import {
  type Days,
  getDaysOfPoint,
  orderEnds,
  getPeriodDays,
  type ResolveContext,
  resolveRange,
  type Span,
} from './resolveRange.ts';
import { toZonedDateTime } from '../time/zoneOffsets.ts';
import { parseRange } from './parseRange.ts';
import type { CalendarPeriod, Point, RangeSpec } from './rangeSpec.ts';

/**
 * Returns the text of the range directly before (-1) or after (1). Years, months, weeks and days move by the calendar, in the unit in which
 * they are written: from "2023-05" to "2023-06", from "yesterday" to the day before, from "month to date" to the whole month before. All
 * others ("last 7 days", instants, an open end) move by their length and become instants, so that moving back and forth returns to the same
 * range; only a period "to date" becomes a whole one. Returns undefined for an invalid range, and if no data can be published yet (the
 * period has not begun, or the first interval is not over).
 */
export function stepRange(text: string, direction: -1 | 1, context: ResolveContext): string | undefined {
  const spec = parseRange(text);
  if (!spec.ok) return undefined;
  const days = getDaysOfSpec(spec.value, toZonedDateTime(context.now, context.timeZone).toPlainDate());
  if (days) return moveByDays(days, getFormat(spec.value), direction, context);

  const span = resolveRange(spec.value, context);
  if (!span.ok) return undefined;
  const { start, end } = span.value;
  const whole = context.wholeDays && findWholeDays(span.value, context);
  if (whole) return moveByDays(whole, 'days', direction, context);
  const length = end - start;
  const next = direction === 1 ? { start: end, end: end + length } : { start: start - length, end: start };
  if (next.start + Math.min(context.intervalMs ?? 1000, length) > context.now) return undefined;
  return getTextIfValid(formatInstantRange(next), context);
}

/** The distance by which a range moves: calendar years, months or days, or milliseconds if it doesn't consist of whole days. */
interface Stride {
  readonly unit: PeriodLength['unit'] | 'milliseconds';
  readonly count: number;
}

/** Returns the distance by which `stepRange` moves a range, or undefined for an invalid range. */
export function getStride(text: string, context: ResolveContext): Stride | undefined {
  const spec = parseRange(text);
  if (!spec.ok) return undefined;
  const days = getDaysOfSpec(spec.value, toZonedDateTime(context.now, context.timeZone).toPlainDate());
  if (days) {
    const unit = getUnit(getFormat(spec.value));
    return { unit, count: days.first.until(days.until, { largestUnit: unit })[unit] };
  }
  const span = resolveRange(spec.value, context);
  const whole = context.wholeDays && span.ok && findWholeDays(span.value, context);
  if (whole) return { unit: 'days', count: whole.first.until(whole.until).days };
  return span.ok ? { unit: 'milliseconds', count: span.value.end - span.value.start } : undefined;
}

/**
 * Returns the text of a range moved by a stride. Returns undefined for an invalid range, if the calendar has no such range (a month after
 * 31 January), and if the moved range has not begun.
 */
export function moveRange(
  text: string,
  stride: Stride,
  direction: -1 | 1,
  context: ResolveContext,
): string | undefined {
  const spec = parseRange(text);
  if (!spec.ok) return undefined;
  const { unit, count } =
    stride.unit === 'milliseconds' && stride.count % dayMs === 0
      ? { unit: 'days' as const, count: stride.count / dayMs }
      : stride;
  const offset = { [unit]: direction * count };
  const days = getDaysOfSpec(spec.value, toZonedDateTime(context.now, context.timeZone).toPlainDate());
  const span = resolveRange(spec.value, context);
  if (!span.ok) return undefined;
  const moved =
    days && unit !== 'milliseconds'
      ? moveDays(days, offset, getFormat(spec.value))
      : moveInstants(span.value, offset, context.timeZone);
  const movedSpan = moved === undefined ? undefined : parseSpan(moved, context);
  return movedSpan && movedSpan.start < context.now ? moved : undefined;
}

function moveDays(days: Days, offset: Temporal.DurationLike, form: PeriodFormat): string | undefined {
  const moved = { first: days.first.add(offset), until: days.until.add(offset) };
  if (!moved.first.subtract(offset).equals(days.first) || !moved.until.subtract(offset).equals(days.until))
    return undefined;
  const formatted = formatDays(moved, form);
  // A month that moved by days isn't a whole month anymore, and is written as days.
  return isTextOfDays(formatted, moved) ? formatted : formatDays(moved);
}

function isTextOfDays(text: string, { first, until }: Days): boolean {
  const spec = parseRange(text);
  const days = spec.ok ? getDaysOfSpec(spec.value, first) : undefined;
  return days !== undefined && days.first.equals(first) && days.until.equals(until);
}

function moveInstants({ start, end }: Span, offset: Temporal.DurationLike, timeZone: string): string | undefined {
  const [from, to] = [start, end].map(ms => {
    const dateTime = toZonedDateTime(ms, timeZone);
    const moved = dateTime.add(offset);
    return moved.subtract(offset).toPlainDate().equals(dateTime.toPlainDate()) ? moved.epochMilliseconds : undefined;
  });
  return from === undefined || to === undefined ? undefined : formatInstantRange({ start: from, end: to });
}

function moveByDays(days: Days, form: PeriodFormat, direction: -1 | 1, context: ResolveContext): string | undefined {
  const next = getAdjacentDays(days, direction, getUnit(form));
  if (next.first.toZonedDateTime(context.timeZone).epochMilliseconds >= context.now) return undefined;
  return getTextIfValid(formatDays(next, form), context);
}

function getUnit(form: PeriodFormat): PeriodLength['unit'] {
  return form === 'quarter' ? 'months' : form === 'week' ? 'days' : form;
}

/** Returns the text if it is a valid range. It isn't before the year 0. */
function getTextIfValid(text: string, context: ResolveContext): string | undefined {
  return parseSpan(text, context) && text;
}

/** Returns the whole days of a range, or undefined if it begins or ends at an instant, or depends on the present time. */
function getDaysOfSpec(spec: RangeSpec, today: Temporal.PlainDate): Days | undefined {
  switch (spec.kind) {
    case 'last':
      return undefined;
    case 'toDate':
      return getPeriodDays(spec.period, today);
    case 'previous':
      return getPeriodDays(spec.period, today, 1);
    case 'between': {
      const { from, to } = orderEnds(spec, today);
      const first = getDaysOfPoint(from, today)?.first;
      const until = getDaysOfPoint(to, today)?.until;
      return first && until && first.until(until).sign > 0 ? { first, until } : undefined;
    }
  }
}

/** Returns the unit in which a range is written. Days that happen to be a whole month still move by days, so that moving back returns to them. */
function getFormat(spec: RangeSpec): PeriodFormat {
  if (spec.kind === 'toDate' || spec.kind === 'previous') return periodFormats[spec.period];
  if (spec.kind !== 'between') return 'days';
  const from = getPointFormat(spec.from);
  const to = getPointFormat(spec.to);
  return formatsFromFinest.find(form => form === from || form === to) ?? 'days';
}

const periodFormats: Readonly<Record<CalendarPeriod, PeriodFormat>> = {
  day: 'days',
  week: 'week',
  month: 'months',
  quarter: 'quarter',
  year: 'years',
  summer: 'months',
  autumn: 'months',
  winter: 'months',
  spring: 'months',
};
const formatsFromFinest: readonly PeriodFormat[] = ['days', 'week', 'months', 'quarter', 'years'];

function getPointFormat(point: Point): PeriodFormat {
  if (point.kind === 'relativePeriod') return periodFormats[point.period];
  if (point.kind !== 'period') return 'days';
  const { days, months } = Temporal.Duration.from(point.length);
  if (days > 0) return days === 7 ? 'week' : 'days';
  return months === 0 ? 'years' : months === 3 ? 'quarter' : 'months';
}
