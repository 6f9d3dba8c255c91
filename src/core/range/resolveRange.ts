import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../shared/durations.ts';
import { toZonedDateTime } from '../time/zoneOffsets.ts';
import { toDateTime } from './rangePoint.ts';
import { getSeasonStart, seasons } from './rangeEnd.ts';
import { isRelativeYear, thisYear, type CalendarPeriod, type Parsed, type Point, type RangeSpec } from './rangeSpec.ts';

/** A range of instants [start, end) in UTC milliseconds, aligned to intervals. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The context in which a range is resolved. */
export interface ResolveContext {
  readonly now: number;
  /** The IANA zone of days and months. */
  readonly timeZone: string;
  /** The interval to which ranges are aligned; undefined for none. */
  readonly intervalMs: number | undefined;
  /** Aligns ranges to days of the zone. A range that reaches to the present then includes today, although it is not over. */
  readonly wholeDays?: true;
}

/** Longer than any series, so that typing errors are reported. */
const maxYears = 100;

/**
 * Resolves a range to instants. Ranges that reach to the present end with the last complete interval, since the service publishes an interval
 * when it is over. Ranges with a fixed end are extended to whole intervals.
 */
export function resolveRange(spec: RangeSpec, context: ResolveContext): Parsed<Span> {
  // Checked first, since Temporal throws for dates that are too far back.
  if (getMaxYears(spec) > maxYears) return { ok: false, problem: 'tooLong', years: maxYears };
  const { start, end } = resolveUnchecked(spec, context);
  if (end <= start) return { ok: false, problem: 'endNotAfterStart' };
  if (end - start > maxYears * 366 * dayMs) return { ok: false, problem: 'tooLong', years: maxYears };
  return { ok: true, value: { start, end } };
}

function getMaxYears(spec: RangeSpec): number {
  if (spec.kind === 'last') return spec.unit === 'years' ? spec.count : 0;
  if (spec.kind !== 'between') return 0;
  const years = [spec.from, spec.to].map(point => {
    if (point.kind === 'ago') return getMaxYears({ ...point, kind: 'last' });
    return point.kind === 'length' ? (point.duration['years'] ?? 0) : 0;
  });
  return Math.max(...years);
}

function resolveUnchecked(spec: RangeSpec, context: ResolveContext): Span {
  const present = floorTo(context.now, context);
  switch (spec.kind) {
    case 'last': {
      const start = toZonedDateTime(present, context.timeZone).subtract({ [spec.unit]: spec.count }).epochMilliseconds;
      return { start: floorTo(start, context), end: present };
    }
    case 'toDate': {
      const begin = getDayStart(getPeriodDays(spec.period, today(context)).first, context);
      const start = floorTo(begin, context);
      const endOfCurrentInterval = ceilTo(context.now + 1, context);
      if (context.wholeDays) return { start, end: endOfCurrentInterval };
      // The first interval of the period is included even before it is over, so that the range isn't empty.
      const first = ceilTo(begin, context) + (context.intervalMs ?? 1000);
      return { start, end: Math.max(present, Math.min(first, endOfCurrentInterval)) };
    }
    case 'previous': {
      const { first, until } = getPeriodDays(spec.period, today(context), 1);
      return {
        start: floorTo(getDayStart(first, context), context),
        end: ceilTo(getDayStart(until, context), context),
      };
    }
    case 'between': {
      const { from, to } = resolveLengths(orderEnds(spec, today(context)), context);
      const now = context.wholeDays ? ceilTo(context.now + 1, context) : present;
      const end = to.kind === 'now' ? now : ceilTo(getLastInstant(to, context), context);
      return { start: floorTo(getFirstInstant(from, context), context), end };
    }
  }
}

function resolveLengths(
  { from, to }: Readonly<Record<'from' | 'to', Point>>,
  context: ResolveContext,
): Record<'from' | 'to', Point> {
  const toInstantPoint = (zonedTime: Temporal.ZonedDateTime): Point => ({
    kind: 'instant',
    ms: zonedTime.epochMilliseconds,
  });
  if (to.kind === 'length')
    return {
      from,
      to: toInstantPoint(toZonedDateTime(getFirstInstant(from, context), context.timeZone).add(to.duration)),
    };
  if (from.kind !== 'length') return { from, to };
  const end = to.kind === 'now' ? floorTo(context.now, context) : getLastInstant(to, context);
  return { from: toInstantPoint(toZonedDateTime(end, context.timeZone).subtract(from.duration)), to };
}

function getFirstInstant(point: Point, context: ResolveContext): number {
  switch (point.kind) {
    case 'now':
      return context.now;
    case 'instant':
      return point.ms;
    case 'local':
      return point.dateTime.toZonedDateTime(context.timeZone).epochMilliseconds;
    case 'period':
      return getDayStart(resolveYear(point.first, today(context)), context);
    case 'relativePeriod':
      return getDayStart(getPeriodDays(point.period, today(context), point.before).first, context);
    case 'relativeDay': {
      const day = resolveRelativeDay(point, today(context));
      if (point.clock === undefined) return getDayStart(day, context);
      return toDateTime(day, point.clock).toZonedDateTime(context.timeZone).epochMilliseconds;
    }
    case 'ago':
      return toZonedDateTime(floorTo(context.now, context), context.timeZone).subtract({ [point.unit]: point.count })
        .epochMilliseconds;
    case 'length':
      throw new RangeError('a length has no instant of its own');
  }
}

function getLastInstant(point: Point, context: ResolveContext): number {
  const days = getDaysOfPoint(point, today(context));
  return days ? getDayStart(days.until, context) : getFirstInstant(point, context);
}

function today(context: ResolveContext): Temporal.PlainDate {
  return toZonedDateTime(context.now, context.timeZone).toPlainDate();
}

/** Returns the first instant of a day in the zone, even if a clock change skips its midnight. */
function getDayStart(date: Temporal.PlainDate, context: ResolveContext): number {
  return date.toZonedDateTime(context.timeZone).epochMilliseconds;
}

/** Intervals longer than a day are aligned to days, since services don't document on which day their weeks begin. */
function getAlignment(intervalMs: number | undefined): number {
  return Math.min(intervalMs ?? 1000, dayMs);
}

function floorTo(ms: number, context: ResolveContext): number {
  if (context.wholeDays) return toZonedDateTime(ms, context.timeZone).startOfDay().epochMilliseconds;
  return Math.floor(ms / getAlignment(context.intervalMs)) * getAlignment(context.intervalMs);
}

function ceilTo(ms: number, context: ResolveContext): number {
  if (!context.wholeDays) return Math.ceil(ms / getAlignment(context.intervalMs)) * getAlignment(context.intervalMs);
  const day = toZonedDateTime(ms, context.timeZone).startOfDay();
  return day.epochMilliseconds === ms ? ms : day.add({ days: 1 }).startOfDay().epochMilliseconds;
}

/** Returns the intersection of two spans. An empty one ends before it starts. */
export function overlap(a: Span, b: Span): Span {
  return { start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) };
}

/** Returns the span from the earlier start to the later end. */
export function boundingRange(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Returns what remains of a span before and after a part of it. */
export function subtractSpan(part: Span, { start, end }: Span): Span[] {
  const remainders = [
    { start, end: part.start },
    { start: part.end, end },
  ];
  return remainders.filter(remainder => remainder.end > remainder.start);
}

/** Whole days of a zone, [first, until). */
export interface Days {
  readonly first: Temporal.PlainDate;
  readonly until: Temporal.PlainDate;
}

/** The length of each period, as a unit and a count. */
const lengths = {
  day: ['days', 1],
  week: ['weeks', 1],
  month: ['months', 1],
  quarter: ['months', 3],
  year: ['years', 1],
} as const;

/**
 * Returns the days of the period that contains today, or of the one `periodsAgo` periods earlier. For a season, it is the last one that is over.
 * Weeks begin on Monday.
 */
export function getPeriodDays(period: CalendarPeriod, today: Temporal.PlainDate, periodsAgo = 0): Days {
  const season = seasons.findIndex(name => name === period);
  if (season >= 0) {
    const until = today.with({ month: getSeasonStart(season, (_, southern) => southern), day: 1 }).add({ months: 3 });
    const years = [0, 1, 2].find(ago => Temporal.PlainDate.compare(until.subtract({ years: ago }), today) <= 0);
    return { first: until.subtract({ years, months: 3 }), until: until.subtract({ years }) };
  }
  const calendar = period as keyof typeof lengths;
  const [unit, count] = lengths[calendar];
  const first = getFirstDay(calendar, today).subtract({ [unit]: periodsAgo * count });
  return { first, until: first.add({ [unit]: count }) };
}

function getFirstDay(period: keyof typeof lengths, day: Temporal.PlainDate): Temporal.PlainDate {
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

/** Returns the whole days of a point, as of today, or undefined for an instant, a clock time or a length. */
export function getDaysOfPoint(point: Point, today: Temporal.PlainDate): Days | undefined {
  if (point.kind === 'period') {
    const first = resolveYear(point.first, today);
    return { first, until: first.add(point.length) };
  }
  if (point.kind === 'relativePeriod') return getPeriodDays(point.period, today, point.before);
  if (point.kind !== 'relativeDay' || point.clock !== undefined) return undefined;
  const first = resolveRelativeDay(point, today);
  return { first, until: first.add({ days: 1 }) };
}

/**
 * Returns the ends of a range, with the first one moved before the second one if they are weekdays. In the middle of a week the latest Monday
 * is after the latest Friday, while “Monday..Friday” means the days of one week.
 */
export function orderEnds(
  { from, to }: RangeSpec & { kind: 'between' },
  today: Temporal.PlainDate,
): Readonly<Record<'from' | 'to', Point>> {
  if (from.kind !== 'relativeDay' || from.weekday === undefined || to.kind !== 'relativeDay') return { from, to };
  const until = resolveRelativeDay(to, today);
  if (until.until(resolveRelativeDay(from, today)).days <= 0) return { from, to };
  return { from: { ...from, daysAgo: from.daysAgo + until.until(today).days }, to };
}

/** Replaces a relative year by the year that it stands for today. */
function resolveYear(date: Temporal.PlainDate, today: Temporal.PlainDate): Temporal.PlainDate {
  return isRelativeYear(date.year) ? date.with({ year: date.year - thisYear + today.year }) : date;
}

/** Returns the date of a relative day, as of today. */
function resolveRelativeDay(
  { daysAgo, weekday }: Point & { kind: 'relativeDay' },
  today: Temporal.PlainDate,
): Temporal.PlainDate {
  const day = today.subtract({ days: daysAgo });
  return weekday === undefined ? day : day.subtract({ days: (day.dayOfWeek - weekday + 7) % 7 });
}
