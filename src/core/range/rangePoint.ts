import { Temporal } from 'temporal-polyfill';
import { partMonths, getSeasonStart, type RangeEnd } from './rangeEnd.ts';
import { isRelativeYear, thisYear, type Choose, type Parsed, type Point } from './rangeSpec.ts';

type Problem = 'notUnderstood' | 'noSuchDate' | 'yearMissing';

/** Converts a parsed end to a point in time, or reports why that is impossible. `text` is the end as typed. */
export function toPoint(end: RangeEnd, text: string, choose: Choose): Parsed<Point> {
  const fail = (problem: Problem): Parsed<Point> => ({ ok: false, problem, part: text });
  // In “1 May 23” either number may be the day.
  if (!assignNumbers(end, choose))
    return fail(end.month !== undefined && end.year === undefined ? 'yearMissing' : 'notUnderstood');
  if (end.numbers.length > 0) return fail('notUnderstood');
  try {
    const point = end.point ?? toRelativeDay(end) ?? toCalendarPoint(end, choose);
    return typeof point === 'string' ? fail(point) : { ok: true, value: point };
  } catch {
    // Temporal throws for a date that doesn't exist.
    return fail('noSuchDate');
  }
}

/** Assigns an end's numbers to day, month and year. Returns false if that is impossible. */
export function assignNumbers(end: RangeEnd, choose: Choose): boolean {
  const { numbers, year, part, month } = end;
  const [first, second, third, ...more] = numbers;
  if (first === undefined) return true;
  if (more.length > 0) return false;
  if (third !== undefined) {
    if (second === undefined || year !== undefined || month !== undefined || part) return false;
    // Any of the numbers in 1/5/23 may be the day.
    const [yearNumber, monthNumber, dayNumber] = choose(
      'date',
      [third, second, first],
      [third, first, second],
      [first, second, third],
    );
    [end.year, end.month, end.day] = [2000 + yearNumber, monthNumber, dayNumber];
  } else if (part) {
    if (second !== undefined || part.partKind !== 'week' || part.day !== undefined || !end.yearFirst) return false;
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

function toRelativeDay(end: RangeEnd): Point | Problem | undefined {
  const { daysAgo, weekday, clock, zone, year, month, part, minDaysAgo = 0 } = end;
  if ([year, month, part].some(field => field !== undefined)) return undefined;
  if (daysAgo === undefined && weekday === undefined) return undefined;
  // A relative day is a day of the user's zone, so its clock time can't have another zone.
  if ((daysAgo !== undefined && weekday !== undefined) || zone !== undefined) return 'notUnderstood';
  if (clock !== undefined) toDateTime(Temporal.PlainDate.from('2000-01-01'), clock);
  return {
    kind: 'relativeDay',
    daysAgo: daysAgo ?? minDaysAgo,
    ...(weekday !== undefined && { weekday }),
    ...(clock !== undefined && { clock }),
  };
}

function toCalendarPoint(end: RangeEnd, choose: Choose): Point | Problem {
  const { year, month, day, part, weekday, clock, zone } = end;
  if (end.daysAgo !== undefined || end.minDaysAgo !== undefined) return 'notUnderstood';
  if (year === undefined) return month !== undefined || part ? 'yearMissing' : 'notUnderstood';
  // In some zones, instants of these years are in a year without four digits.
  if (year === 0 || year === 9999) return 'noSuchDate';
  // The dates of a relative year, and whether they exist, depend on when the query runs.
  const isRelative = isRelativeYear(year);
  if (isRelative && (weekday !== undefined || clock !== undefined || /^(?:week|ordinal)$/.test(part?.partKind ?? '')))
    return 'notUnderstood';
  // This year's season may not have begun in one of the hemispheres.
  if (year === thisYear && part?.partKind === 'season') return 'notUnderstood';
  if (isRelative && month === 2 && day === 29) return 'noSuchDate';
  const date = part ? getStartOfPart(year, part, choose) : createDate(year, month ?? 1, day ?? 1);
  const isDay = (part ? part.day : day) !== undefined;
  if (part && month !== undefined) return 'notUnderstood';
  if (!isDay && (clock !== undefined || weekday !== undefined)) return 'notUnderstood';
  if (weekday !== undefined && date.dayOfWeek !== weekday) return 'noSuchDate';
  if (clock === undefined) {
    const length = getLength(end);
    const isFuture = date.add(length).subtract({ days: 1 }).year > thisYear;
    return zone === undefined && !isFuture ? { kind: 'period', first: date, length } : 'notUnderstood';
  }
  const local = toDateTime(date, clock);
  if (zone === undefined) return { kind: 'local', dateTime: local };
  return { kind: 'instant', ms: Temporal.Instant.from(`${local.toString()}${zone}`).epochMilliseconds };
}

/** The first month of the financial year of South Africa's government and of Eskom: April. */
export const financialMonth = 4;

function getLength({ part, month, day }: RangeEnd): Temporal.DurationLike {
  if (part?.day !== undefined) return { days: 1 };
  if (part?.partKind === 'week') return { days: 7 };
  if (part) return { months: partMonths[part.partKind] };
  return day !== undefined ? { days: 1 } : month !== undefined ? { months: 1 } : { years: 1 };
}

function getStartOfPart(year: number, part: NonNullable<RangeEnd['part']>, choose: Choose): Temporal.PlainDate {
  const { partKind, number, day } = part;
  if (partKind === 'season') return createDate(year, getSeasonStart(number, choose), 1);
  if (partKind === 'ordinal') {
    const date = createDate(year, 1, 1).add({ days: (day ?? 0) - 1 });
    if (date.year !== year) throw new RangeError('no such day of a year');
    return date;
  }
  // A financial year is named after the year in which it ends, or after the year in which it begins.
  if (partKind === 'financialYear') return createDate(choose('year', year - 1, year), financialMonth, 1);
  if (partKind !== 'week') return createDate(year, (number - 1) * partMonths[partKind] + 1, 1);
  const monday = getMonday(year, number);
  if (day !== undefined && (day < 1 || day > 7)) throw new RangeError('no such day of a week');
  return monday.add({ days: (day ?? 1) - 1 });
}

export function createDate(year: number, month: number, day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
}

/** Returns the Monday of an ISO 8601 week. Week 1 contains 4 January. */
function getMonday(year: number, week: number): Temporal.PlainDate {
  const january4 = createDate(year, 1, 4);
  const monday = january4.add({ days: (week - 1) * 7 - (january4.dayOfWeek - 1) });
  if (monday.yearOfWeek !== year || monday.weekOfYear !== week) throw new RangeError('no such week');
  return monday;
}

/** Combines a date and a clock time. 24:00 is the midnight at the end of the day. Throws for an invalid time, and for second 60, which Temporal accepts. */
export function toDateTime(date: Temporal.PlainDate, clock: string): Temporal.PlainDateTime {
  if (/^24:00(?::00(?:\.0+)?)?$/.test(clock)) return date.add({ days: 1 }).toPlainDateTime();
  if (/:60(?:\.|$)/.test(clock)) throw new RangeError('no such second');
  return date.toPlainDateTime(clock);
}
