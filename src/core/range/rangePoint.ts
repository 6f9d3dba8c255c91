import { Temporal } from 'temporal-polyfill';
import { partMonths, seasonStart, type RangeEnd } from './rangeEnd.ts';
import { isRelativeYear, thisYear, type Choose, type Parsed, type Point } from './rangeSpec.ts';

type Problem = 'notUnderstood' | 'noSuchDate' | 'yearMissing';

/** The point in time of an end, or why it has none. `text` is the end as typed. */
export function pointOf(end: RangeEnd, text: string, choose: Choose): Parsed<Point> {
  const refused = (problem: Problem): Parsed<Point> => ({ ok: false, problem, part: text });
  // In “1 May 23” either number may be the day.
  if (!settleNumbers(end, choose))
    return refused(end.month !== undefined && end.year === undefined ? 'yearMissing' : 'notUnderstood');
  if (end.numbers.length > 0) return refused('notUnderstood');
  try {
    const point = end.other ?? relativeDay(end) ?? calendarPoint(end, choose);
    return typeof point === 'string' ? refused(point) : { ok: true, value: point };
  } catch {
    // Temporal throws for a date that doesn't exist.
    return refused('noSuchDate');
  }
}

/** Assigns an end's numbers to day, month and year. False where that is impossible. */
export function settleNumbers(end: RangeEnd, choose: Choose): boolean {
  const { numbers, year, part, month } = end;
  const [first, second, third, ...more] = numbers;
  if (first === undefined) return true;
  if (more.length > 0) return false;
  if (third !== undefined) {
    if (second === undefined || year !== undefined || month !== undefined || part) return false;
    // 1/5/23
    const [ofYear, ofMonth, ofDay] = choose(
      'date',
      [third, second, first],
      [third, first, second],
      [first, second, third],
    );
    [end.year, end.month, end.day] = [2000 + ofYear, ofMonth, ofDay];
  } else if (part) {
    if (second !== undefined || part.kind !== 'week' || part.day !== undefined || !end.yearFirst) return false;
    end.part = { ...part, day: first };
  } else if (month !== undefined) {
    if (second !== undefined) return false;
    end.day = first;
  } else if (year === undefined) {
    return true;
  } else if (second === undefined) {
    end.month = first;
  } else {
    const isMonthFirst = end.yearFirst || first === second || choose('date', false, true, true);
    [end.month, end.day] = isMonthFirst ? [first, second] : [second, first];
  }
  end.numbers = [];
  return true;
}

function relativeDay(end: RangeEnd): Point | Problem | undefined {
  const { daysAgo, weekday, clock, zone, year, month, part, leastDaysAgo = 0 } = end;
  if ([year, month, part].some(piece => piece !== undefined)) return undefined;
  if (daysAgo === undefined && weekday === undefined) return undefined;
  // A relative day depends on the person's zone, so its clock time cannot have another.
  if ((daysAgo !== undefined && weekday !== undefined) || zone !== undefined) return 'notUnderstood';
  if (clock !== undefined) dateTime(Temporal.PlainDate.from('2000-01-01'), clock);
  return {
    kind: 'relativeDay',
    daysAgo: daysAgo ?? leastDaysAgo,
    ...(weekday !== undefined && { weekday }),
    ...(clock !== undefined && { clock }),
  };
}

function calendarPoint(end: RangeEnd, choose: Choose): Point | Problem {
  const { year, month, day, part, weekday, clock, zone } = end;
  if (end.daysAgo !== undefined || end.leastDaysAgo !== undefined) return 'notUnderstood';
  if (year === undefined) return month !== undefined || part ? 'yearMissing' : 'notUnderstood';
  // In some zones their instants are in a year that doesn't have four digits.
  if (year === 0 || year === 9999) return 'noSuchDate';
  // Their dates, and whether they exist, are known only in the year of the run.
  const isRelative = isRelativeYear(year);
  if (isRelative && (weekday !== undefined || clock !== undefined || /^(?:week|ordinal)$/.test(part?.kind ?? '')))
    return 'notUnderstood';
  // In one of the hemispheres it may not have begun.
  if (year === thisYear && part?.kind === 'season') return 'notUnderstood';
  if (isRelative && month === 2 && day === 29) return 'noSuchDate';
  const date = part ? startOfPart(year, part, choose) : newDate(year, month ?? 1, day ?? 1);
  const isDay = (part ? part.day : day) !== undefined;
  if (part && month !== undefined) return 'notUnderstood';
  if (!isDay && (clock !== undefined || weekday !== undefined)) return 'notUnderstood';
  if (weekday !== undefined && date.dayOfWeek !== weekday) return 'noSuchDate';
  if (clock === undefined) {
    const length = lengthOf(end);
    const isFuture = date.add(length).subtract({ days: 1 }).year > thisYear;
    return zone === undefined && !isFuture ? { kind: 'period', first: date, length } : 'notUnderstood';
  }
  const local = dateTime(date, clock);
  if (zone === undefined) return { kind: 'local', dateTime: local };
  return { kind: 'instant', ms: Temporal.Instant.from(`${local.toString()}${zone}`).epochMilliseconds };
}

/** The first month of the financial years of South Africa's government and of Eskom: April. */
export const financialMonth = 4;

function lengthOf({ part, month, day }: RangeEnd): Temporal.DurationLike {
  if (part?.day !== undefined) return { days: 1 };
  if (part?.kind === 'week') return { days: 7 };
  if (part) return { months: partMonths[part.kind] };
  return day !== undefined ? { days: 1 } : month !== undefined ? { months: 1 } : { years: 1 };
}

function startOfPart(year: number, part: NonNullable<RangeEnd['part']>, choose: Choose): Temporal.PlainDate {
  const { kind, number, day } = part;
  if (kind === 'season') return newDate(year, seasonStart(number, choose), 1);
  if (kind === 'ordinal') {
    const date = newDate(year, 1, 1).add({ days: (day ?? 0) - 1 });
    if (date.year !== year) throw new RangeError('no such day of a year');
    return date;
  }
  // Named after the year in which it ends, or after the one in which it begins.
  if (kind === 'financialYear') return newDate(choose('year', year - 1, year), financialMonth, 1);
  if (kind !== 'week') return newDate(year, (number - 1) * partMonths[kind] + 1, 1);
  const monday = mondayOf(year, number);
  if (day !== undefined && (day < 1 || day > 7)) throw new RangeError('no such day of a week');
  return monday.add({ days: (day ?? 1) - 1 });
}

export function newDate(year: number, month: number, day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
}

/** The Monday of an ISO 8601 week: week 1 contains 4 January. */
function mondayOf(year: number, week: number): Temporal.PlainDate {
  const fourth = newDate(year, 1, 4);
  const monday = fourth.add({ days: (week - 1) * 7 - (fourth.dayOfWeek - 1) });
  if (monday.yearOfWeek !== year || monday.weekOfYear !== week) throw new RangeError('no such week');
  return monday;
}

/** The date and time; 24:00 is the midnight at the end of the day. Throws for an invalid time, also for second 60, which Temporal accepts. */
export function dateTime(date: Temporal.PlainDate, clock: string): Temporal.PlainDateTime {
  if (/^24:00(?::00(?:\.0+)?)?$/.test(clock)) return date.add({ days: 1 }).toPlainDateTime();
  if (/:60(?:\.|$)/.test(clock)) throw new RangeError('no such second');
  return date.toPlainDateTime(clock);
}
