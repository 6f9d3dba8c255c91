import { partMonths, type RangeEnd } from './rangeEnd.ts';
import { createDate, assignNumbers } from './rangePoint.ts';
import type { Choose } from './rangeSpec.ts';

type Ends = readonly [from: RangeEnd, to: RangeEnd];

/**
 * Completes each end of a range with the year, the month or the day that only the other end specifies. If the range then ends before it
 * begins, moves one end over the new year or over midnight, or swaps the ends if `choose` says so.
 */
export function completeEnds(left: RangeEnd, right: RangeEnd, choose: Choose): Ends {
  // “May 1 to 5, 2023”: the 5 is a day of May, not a month.
  const leftHasMonthAndDay = left.month !== undefined && left.numbers.length === 1 && left.year === undefined;
  if (leftHasMonthAndDay && right.numbers.length === 1 && !right.part && left.month !== undefined)
    right.month ??= left.month;
  // “1/5 14:00-17:00 2023”: the year belongs to the date, not to the clock time.
  if (left.year === undefined && right.clock !== undefined && isYearOnly(right)) {
    Object.assign(left, { year: right.year });
    delete right.year;
  }
  assignNumbers(left, choose);
  assignNumbers(right, choose);
  const endsWithoutWrittenYear = [left, right].filter(end => end.year === undefined && end.point === undefined);
  const endWithoutWrittenDate = [left, right].find(end => !isDated(end));
  if (!isDated(right)) completeRight(left, right);
  else if (right.year === undefined && right.daysAgo === undefined && left.year !== undefined) right.year = left.year;
  if (!isDated(left)) completeLeft(left, right);
  else if (left.year === undefined && haveSamePrecision(left, right) && right.year !== undefined)
    left.year = right.year;
  // In “28/12 - 3/1 2023”, the first end has got its year, so 28/12 can be assigned.
  assignNumbers(left, choose);
  copyZone(left, right);
  const { weekday, minDaysAgo = 0 } = left;
  // “Friday 22:00 to Saturday 06:00” ends on the day after its start, even if that day is tomorrow.
  if (weekday !== undefined && right.weekday === (weekday % 7) + 1 && getMinute(left) >= getMinute(right))
    right.minDaysAgo ??= minDaysAgo - 1;
  const [endWithoutWrittenYear] = endsWithoutWrittenYear;
  if (!endWithoutWrittenYear || endsWithoutWrittenYear.length > 1)
    return endWithoutWrittenDate ? extendOverMidnight(left, right, endWithoutWrittenDate, choose) : [left, right];
  return endWithoutWrittenDate === endWithoutWrittenYear && left.clock !== undefined && right.clock !== undefined
    ? extendOverMidnight(left, right, endWithoutWrittenDate, choose)
    : extendOverNewYear(left, right, endWithoutWrittenYear, choose);
}

/**
 * Moves one end over the new year: “28 Dec - 3 Jan 2023” begins in 2022. For a range of more than six months, such as “May - March 2023”,
 * `choose` decides whether the ends are swapped instead.
 */
function extendOverNewYear(left: RangeEnd, right: RangeEnd, endWithoutWrittenYear: RangeEnd, choose: Choose): Ends {
  const monthsBack = getMonthPosition(left) - getMonthPosition(right);
  if (left.year === undefined || left.year !== right.year || !(monthsBack > 0)) return [left, right];
  if (monthsBack < 6 && choose('order', false, true)) return [right, left];
  endWithoutWrittenYear.year = left.year + (endWithoutWrittenYear === left ? -1 : 1);
  return [left, right];
}

/** Returns the position in the year, in months, or NaN for an end without a month. */
function getMonthPosition({ part, month = NaN }: RangeEnd): number {
  if (!part) return month;
  return part.partKind === 'week' ? (part.number * 12) / 53 : part.number * partMonths[part.partKind];
}

/**
 * Moves one end over midnight: “1 May 2023 22:00-02:00” ends on 2 May. For a range of more than 12 hours, such as 17:00-14:00, `choose`
 * decides whether the ends are swapped instead. If the day of a shorter range is written after both times, `choose` decides which of them is
 * on that day.
 */
function extendOverMidnight(left: RangeEnd, right: RangeEnd, endWithoutWrittenDate: RangeEnd, choose: Choose): Ends {
  const minutesBack = getMinute(left) - getMinute(right);
  if (
    !(minutesBack > 0) ||
    left.zone !== right.zone ||
    !canMoveDay(endWithoutWrittenDate, endWithoutWrittenDate === right ? 1 : -1)
  )
    return [left, right];
  const spansMoreThan12Hours = minutesBack < 12 * 60;
  if (spansMoreThan12Hours && choose('order', false, true)) return [right, left];
  if (endWithoutWrittenDate === right || spansMoreThan12Hours || choose('order', true, false)) moveDay(right, 1);
  else moveDay(left, -1);
  return [left, right];
}

function getMinute({ clock = '' }: RangeEnd): number {
  const [hour = NaN, minute = NaN] = clock.split(':').map(Number);
  return hour * 60 + minute;
}

/** Whether the end can move by a day. A relative day can't move beyond tomorrow. */
function canMoveDay({ daysAgo, weekday, day, part }: RangeEnd, days: 1 | -1): boolean {
  return daysAgo === undefined ? (day ?? weekday) !== undefined && !part : daysAgo - days >= -1;
}

function moveDay(end: RangeEnd, days: 1 | -1): void {
  if (end.daysAgo !== undefined) end.daysAgo -= days;
  const { year, month = 1, day = 1, weekday, minDaysAgo = 0 } = end;
  if (year === undefined) {
    if (weekday !== undefined)
      Object.assign(end, { weekday: ((weekday + 6 + days) % 7) + 1, minDaysAgo: minDaysAgo - days });
    return;
  }
  try {
    const moved = createDate(year, month, day).add({ days });
    Object.assign(end, { year: moved.year, month: moved.month, day: moved.day });
  } catch {
    // `toPoint` reports a date that doesn't exist.
    return;
  }
  // The weekday belonged to the original date.
  delete end.weekday;
}

function isDated({ year, month, part, daysAgo, weekday, point }: RangeEnd): boolean {
  return [year, month, part, daysAgo, weekday, point].some(field => field !== undefined);
}

function isYearOnly({ year, numbers, month, day, part, weekday, daysAgo, point }: RangeEnd): boolean {
  const isAlone = [month, day, part, weekday, daysAgo, point].every(field => field === undefined);
  return year !== undefined && numbers.length === 0 && isAlone;
}

/** Whether both ends have the same precision. “May” takes the year of “July 2023”, but not the year of “2023”. */
function haveSamePrecision(left: RangeEnd, right: RangeEnd): boolean {
  return left.part
    ? left.part.partKind === right.part?.partKind
    : left.month !== undefined && right.month !== undefined;
}

/** Completes the second end of 2023-05-01..03, 2023-05-01..05-03, 2023-W05..07, and “1 May 2023 14:00-17:00”. */
function completeRight(left: RangeEnd, right: RangeEnd): void {
  const [first, second] = right.numbers;
  if (first === undefined) {
    copyDate(left, right);
  } else if (second !== undefined) {
    if (left.yearFirst && left.day !== undefined) assign(right, { year: left.year, month: first, day: second });
  } else if (left.part && /^(?:quarter|half|week)$/.test(left.part.partKind) && left.part.day === undefined) {
    assign(right, { year: left.year, part: { ...left.part, number: first } });
  } else if (left.day !== undefined) {
    assign(right, { year: left.year, month: left.month, day: first });
  } else if (left.month !== undefined && left.yearFirst) {
    assign(right, { year: left.year, month: first });
  }
}

/** Completes the first end of “1 to 5 May 2023”, and “14:00 to 17:00, 1 May 2023”. */
function completeLeft(left: RangeEnd, right: RangeEnd): void {
  const [first, second] = left.numbers;
  if (first === undefined) copyDate(right, left);
  else if (second === undefined && right.day !== undefined)
    assign(left, { year: right.year, month: right.month, day: first });
  else if (right.day !== undefined && right.year !== undefined) left.year = right.year;
  else if (second === undefined && isNumericMonth(right)) assign(left, { year: right.year, month: first });
}

/** Whether an end is a month in digits, like the 5/2023 of 1-5/2023. */
function isNumericMonth({ month, yearFirst, tokens }: RangeEnd): boolean {
  return month !== undefined && !yearFirst && tokens.every(({ kind }) => kind === 'number' || kind === 'sign');
}

/** Copies the date of one end to the other if both are clock times. */
function copyDate(dated: RangeEnd, clockAlone: RangeEnd): void {
  if (dated.clock === undefined || clockAlone.clock === undefined || !isDated(dated)) return;
  const { clock, zone = dated.zone, tokens } = clockAlone;
  Object.assign(clockAlone, dated, { clock, tokens }, zone !== undefined && { zone });
}

/** Applies the zone of one clock time to both, as in an ISO 8601 interval. */
function copyZone(left: RangeEnd, right: RangeEnd): void {
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
