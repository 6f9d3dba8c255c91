import { dayMs, daysOfYear, hourMs, weekMs } from '../../shared/durations.ts';
import type { UnusualRows } from '../../shared/eventSearch.ts';
import type { FieldInfo, Frame, NumberColumn, TextColumn, TimeColumn } from '../../shared/frame.ts';
import { cellState, stateAt } from '../../shared/frame.ts';
import { differenceOf, unitOf } from '../../shared/units.ts';
import { hourCountsIn } from '../bins/binFrame.ts';
import type { Say } from '../bins/binSums.ts';
import { holidayOn, sastMs } from '../calendar/holidays.ts';
import { takeRows } from '../frame/clip.ts';
import type { Span } from '../range/resolveRange.ts';
import { quantile } from '../statistics/sorted.ts';
import { decimalDifference } from '../statistics/sumDigits.ts';
import { zoned, ZoneOffsets } from '../time/zoneOffsets.ts';
import { eventColumns } from './eventColumns.ts';

/** Rows are compared with those of this many previous weeks, and with the same week and the adjacent ones of earlier years. */
export const weeksBefore = 8;
export const yearsBefore = 10;
/** A row with fewer values to compare with is not judged. */
export const fewestCompared = 4;
/** A day or month counts if at least this share of its hours has a value. */
const leastKnown = 0.99;

/** The columns of unusual rows other than the value itself. */
export const unusualColumns = {
  usual: { label: 'Usual', meaning: 'Median of the values compared with' },
  difference: { label: 'Difference', meaning: 'Value minus the usual one' },
  rank: { label: 'Rank', meaning: '1 for the highest of the values compared with and this one' },
  of: { label: 'Of', meaning: 'How many values are ranked' },
  percentile: {
    label: 'Percentile',
    meaning: 'Percentage of the values compared with that are lower, equal ones counted half',
  },
  reason: { label: 'Why', meaning: 'What is unusual' },
} as const satisfies Record<string, FieldInfo>;

/** Reasons why a row is unusual. {0}: the compared rows, such as `Monday 18:00`. */
export const unusualTexts = {
  highestSince: 'Highest {0} since {1}',
  lowestSince: 'Lowest {0} since {1}',
  highest: 'Highest {0} of {1}',
  lowest: 'Lowest {0} of {1}',
  highestOfWeeks: 'Highest {0} in {1} weeks',
  lowestOfWeeks: 'Lowest {0} in {1} weeks',
  rank: '{0}: {1} of {2}, from the highest',
  above: '{0} above the usual {1}',
  below: '{0} below the usual {1}',
  asUsual: 'as usual',
  week: 'week',
} as const;

/** The input of a search for unusual rows. */
export interface UnusualSearch {
  /** The rows to judge and those before them, sorted by time. */
  readonly frame: Frame;
  readonly time: TimeColumn;
  readonly column: NumberColumn;
  readonly by: UnusualRows;
  /** Rows entirely outside this span serve only as comparison. UTC milliseconds. */
  readonly judged: Span;
  /** 1 for each row that passes the filters; other rows serve only as comparison. Omitted for all rows. */
  readonly passes?: Uint8Array | undefined;
  /** The time zone of weekdays, hours and months. */
  readonly timeZone: string;
  /** The length of a row in milliseconds, if all rows have the same length. */
  readonly stepMs: number;
}

export interface FoundUnusual {
  readonly frame: Frame;
  /** The number of rows that are incomplete or have too few values to compare with. */
  readonly unjudged: number;
}

/** A row with the result of its comparison. */
interface Judged {
  readonly row: number;
  readonly usual: number;
  readonly difference: number;
  /** The distance from the range of the compared values; 0 within it. */
  readonly beyond: number;
  readonly rank: number;
  readonly of: number;
  readonly percentile: number;
  readonly claim: Claim;
}

interface Claim {
  readonly text: keyof typeof unusualTexts;
  /** The year, the number of weeks or the number of values. */
  readonly number: number;
}

/** The earlier rows that a row is compared with, the latest first: the same months, or the same times of the week. */
type Earlier = readonly { readonly back: number; readonly isWeekBefore?: true }[];

const earlierMonths: Earlier = Array.from({ length: yearsBefore }, (_, at) => ({ back: 12 * (at + 1) }));
const earlierWeeks: Earlier = [
  ...Array.from({ length: weeksBefore }, (_, at) => ({ back: at + 1, isWeekBefore: true as const })),
  ...Array.from({ length: yearsBefore }, (_, at) => Math.round(((at + 1) * daysOfYear) / 7)).flatMap(weeks =>
    [weeks - 1, weeks, weeks + 1].map(back => ({ back })),
  ),
];

/**
 * Returns the spans before a range whose rows are compared with those of the range: first those of earlier years in order, then the
 * previous weeks, without overlaps and in UTC milliseconds. They are wide enough for whole months and clock changes.
 */
export function comparedSpans({ start, end }: Span): { readonly earlier: readonly Span[]; readonly recent: Span } {
  const years = Array.from({ length: yearsBefore }, (_, at) => {
    const back = (at + 1) * daysOfYear * dayMs;
    return { start: start - back - 5 * weekMs, end: end - back + 5 * weekMs };
  });
  const hours = (ms: number): number => Math.floor(ms / hourMs) * hourMs;
  const recent = { start: hours(start - (weeksBefore + 1) * weekMs), end: start };
  const earlier = years.reverse().reduce<Span[]>((joined, span) => {
    const last = joined.at(-1);
    const [from, until] = [hours(Math.max(span.start, last?.end ?? -Infinity)), Math.min(span.end, recent.start)];
    return from < until ? [...joined, { start: from, end: hours(until) }] : joined;
  }, []);
  return { earlier, recent };
}

/**
 * Returns a row for each judged row that has at least `minComparedValues` values to compare with, the most unusual first: those furthest
 * outside all compared values, then those furthest from their median. The percentile counts equal values half, like `percentileofscore`
 * of SciPy with kind 'mean'. `translate` translates the reasons, whose figures and dates are formatted for `locale`.
 */
export function findUnusual(search: UnusualSearch, locale: string, say: Say): FoundUnusual {
  const { frame, time, column, judged, passes } = search;
  const values = knownValues(frame, column);
  const begins = frame.rowCount === 0 ? new Float64Array() : time.values;
  const { key: keyOf, length } = keysOf(search);
  const keys = begins.map(keyOf);
  const endOf = endsOf(search);
  const rowByKey = new Map<number, number>();
  for (let row = begins.length - 1; row >= 0; row--) {
    // If several rows share an instant, the last one counts; if clocks show two instants alike, the first one.
    const key = keys[row] ?? NaN;
    const known = rowByKey.get(key);
    if (known === undefined || begins[known] !== begins[row]) rowByKey.set(key, row);
  }
  const found: Judged[] = [];
  let unjudged = 0;
  for (let row = 0; row < begins.length; row++) {
    const begin = begins[row] ?? NaN;
    if (!(begin < judged.end && endOf(begin) > judged.start) || begins[row + 1] === begin) continue;
    if (passes && passes[row] !== 1) continue;
    const key = keys[row] ?? NaN;
    const one = judge(row, values, back => rowByKey.get(key - length * back), search.by, key);
    if (one) found.push(one);
    else unjudged++;
  }
  found.sort((a, b) => b.beyond - a.beyond || Math.abs(b.difference) - Math.abs(a.difference) || a.row - b.row);
  return { frame: unusualFrame(search, found, locale, say), unjudged };
}

/** Returns the values of a column; NaN if there is none, or if too few hours of the row are known. */
function knownValues(frame: Frame, column: NumberColumn): Float64Array {
  const [, all] = hourCountsIn(frame) ?? [];
  return new Float64Array(frame.rowCount).map((_, row) => {
    const isKnown = stateAt(column, row) === cellState.value;
    const isWhole = !all || !column.hours || (column.hours[row] ?? 0) >= (all.values[row] ?? 0) * leastKnown;
    return isKnown && isWhole ? (column.values[row] ?? NaN) : NaN;
  });
}

interface Keys {
  /** Returns a number for a row by its start. Rows of consecutive periods by the calendar differ by `length`. */
  readonly key: (begin: number) => number;
  readonly length: number;
}

function keysOf({ by, timeZone }: UnusualSearch): Keys {
  if (by === 'month') {
    const key = (begin: number): number => {
      const { year, month } = zoned(begin, timeZone);
      return year * 12 + month - 1;
    };
    return { key, length: 1 };
  }
  const offsets = new ZoneOffsets(timeZone);
  return { key: begin => offsets.wallAt(begin), length: weekMs };
}

function judge(
  row: number,
  values: Float64Array,
  rowAt: (back: number) => number | undefined,
  by: UnusualRows,
  key: number,
): Judged | undefined {
  const value = values[row] ?? NaN;
  if (!Number.isFinite(value)) return undefined;
  const compared = (by === 'month' ? earlierMonths : earlierWeeks).flatMap(({ back, isWeekBefore }) => {
    const other = values[rowAt(back) ?? -1] ?? NaN;
    return Number.isFinite(other) ? [{ back, isWeekBefore, value: other }] : [];
  });
  const count = compared.length;
  if (count < fewestCompared) return undefined;
  const ascending = Float64Array.from(compared, other => other.value).sort();
  const usual = quantile(ascending, 0.5);
  const [lowest, highest] = [ascending[0] ?? NaN, ascending.at(-1) ?? NaN];
  const below = compared.filter(other => other.value < value).length;
  const equal = compared.filter(other => other.value === value).length;
  return {
    row,
    usual,
    difference: decimalDifference(value, usual),
    beyond: Math.max(0, decimalDifference(value, highest), decimalDifference(lowest, value)),
    rank: count - below - equal + 1,
    of: count + 1,
    percentile: Math.round(((below + equal / 2) / count) * 1e4) / 1e2,
    claim: claimOf(compared, value, usual, by === 'month' ? Math.floor(key / 12) : undefined),
  };
}

/**
 * Chooses the statement about a row. `year`: the year of a month. Weeks between the compared ones are unknown, so only an unbroken
 * sequence of months or weeks allows `since`.
 */
function claimOf(
  compared: readonly { readonly back: number; readonly isWeekBefore?: true | undefined; readonly value: number }[],
  value: number,
  usual: number,
  year: number | undefined,
): Claim {
  const isHigh = value >= usual;
  const isBeaten = (other: number): boolean => (isHigh ? other >= value : other <= value);
  const at = compared.findIndex(other => isBeaten(other.value));
  if (at < 0) return { text: isHigh ? 'highest' : 'lowest', number: compared.length + 1 };
  const { back = 0 } = compared[at] ?? {};
  if (year !== undefined && at >= fewestCompared && back === 12 * (at + 1))
    return { text: isHigh ? 'highestSince' : 'lowestSince', number: year - back / 12 };
  const weeks = compared.filter(({ isWeekBefore, back: week }, index) => isWeekBefore && week === index + 1).length;
  if (weeks >= fewestCompared && at >= weeks)
    return { text: isHigh ? 'highestOfWeeks' : 'lowestOfWeeks', number: weeks };
  return { text: 'rank', number: 0 };
}

function unusualFrame(search: UnusualSearch, found: readonly Judged[], locale: string, say: Say): Frame {
  const { frame, time, column } = search;
  const words = wordsFor(search, locale, say);
  const rows = Uint32Array.from(found, ({ row }) => row);
  const begins = Float64Array.from(rows, row => time.values[row] ?? NaN);
  const { unit } = column.field ?? {};
  const described = (name: keyof typeof unusualColumns, field: FieldInfo = unusualColumns[name]) => ({
    name,
    path: [name],
    field,
  });
  const number = (name: keyof typeof unusualColumns & keyof Judged, as?: Pick<FieldInfo, 'unit'>): NumberColumn => ({
    kind: 'number',
    ...described(name, { ...unusualColumns[name], ...as }),
    values: Float64Array.from(found, one => one[name]),
  });
  const instants = (name: 'start' | 'end', values: Float64Array): TimeColumn => ({
    kind: 'time',
    name,
    path: [name],
    field: eventColumns[name],
    values,
  });
  const reasons: TextColumn = {
    kind: 'text',
    ...described('reason'),
    texts: {
      codes: rows.map((_, at) => at),
      entries: found.map((one, at) => reasonOf(search, one, begins[at] ?? NaN, words, say)),
    },
  };
  const { columns } = takeRows({ rowCount: frame.rowCount, columns: [column] }, rows);
  return {
    rowCount: found.length,
    columns: [
      instants('start', begins),
      instants('end', begins.map(endsOf(search))),
      ...columns,
      reasons,
      number('usual', unit && { unit }),
      number('difference', unit && { unit: differenceOf(unit) }),
      number('rank'),
      number('of'),
      number('percentile'),
    ],
  };
}

/** Returns a function for the end of a row by its start. */
function endsOf({ by, timeZone, stepMs }: UnusualSearch): (begin: number) => number {
  if (by === 'row' && stepMs < dayMs) return begin => begin + stepMs;
  const unit = by === 'month' ? 'months' : by === 'week' ? 'weeks' : 'days';
  return begin => zoned(begin, timeZone).add({ [unit]: 1 }).epochMilliseconds;
}

/** Formats "Lowest Monday 18:00 of 15: 1,240 MW below the usual 24,900 MW; Heritage Day". */
function reasonOf({ by }: UnusualSearch, one: Judged, begin: number, words: Words, say: Say): string {
  const { text, number } = one.claim;
  const rows = words.rows(begin);
  const claim =
    text === 'rank'
      ? say(unusualTexts.rank, rows, String(one.rank), String(one.of))
      : say(unusualTexts[text], rows, String(number));
  const size = Math.abs(one.difference);
  const distance =
    size === 0
      ? say(unusualTexts.asUsual)
      : say(one.difference > 0 ? unusualTexts.above : unusualTexts.below, words.size(size), words.value(one.usual));
  const holiday = by === 'row' || by === 'day' ? holidayOn(Math.floor((begin + sastMs) / dayMs)) : undefined;
  return `${claim}: ${distance}${holiday ? `; ${say(holiday)}` : ''}`;
}

/** Formatters for the reasons. */
interface Words {
  /** Names the compared rows: `Monday 18:00`, `Monday`, `week`, `May`. */
  readonly rows: (begin: number) => string;
  readonly value: (value: number) => string;
  /** Formats the absolute value of a difference, for shares in percentage points. */
  readonly size: (value: number) => string;
}

function wordsFor({ by, timeZone, stepMs, column }: UnusualSearch, locale: string, say: Say): Words {
  const own = unitOf(column.field);
  const measured = measuredIn(locale);
  const fixed = { timeZone, calendar: 'gregory', numberingSystem: 'latn' } as const;
  const month = new Intl.DateTimeFormat(locale, { ...fixed, month: 'long' });
  const weekday = new Intl.DateTimeFormat(locale, { ...fixed, weekday: 'long' });
  const clock = new Intl.DateTimeFormat('en-US', { ...fixed, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const isWholeDay = by === 'day' || stepMs >= dayMs;
  const offsets = new ZoneOffsets(timeZone);
  const ofWeek = new Map<number, string>();
  const timeOfWeek = (begin: number): string => {
    const place = offsets.wallAt(begin) % weekMs;
    const known = ofWeek.get(place) ?? [weekday.format(begin), ...(isWholeDay ? [] : [clock.format(begin)])].join(' ');
    ofWeek.set(place, known);
    return known;
  };
  const rows = (begin: number): string => {
    if (by === 'week') return say(unusualTexts.week);
    return by === 'month' ? month.format(begin) : timeOfWeek(begin);
  };
  return {
    rows,
    value: value => measured(value, own.text),
    size: value => measured(value, differenceOf(own).text),
  };
}

/** Formats whole numbers from 100 on, smaller ones with three significant digits. */
function measuredIn(locale: string): (value: number, unit: string) => string {
  const large = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, numberingSystem: 'latn' });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3, numberingSystem: 'latn' });
  return (value, unit) => [(Math.abs(value) >= 100 ? large : small).format(value), unit].filter(Boolean).join(' ');
}
