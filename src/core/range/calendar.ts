import type { Temporal } from 'temporal-polyfill';
import type { CalendarPeriod, Point, RangeSpec } from './rangeSpec.ts';

/** Whole days of a zone: [first, until). */
export interface Days {
  readonly first: Temporal.PlainDate;
  readonly until: Temporal.PlainDate;
}

const oneOf: Readonly<Record<CalendarPeriod, Temporal.DurationLike>> = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
};

/** The days of the period that contains today, or of the one before it. Weeks begin on Monday. */
export function periodDays(period: CalendarPeriod, today: Temporal.PlainDate, before: 0 | 1 = 0): Days {
  const current = firstDayOf(period, today);
  const first = before === 0 ? current : current.subtract(oneOf[period]);
  return { first, until: first.add(oneOf[period]) };
}

function firstDayOf(period: CalendarPeriod, day: Temporal.PlainDate): Temporal.PlainDate {
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
  if (point.kind === 'period') return { first: point.first, until: point.first.add(point.length) };
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

/** The date of a relative day, as of today. */
export function relativeDate(
  { daysAgo, weekday }: Point & { kind: 'relativeDay' },
  today: Temporal.PlainDate,
): Temporal.PlainDate {
  const day = today.subtract({ days: daysAgo });
  return weekday === undefined ? day : day.subtract({ days: (day.dayOfWeek - weekday + 7) % 7 });
}
