import { Temporal } from 'temporal-polyfill';
import type { CalendarPeriod, Parsed, Point, RangeSpec } from './rangeSpec.ts';

/** [start, end), UTC milliseconds, on whole steps. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a range is resolved against: the present, the IANA zone of its days and months, and the step (undefined: no alignment). */
export interface ResolveContext {
  readonly now: number;
  readonly timeZone: string;
  readonly stepMs: number | undefined;
}

const dayMs = 86_400_000;
/** No series of the field is longer; a typing error easily is. */
const maxYears = 100;

/**
 * The instants a range stands for. Ranges that reach to the present end with the last full step, since the service
 * publishes a step when it is over; ranges with a fixed end are widened to whole steps, so that no asked hour is lost.
 */
export function resolveRange(spec: RangeSpec, context: ResolveContext): Parsed<Span> {
  // Checked first: so far back Temporal has no dates and throws.
  if (spec.kind === 'last' && spec.unit === 'years' && spec.count > maxYears)
    return { ok: false, problem: 'tooLong', years: maxYears };
  const { start, end } = rawSpan(spec, context);
  if (end <= start) return { ok: false, problem: 'endNotAfterStart' };
  if (end - start > maxYears * 366 * dayMs) return { ok: false, problem: 'tooLong', years: maxYears };
  return { ok: true, value: { start, end } };
}

function rawSpan(spec: RangeSpec, context: ResolveContext): Span {
  const { stepMs } = context;
  const present = floorTo(context.now, stepMs);
  switch (spec.kind) {
    case 'last':
      return {
        start: floorTo(zoned(present, context).subtract({ [spec.unit]: spec.count }).epochMilliseconds, stepMs),
        end: present,
      };
    case 'toDate': {
      const start = floorTo(beginning(zoned(context.now, context), spec.period).epochMilliseconds, stepMs);
      // In the first step of the period nothing is over yet: ask for that step, so that the answer can say so.
      return { start, end: Math.max(present, start + (stepMs ?? 1000)) };
    }
    case 'previous': {
      const end = beginning(zoned(context.now, context), spec.period);
      // Again the beginning of a day: `end` may lie after a midnight that a clock change skipped.
      const start = end.subtract(oneOf[spec.period]).startOfDay();
      return { start: floorTo(start.epochMilliseconds, stepMs), end: ceilTo(end.epochMilliseconds, stepMs) };
    }
    case 'between': {
      const end = spec.to.kind === 'now' ? present : ceilTo(lastInstant(spec.to, context), stepMs);
      return { start: floorTo(firstInstant(spec.from, context), stepMs), end };
    }
  }
}

const oneOf: Readonly<Record<CalendarPeriod, Temporal.DurationLike>> = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  year: { years: 1 },
};

function beginning(moment: Temporal.ZonedDateTime, period: CalendarPeriod): Temporal.ZonedDateTime {
  const day = moment.startOfDay();
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return day.subtract({ days: day.dayOfWeek - 1 }).startOfDay();
    case 'month':
      return day.with({ day: 1 }).startOfDay();
    case 'year':
      return day.with({ month: 1, day: 1 }).startOfDay();
  }
}

function firstInstant(point: Point, context: ResolveContext): number {
  switch (point.kind) {
    case 'now':
      return context.now;
    case 'instant':
      return point.ms;
    case 'local':
      return point.dateTime.toZonedDateTime(context.timeZone).epochMilliseconds;
    case 'period':
      return dayStart(point.first, context);
    case 'relativeDay':
      return dayStart(today(context).subtract({ days: point.daysAgo }), context);
  }
}

function lastInstant(point: Point, context: ResolveContext): number {
  if (point.kind === 'period') return dayStart(point.first.add(point.length), context);
  if (point.kind === 'relativeDay') return dayStart(today(context).subtract({ days: point.daysAgo - 1 }), context);
  return firstInstant(point, context);
}

function today(context: ResolveContext): Temporal.PlainDate {
  return zoned(context.now, context).toPlainDate();
}

/** The first instant of a day in the zone; on a day whose midnight is skipped by a clock change, the one after it. */
function dayStart(date: Temporal.PlainDate, context: ResolveContext): number {
  return date.toZonedDateTime(context.timeZone).epochMilliseconds;
}

function zoned(ms: number, context: ResolveContext): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(context.timeZone);
}

/** Steps longer than a day begin at midnight UTC like days: nothing says on which day a service's week begins. */
function grid(stepMs: number | undefined): number {
  return Math.min(stepMs ?? 1000, dayMs);
}

function floorTo(ms: number, stepMs: number | undefined): number {
  return Math.floor(ms / grid(stepMs)) * grid(stepMs);
}

function ceilTo(ms: number, stepMs: number | undefined): number {
  return Math.ceil(ms / grid(stepMs)) * grid(stepMs);
}
