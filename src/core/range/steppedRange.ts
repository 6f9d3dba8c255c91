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
  daysOfPoint,
  inOrder,
  periodDays,
  type ResolveContext,
  resolveRange,
  type Span,
} from './resolveRange.ts';
import { zoned } from '../time/zoneOffsets.ts';
import { parseRange } from './parseRange.ts';
import type { CalendarPeriod, Point, RangeSpec } from './rangeSpec.ts';

/**
 * The range directly before (-1) or after (1), as text. Years, months, weeks and days step by the calendar, in their written unit:
 * "2023-05" to "2023-06", "yesterday" to the day before, "month to date" to the whole month before. Everything else ("last 7 days",
 * instants, an open end) steps by its own length and becomes instants, so that stepping back and forth returns to the same range; only a
 * period "to date" becomes a whole one. Undefined where nothing can be published yet (the period has not begun, or no step of the instants
 * is over), and for an invalid range.
 */
export function steppedRange(text: string, direction: -1 | 1, context: ResolveContext): string | undefined {
  const spec = parseRange(text);
  if (!spec.ok) return undefined;
  const days = daysOfSpec(spec.value, zoned(context.now, context.timeZone).toPlainDate());
  if (days) return steppedDays(days, formOf(spec.value), direction, context);

  const span = resolveRange(spec.value, context);
  if (!span.ok) return undefined;
  const { start, end } = span.value;
  const whole = context.wholeDays && findWholeDays(span.value, context);
  if (whole) return steppedDays(whole, 'days', direction, context);
  const length = end - start;
  const next = direction === 1 ? { start: end, end: end + length } : { start: start - length, end: start };
  if (next.start + Math.min(context.stepMs ?? 1000, length) > context.now) return undefined;
  return readable(formatInstantRange(next), context);
}

/** How far a range is stepped: calendar years, months or days, or milliseconds where it doesn't have whole days. */
interface Stride {
  readonly unit: PeriodLength['unit'] | 'milliseconds';
  readonly count: number;
}

/** How far `steppedRange` moves that range; undefined for an invalid range. */
export function strideOf(text: string, context: ResolveContext): Stride | undefined {
  const spec = parseRange(text);
  if (!spec.ok) return undefined;
  const days = daysOfSpec(spec.value, zoned(context.now, context.timeZone).toPlainDate());
  if (days) {
    const unit = unitOf(formOf(spec.value));
    return { unit, count: days.first.until(days.until, { largestUnit: unit })[unit] };
  }
  const span = resolveRange(spec.value, context);
  const whole = context.wholeDays && span.ok && findWholeDays(span.value, context);
  if (whole) return { unit: 'days', count: whole.first.until(whole.until).days };
  return span.ok ? { unit: 'milliseconds', count: span.value.end - span.value.start } : undefined;
}

/**
 * A range moved as far as another one is stepped, as text. Undefined where the calendar has no such range (a month after 31 January), where
 * the moved one has not begun, and for an invalid range.
 */
export function movedRange(
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
  const by = { [unit]: direction * count };
  const days = daysOfSpec(spec.value, zoned(context.now, context.timeZone).toPlainDate());
  const span = resolveRange(spec.value, context);
  if (!span.ok) return undefined;
  const moved =
    days && unit !== 'milliseconds'
      ? movedDays(days, by, formOf(spec.value))
      : movedInstants(span.value, by, context.timeZone);
  const movedSpan = moved === undefined ? undefined : parseSpan(moved, context);
  return movedSpan && movedSpan.start < context.now ? moved : undefined;
}

function movedDays(days: Days, by: Temporal.DurationLike, form: PeriodFormat): string | undefined {
  const moved = { first: days.first.add(by), until: days.until.add(by) };
  if (!moved.first.subtract(by).equals(days.first) || !moved.until.subtract(by).equals(days.until)) return undefined;
  const asBefore = formatDays(moved, form);
  // A month that moved by days is no whole month any more, and is written as days.
  return isText(asBefore, moved) ? asBefore : formatDays(moved);
}

function isText(text: string, { first, until }: Days): boolean {
  const spec = parseRange(text);
  const days = spec.ok ? daysOfSpec(spec.value, first) : undefined;
  return days !== undefined && days.first.equals(first) && days.until.equals(until);
}

function movedInstants({ start, end }: Span, by: Temporal.DurationLike, timeZone: string): string | undefined {
  const [from, to] = [start, end].map(ms => {
    const moment = zoned(ms, timeZone);
    const moved = moment.add(by);
    return moved.subtract(by).toPlainDate().equals(moment.toPlainDate()) ? moved.epochMilliseconds : undefined;
  });
  return from === undefined || to === undefined ? undefined : formatInstantRange({ start: from, end: to });
}

function steppedDays(days: Days, form: PeriodFormat, direction: -1 | 1, context: ResolveContext): string | undefined {
  const next = getAdjacentDays(days, direction, unitOf(form));
  if (next.first.toZonedDateTime(context.timeZone).epochMilliseconds >= context.now) return undefined;
  return readable(formatDays(next, form), context);
}

function unitOf(form: PeriodFormat): PeriodLength['unit'] {
  return form === 'quarter' ? 'months' : form === 'week' ? 'days' : form;
}

/** The text if it is valid; undefined before the year 0. */
function readable(text: string, context: ResolveContext): string | undefined {
  return parseSpan(text, context) && text;
}

/** The whole days of a range; undefined where it begins or ends at an instant, or moves with the present. */
function daysOfSpec(spec: RangeSpec, today: Temporal.PlainDate): Days | undefined {
  switch (spec.kind) {
    case 'last':
      return undefined;
    case 'toDate':
      return periodDays(spec.period, today);
    case 'previous':
      return periodDays(spec.period, today, 1);
    case 'between': {
      const { from, to } = inOrder(spec, today);
      const first = daysOfPoint(from, today)?.first;
      const until = daysOfPoint(to, today)?.until;
      return first && until && first.until(until).sign > 0 ? { first, until } : undefined;
    }
  }
}

/** The written unit: days step by days, also where they happen to be a whole month, so that stepping back returns to them. */
function formOf(spec: RangeSpec): PeriodFormat {
  if (spec.kind === 'toDate' || spec.kind === 'previous') return formOfPeriod[spec.period];
  if (spec.kind !== 'between') return 'days';
  const [from, to] = [formOfPoint(spec.from), formOfPoint(spec.to)];
  return finest.find(form => form === from || form === to) ?? 'days';
}

const formOfPeriod: Readonly<Record<CalendarPeriod, PeriodFormat>> = {
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
const finest: readonly PeriodFormat[] = ['days', 'week', 'months', 'quarter', 'years'];

function formOfPoint(point: Point): PeriodFormat {
  if (point.kind === 'relativePeriod') return formOfPeriod[point.period];
  if (point.kind !== 'period') return 'days';
  const { days, months } = Temporal.Duration.from(point.length);
  if (days > 0) return days === 7 ? 'week' : 'days';
  return months === 0 ? 'years' : months === 3 ? 'quarter' : 'months';
}
