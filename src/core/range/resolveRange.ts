import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../shared/durations.ts';
import { zoned } from '../time/zoneOffsets.ts';
import { dateTime } from './rangePoint.ts';
import { seasonStart, seasons } from './rangeEnd.ts';
import { isRelativeYear, thisYear, type CalendarPeriod, type Parsed, type Point, type RangeSpec } from './rangeSpec.ts';

/** [start, end), UTC milliseconds, on whole steps. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The context in which a range is resolved: the present, the IANA zone of its days and months, and the step (undefined: no alignment). */
export interface ResolveContext {
  readonly now: number;
  readonly timeZone: string;
  readonly stepMs: number | undefined;
  /** Steps are the days of the zone. A range that reaches to the present includes today, which is not over. */
  readonly wholeDays?: true;
}

/** Longer than any series, so that a typing error is reported. */
const maxYears = 100;

/**
 * The instants of a range. Ranges that reach to the present end with the last full step, since the service publishes a step when it is
 * over; ranges with a fixed end are extended to whole steps.
 */
export function resolveRange(spec: RangeSpec, context: ResolveContext): Parsed<Span> {
  // Checked first, since Temporal throws for dates that are too far back.
  if (longestYears(spec) > maxYears) return { ok: false, problem: 'tooLong', years: maxYears };
  const { start, end } = rawSpan(spec, context);
  if (end <= start) return { ok: false, problem: 'endNotAfterStart' };
  if (end - start > maxYears * 366 * dayMs) return { ok: false, problem: 'tooLong', years: maxYears };
  return { ok: true, value: { start, end } };
}

function longestYears(spec: RangeSpec): number {
  if (spec.kind === 'last') return spec.unit === 'years' ? spec.count : 0;
  if (spec.kind !== 'between') return 0;
  const years = [spec.from, spec.to].map(point => {
    if (point.kind === 'ago') return longestYears({ ...point, kind: 'last' });
    return point.kind === 'length' ? (point.duration['years'] ?? 0) : 0;
  });
  return Math.max(...years);
}

function rawSpan(spec: RangeSpec, context: ResolveContext): Span {
  const present = floorTo(context.now, context);
  switch (spec.kind) {
    case 'last': {
      const start = zoned(present, context.timeZone).subtract({ [spec.unit]: spec.count }).epochMilliseconds;
      return { start: floorTo(start, context), end: present };
    }
    case 'toDate': {
      const begin = dayStart(periodDays(spec.period, today(context)).first, context);
      const start = floorTo(begin, context);
      const underWay = ceilTo(context.now + 1, context);
      if (context.wholeDays) return { start, end: underWay };
      // While the first step of the period is not over, the range includes it, so that it isn't empty.
      const first = ceilTo(begin, context) + (context.stepMs ?? 1000);
      return { start, end: Math.max(present, Math.min(first, underWay)) };
    }
    case 'previous': {
      const { first, until } = periodDays(spec.period, today(context), 1);
      return { start: floorTo(dayStart(first, context), context), end: ceilTo(dayStart(until, context), context) };
    }
    case 'between': {
      const { from, to } = lengthsAsInstants(inOrder(spec, today(context)), context);
      const now = context.wholeDays ? ceilTo(context.now + 1, context) : present;
      const end = to.kind === 'now' ? now : ceilTo(lastInstant(to, context), context);
      return { start: floorTo(firstInstant(from, context), context), end };
    }
  }
}

function lengthsAsInstants(
  { from, to }: Readonly<Record<'from' | 'to', Point>>,
  context: ResolveContext,
): Record<'from' | 'to', Point> {
  const instant = (moment: Temporal.ZonedDateTime): Point => ({ kind: 'instant', ms: moment.epochMilliseconds });
  if (to.kind === 'length')
    return { from, to: instant(zoned(firstInstant(from, context), context.timeZone).add(to.duration)) };
  if (from.kind !== 'length') return { from, to };
  const end = to.kind === 'now' ? floorTo(context.now, context) : lastInstant(to, context);
  return { from: instant(zoned(end, context.timeZone).subtract(from.duration)), to };
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
      return dayStart(inYear(point.first, today(context)), context);
    case 'relativePeriod':
      return dayStart(periodDays(point.period, today(context), point.before).first, context);
    case 'relativeDay': {
      const day = relativeDate(point, today(context));
      if (point.clock === undefined) return dayStart(day, context);
      return dateTime(day, point.clock).toZonedDateTime(context.timeZone).epochMilliseconds;
    }
    case 'ago':
      return zoned(floorTo(context.now, context), context.timeZone).subtract({ [point.unit]: point.count })
        .epochMilliseconds;
    case 'length':
      throw new RangeError('a length has no instant of its own');
  }
}

function lastInstant(point: Point, context: ResolveContext): number {
  const days = daysOfPoint(point, today(context));
  return days ? dayStart(days.until, context) : firstInstant(point, context);
}

function today(context: ResolveContext): Temporal.PlainDate {
  return zoned(context.now, context.timeZone).toPlainDate();
}

/** The first instant of a day in the zone, also on a day whose midnight is skipped by a clock change. */
function dayStart(date: Temporal.PlainDate, context: ResolveContext): number {
  return date.toZonedDateTime(context.timeZone).epochMilliseconds;
}

/** Steps longer than a day are aligned to days: it isn't documented on which day a service's week begins. */
function grid(stepMs: number | undefined): number {
  return Math.min(stepMs ?? 1000, dayMs);
}

function floorTo(ms: number, context: ResolveContext): number {
  if (context.wholeDays) return zoned(ms, context.timeZone).startOfDay().epochMilliseconds;
  return Math.floor(ms / grid(context.stepMs)) * grid(context.stepMs);
}

function ceilTo(ms: number, context: ResolveContext): number {
  if (!context.wholeDays) return Math.ceil(ms / grid(context.stepMs)) * grid(context.stepMs);
  const day = zoned(ms, context.timeZone).startOfDay();
  return day.epochMilliseconds === ms ? ms : day.add({ days: 1 }).startOfDay().epochMilliseconds;
}

/** The intersection of both; where it is empty, it ends before it starts. */
export function overlap(a: Span, b: Span): Span {
  return { start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) };
}

/** From the earlier start to the later end. */
export function boundingRange(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The parts of a span before and after a part of it. */
export function beside(part: Span, { start, end }: Span): Span[] {
  const both = [
    { start, end: part.start },
    { start: part.end, end },
  ];
  return both.filter(rest => rest.end > rest.start);
}

/** Whole days of a zone: [first, until). */
export interface Days {
  readonly first: Temporal.PlainDate;
  readonly until: Temporal.PlainDate;
}

/** The unit of a period, and how many of it the period has. */
const lengths = {
  day: ['days', 1],
  week: ['weeks', 1],
  month: ['months', 1],
  quarter: ['months', 3],
  year: ['years', 1],
} as const;

/** The days of the period that contains today, or of one so many before it; of a season, the last one that is over. Weeks begin on Monday. */
export function periodDays(period: CalendarPeriod, today: Temporal.PlainDate, before = 0): Days {
  const season = seasons.findIndex(name => name === period);
  if (season >= 0) {
    const until = today.with({ month: seasonStart(season, (_, southern) => southern), day: 1 }).add({ months: 3 });
    const years = [0, 1, 2].find(ago => Temporal.PlainDate.compare(until.subtract({ years: ago }), today) <= 0);
    return { first: until.subtract({ years, months: 3 }), until: until.subtract({ years }) };
  }
  const calendar = period as keyof typeof lengths;
  const [unit, count] = lengths[calendar];
  const first = firstDayOf(calendar, today).subtract({ [unit]: before * count });
  return { first, until: first.add({ [unit]: count }) };
}

function firstDayOf(period: keyof typeof lengths, day: Temporal.PlainDate): Temporal.PlainDate {
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return day.subtract({ days: day.dayOfWeek - 1 });
    case 'month':
      return day.with({ day: 1 });
    case 'quarter':
      return day.with({ day: 1, month: day.month - ((day.month - 1) % 3) });
    case 'year':
      return day.with({ month: 1, day: 1 });
  }
}

/** The whole days of a point, as of today; undefined for an instant, a clock time or a length. */
export function daysOfPoint(point: Point, today: Temporal.PlainDate): Days | undefined {
  if (point.kind === 'period') {
    const first = inYear(point.first, today);
    return { first, until: first.add(point.length) };
  }
  if (point.kind === 'relativePeriod') return periodDays(point.period, today, point.before);
  if (point.kind !== 'relativeDay' || point.clock !== undefined) return undefined;
  const first = relativeDate(point, today);
  return { first, until: first.add({ days: 1 }) };
}

/**
 * The ends of a range, with the beginning moved before the end: in the middle of a week the latest Monday is after the latest Friday, while
 * “Monday..Friday” means those of one week.
 */
export function inOrder(
  { from, to }: RangeSpec & { kind: 'between' },
  today: Temporal.PlainDate,
): Readonly<Record<'from' | 'to', Point>> {
  if (from.kind !== 'relativeDay' || from.weekday === undefined || to.kind !== 'relativeDay') return { from, to };
  const until = relativeDate(to, today);
  if (until.until(relativeDate(from, today)).days <= 0) return { from, to };
  return { from: { ...from, daysAgo: from.daysAgo + until.until(today).days }, to };
}

/** The date, in the year that is counted from that of today where it is such. */
function inYear(date: Temporal.PlainDate, today: Temporal.PlainDate): Temporal.PlainDate {
  return isRelativeYear(date.year) ? date.with({ year: date.year - thisYear + today.year }) : date;
}

/** The date of a relative day, as of today. */
function relativeDate(
  { daysAgo, weekday }: Point & { kind: 'relativeDay' },
  today: Temporal.PlainDate,
): Temporal.PlainDate {
  const day = today.subtract({ days: daysAgo });
  return weekday === undefined ? day : day.subtract({ days: (day.dayOfWeek - weekday + 7) % 7 });
}
