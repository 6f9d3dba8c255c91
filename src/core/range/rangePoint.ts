import { Temporal } from 'temporal-polyfill';
import { parseInstant } from '../instant.ts';
import { seasonStart, type RangeEnd } from './rangeEnd.ts';
import type { Parsed, Point } from './rangeSpec.ts';

/** Takes one of two readings of what could be either. */
export type Choose = <T>(first: T, second: T) => T;

type Problem = 'notUnderstood' | 'noSuchDate' | 'yearMissing';

/** One end as a point in time, or why it is none. `text` is what was typed of it. */
export function pointOf(end: RangeEnd, text: string, choose: Choose): Parsed<Point> {
  const refused = (problem: Problem): Parsed<Point> => ({ ok: false, problem, part: text });
  if (!settleNumbers(end, choose) || end.numbers.length > 0) return refused('notUnderstood');
  try {
    const point = end.other ?? relativeDay(end) ?? calendarPoint(end, choose);
    return typeof point === 'string' ? refused(point) : { ok: true, value: point };
  } catch {
    // Temporal's, for a date that the calendar does not have.
    return refused('noSuchDate');
  }
}

/**
 * Gives each of two ends what it lacks and the other has: a year, a month, the day of a clock time. What would end before it begins goes on
 * over the new year or over midnight. The beginning first: two ends that can as well be in the wrong order are one or the other.
 */
export function completeEnds(left: RangeEnd, right: RangeEnd, choose: Choose): readonly [RangeEnd, RangeEnd] {
  // “May 1 to 5, 2023”: the 5 is no month.
  const isDayOfLeft = left.month !== undefined && left.numbers.length === 1 && left.year === undefined;
  if (isDayOfLeft && right.numbers.length === 1 && !right.part && left.month !== undefined) right.month ??= left.month;
  settleNumbers(left, choose);
  settleNumbers(right, choose);
  const borrowers = [left, right].filter(end => end.year === undefined && end.other === undefined);
  const undated = [left, right].find(end => !isDated(end));
  if (!isDated(right)) completeRight(left, right);
  else if (right.year === undefined && right.daysAgo === undefined && left.year !== undefined) right.year = left.year;
  if (!isDated(left)) completeLeft(left, right);
  else if (left.year === undefined && hasFinest(left, right) && right.year !== undefined) left.year = right.year;
  // “28/12” of “28/12 - 3/1 2023”.
  settleNumbers(left, choose);
  shareZone(left, right);
  const [borrower] = borrowers;
  if (!borrower || borrowers.length > 1) return undated ? overMidnight(left, right, undated, choose) : [left, right];
  return undated === borrower && left.clock !== undefined && right.clock !== undefined
    ? overMidnight(left, right, undated, choose)
    : overNewYear(left, right, borrower, choose);
}

/** “28 Dec - 3 Jan 2023” begins in 2022. More than half a year, as “May - March 2023”, may also be in the wrong order. */
function overNewYear(
  left: RangeEnd,
  right: RangeEnd,
  borrower: RangeEnd,
  choose: Choose,
): readonly [RangeEnd, RangeEnd] {
  const back = monthOf(left) - monthOf(right);
  if (left.year === undefined || left.year !== right.year || !(back > 0)) return [left, right];
  if (back < 6 && !choose(true, false)) return [right, left];
  borrower.year = left.year + (borrower === left ? -1 : 1);
  return [left, right];
}

/** A place in the year, in months; NaN for an end that says no month. */
function monthOf({ part, month = NaN }: RangeEnd): number {
  if (!part) return month;
  return part.kind === 'week' ? (part.number * 12) / 53 : part.number * partMonths[part.kind];
}

/**
 * “1 May 2023 22:00-02:00” ends on 2 May. More than half a day, as 17:00-14:00, may also be in the wrong order; a day that stands behind both
 * times may be that of the second one.
 */
function overMidnight(
  left: RangeEnd,
  right: RangeEnd,
  undated: RangeEnd,
  choose: Choose,
): readonly [RangeEnd, RangeEnd] {
  const back = minuteOf(left) - minuteOf(right);
  if (!(back > 0) || left.zone !== right.zone || !canMove(undated, undated === right ? 1 : -1)) return [left, right];
  const isLong = back < 12 * 60;
  if (isLong && !choose(true, false)) return [right, left];
  if (undated === right || isLong || choose(true, false)) moveDay(right, 1);
  else moveDay(left, -1);
  return [left, right];
}

function minuteOf({ clock = '' }: RangeEnd): number {
  const [hour = NaN, minute = NaN] = clock.split(':').map(Number);
  return hour * 60 + minute;
}

/** Whether the day before or after can be named: from yesterday to tomorrow it can. */
function canMove({ daysAgo, weekday, day, part }: RangeEnd, days: 1 | -1): boolean {
  return daysAgo === undefined ? (day ?? weekday) !== undefined && !part : Math.abs(daysAgo - days) <= 1;
}

function moveDay(end: RangeEnd, days: 1 | -1): void {
  if (end.daysAgo !== undefined) end.daysAgo -= days;
  const { year, month = 1, day = 1, weekday } = end;
  if (year === undefined) {
    // The day beside “last Monday” may be today.
    if (weekday !== undefined) Object.assign(end, { weekday: ((weekday + 6 + days) % 7) + 1, isBeforeToday: false });
    return;
  }
  try {
    const moved = newDate(year, month, day).add({ days });
    Object.assign(end, { year: moved.year, month: moved.month, day: moved.day });
  } catch {
    // A date that the calendar does not have is refused where its point is made.
    return;
  }
  // That of the day which was written.
  delete end.weekday;
}

function isDated({ year, month, part, daysAgo, weekday, other }: RangeEnd): boolean {
  return [year, month, part, daysAgo, weekday, other].some(piece => piece !== undefined);
}

/** “May” may take the year of “July 2023”, and not that of “2023”, which ends otherwise. */
function hasFinest(left: RangeEnd, right: RangeEnd): boolean {
  return left.part ? left.part.kind === right.part?.kind : left.month !== undefined && right.month !== undefined;
}

/** The end of 2023-05-01..03, 2023-05-01..05-03, 2023-W05..07, and of “1 May 2023 14:00-17:00”. */
function completeRight(left: RangeEnd, right: RangeEnd): void {
  const [first, second] = right.numbers;
  if (first === undefined) {
    shareDate(left, right);
  } else if (second !== undefined) {
    if (left.yearFirst && left.day !== undefined) assign(right, { year: left.year, month: first, day: second });
  } else if (left.part && left.part.kind !== 'financialYear' && left.part.day === undefined) {
    assign(right, { year: left.year, part: { ...left.part, number: first } });
  } else if (left.day !== undefined) {
    assign(right, { year: left.year, month: left.month, day: first });
  } else if (left.month !== undefined && left.yearFirst) {
    assign(right, { year: left.year, month: first });
  }
}

/** The beginning of “1 to 5 May 2023”, and of “14:00 to 17:00, 1 May 2023”. */
function completeLeft(left: RangeEnd, right: RangeEnd): void {
  const [first, second] = left.numbers;
  if (first === undefined) shareDate(right, left);
  else if (second === undefined && right.day !== undefined)
    assign(left, { year: right.year, month: right.month, day: first });
  else if (right.day !== undefined && right.year !== undefined) left.year = right.year;
}

/** Both are clock times of one day. */
function shareDate(dated: RangeEnd, clockAlone: RangeEnd): void {
  if (dated.clock === undefined || clockAlone.clock === undefined || !isDated(dated)) return;
  const { clock, zone = dated.zone, tokens } = clockAlone;
  Object.assign(clockAlone, dated, { clock, tokens }, zone !== undefined && { zone });
}

/** A zone that one of two clock times names is that of both: ISO 8601 says so of an interval, and so do people. */
function shareZone(left: RangeEnd, right: RangeEnd): void {
  const zone = left.zone ?? right.zone;
  if (zone === undefined || left.clock === undefined || right.clock === undefined) return;
  left.zone ??= zone;
  right.zone ??= zone;
}

function assign(
  end: RangeEnd,
  date: Partial<Record<'year' | 'month' | 'day', number | undefined>> & Pick<RangeEnd, 'part'>,
): void {
  Object.assign(end, date, { numbers: [] });
}

/** Says which of an end's numbers is the day and which the month. False where that cannot be. */
function settleNumbers(end: RangeEnd, choose: Choose): boolean {
  const { numbers, year, part, month } = end;
  const [first, second, ...more] = numbers;
  if (first === undefined) return true;
  if (more.length > 0) return false;
  if (part) {
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
    const isMonthFirst = end.yearFirst || first === second || !choose(true, false);
    [end.month, end.day] = isMonthFirst ? [first, second] : [second, first];
  }
  end.numbers = [];
  return true;
}

function relativeDay(end: RangeEnd): Point | Problem | undefined {
  const { daysAgo, weekday, clock, zone, year, month, part, isBeforeToday } = end;
  if ([year, month, part].some(piece => piece !== undefined)) return undefined;
  if (daysAgo === undefined && weekday === undefined) return undefined;
  // Which day it is depends on the zone: one zone for the day and another for the clock is none.
  if ((daysAgo !== undefined && weekday !== undefined) || zone !== undefined) return 'notUnderstood';
  if (clock !== undefined) dateTime(Temporal.PlainDate.from('2000-01-01'), clock);
  return {
    kind: 'relativeDay',
    daysAgo: daysAgo ?? (isBeforeToday ? 1 : 0),
    ...(weekday !== undefined && { weekday }),
    ...(clock !== undefined && { clock }),
  };
}

function calendarPoint(end: RangeEnd, choose: Choose): Point | Problem {
  const { year, month, day, part, weekday, clock, zone } = end;
  if (end.daysAgo !== undefined || end.isBeforeToday) return 'notUnderstood';
  if (year === undefined) return month !== undefined || part ? 'yearMissing' : 'notUnderstood';
  // In some zone they lie in a year that is not written with four digits.
  if (year === 0 || year === 9999) return 'noSuchDate';
  const date = part ? startOfPart(year, part, choose) : newDate(year, month ?? 1, day ?? 1);
  const isDay = (part ? part.day : day) !== undefined;
  if (part && month !== undefined) return 'notUnderstood';
  if (!isDay && (clock !== undefined || weekday !== undefined)) return 'notUnderstood';
  if (weekday !== undefined && date.dayOfWeek !== weekday) return 'noSuchDate';
  if (clock === undefined)
    return zone === undefined ? { kind: 'period', first: date, length: lengthOf(end) } : 'notUnderstood';
  const local = dateTime(date, clock);
  if (zone === undefined) return { kind: 'local', dateTime: local };
  const ms = parseInstant(`${local.toString()}${zone}`);
  return ms === undefined ? 'noSuchDate' : { kind: 'instant', ms };
}

const partMonths = { quarter: 3, half: 6, season: 3, financialYear: 12 };
/** Of the financial years of South Africa's state and of Eskom: April. */
const financialMonth = 4;

function lengthOf({ part, month, day }: RangeEnd): Temporal.DurationLike {
  if (part?.kind === 'week') return { days: part.day === undefined ? 7 : 1 };
  if (part) return { months: partMonths[part.kind] };
  return day !== undefined ? { days: 1 } : month !== undefined ? { months: 1 } : { years: 1 };
}

function startOfPart(year: number, part: NonNullable<RangeEnd['part']>, choose: Choose): Temporal.PlainDate {
  const { kind, number, day } = part;
  if (kind === 'season') return newDate(year, seasonStart(number, choose), 1);
  // Named after the year that it ends in, or after the one that it begins in.
  if (kind === 'financialYear') return newDate(choose(year - 1, year), financialMonth, 1);
  if (kind !== 'week') return newDate(year, (number - 1) * partMonths[kind] + 1, 1);
  const monday = mondayOf(year, number);
  if (day !== undefined && (day < 1 || day > 7)) throw new RangeError('no such day of a week');
  return monday.add({ days: (day ?? 1) - 1 });
}

function newDate(year: number, month: number, day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
}

/** The Monday of an ISO 8601 week: week 1 is the one with 4 January in it. */
function mondayOf(year: number, week: number): Temporal.PlainDate {
  const fourth = newDate(year, 1, 4);
  const monday = fourth.add({ days: (week - 1) * 7 - (fourth.dayOfWeek - 1) });
  if (monday.yearOfWeek !== year || monday.weekOfYear !== week) throw new RangeError('no such week');
  return monday;
}

/** 24:00 is the midnight that ends the day. Throws where the clock has no such time; Temporal would take second 60 for 59. */
export function dateTime(date: Temporal.PlainDate, clock: string): Temporal.PlainDateTime {
  if (/^24:00(?::00(?:\.0+)?)?$/.test(clock)) return date.add({ days: 1 }).toPlainDateTime();
  if (/:60(?:\.|$)/.test(clock)) throw new RangeError('no such second');
  return date.toPlainDateTime(clock);
}
