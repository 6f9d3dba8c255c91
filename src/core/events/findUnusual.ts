import { dayMs, daysPerYear, hourMs, weekMs } from '../../shared/durations.ts';
import type { UnusualBin } from '../../shared/eventSearch.ts';
import type { FieldInfo, Frame, NumberColumn, TextColumn, TimeColumn } from '../../shared/frame.ts';
import { cellState, getCellState } from '../../shared/frame.ts';
import { getDifferenceUnit, unitOf } from '../../shared/units.ts';
import { findHourCounts } from '../bins/binFrame.ts';
import type { Translate } from '../bins/binSums.ts';
import { findHoliday, sastOffsetMs } from '../calendar/holidays.ts';
import { takeRows } from '../frame/clip.ts';
import type { Span } from '../range/resolveRange.ts';
import { quantile } from '../statistics/quantile.ts';
import { subtractDecimals } from '../statistics/decimalSum.ts';
import { toZonedDateTime, ZoneOffsets } from '../time/zoneOffsets.ts';
import { eventColumns } from './eventColumns.ts';

/** The number of previous weeks that a row is compared with. */
export const weeksBefore = 8;
/** The number of earlier years whose same week and adjacent weeks a row is compared with. */
export const yearsBefore = 10;
/** A row with fewer values to compare with is not judged. */
export const minComparedValues = 4;
/** A day or month counts if at least this share of its hours has a value. */
const minKnownShare = 0.99;

/** The columns of unusual rows other than the value itself. */
export const unusualColumns = {
  usual: { label: 'Typical', meaning: 'Median of the compared values' },
  difference: { label: 'Difference', meaning: 'Value minus the typical value' },
  rank: { label: 'Rank', meaning: '1 if it is the highest of the compared values' },
  of: { label: 'Values', meaning: 'Number of values ranked' },
  percentile: {
    label: 'Percentile',
    meaning: 'Percentage of the compared values that are lower; equal values count half',
  },
  reason: { label: 'Why', meaning: 'The reason why the value is unusual' },
} as const satisfies Record<string, FieldInfo>;

/** Reasons why a row is unusual. {0}: the compared rows, such as `Monday 18:00`. */
export const unusualReasons = {
  highestSince: 'Highest {0} since {1}',
  lowestSince: 'Lowest {0} since {1}',
  highest: 'Highest {0} of {1}',
  lowest: 'Lowest {0} of {1}',
  highestOfWeeks: 'Highest {0} in {1} weeks',
  lowestOfWeeks: 'Lowest {0} in {1} weeks',
  rank: '{0}: {1} of {2}, from the highest',
  above: '{0} above the typical {1}',
  below: '{0} below the typical {1}',
  asUsual: 'typical',
  week: 'week',
} as const;

/** The input of a search for unusual rows. */
export interface UnusualSearch {
  /** The rows to judge and the rows before them, sorted by time. */
  readonly frame: Frame;
  readonly time: TimeColumn;
  readonly column: NumberColumn;
  readonly by: UnusualBin;
  /** Rows entirely outside this span serve only as comparison. UTC milliseconds. */
  readonly judged: Span;
  /** 1 for each row that passes the filters; other rows serve only as comparison. Omitted for all rows. */
  readonly passes?: Uint8Array | undefined;
  /** The time zone of weekdays, hours and months. */
  readonly timeZone: string;
  /** The length of a row in milliseconds, if all rows have the same length. */
  readonly intervalMs: number;
}

export interface FoundUnusual {
  readonly frame: Frame;
  /** The number of rows that are incomplete or have too few values to compare with. */
  readonly unrated: number;
}

/** A row with the result of its comparison. */
interface JudgedRow {
  readonly row: number;
  readonly usual: number;
  readonly difference: number;
  /** The distance from the range of the compared values; 0 within it. */
  readonly distanceOutside: number;
  readonly rank: number;
  readonly of: number;
  readonly percentile: number;
  readonly claim: ReasonClaim;
}

interface ReasonClaim {
  readonly text: keyof typeof unusualReasons;
  /** The year, the number of weeks or the number of values. */
  readonly number: number;
}

/** The earlier rows that a row is compared with, the latest first: the same months, or the same times of the week. */
type ComparedPeriods = readonly { readonly periodsBack: number; readonly isWeekBefore?: true }[];

const earlierMonths: ComparedPeriods = Array.from({ length: yearsBefore }, (_, index) => ({
  periodsBack: 12 * (index + 1),
}));
const earlierWeeks: ComparedPeriods = [
  ...Array.from({ length: weeksBefore }, (_, index) => ({ periodsBack: index + 1, isWeekBefore: true as const })),
  ...Array.from({ length: yearsBefore }, (_, index) => Math.round(((index + 1) * daysPerYear) / 7)).flatMap(weeks =>
    [weeks - 1, weeks, weeks + 1].map(periodsBack => ({ periodsBack })),
  ),
];

/**
 * Returns the spans before a range whose rows are compared with the rows of the range: the spans of earlier years in order, and the
 * previous weeks, without overlaps and in UTC milliseconds. They are wide enough for whole months and clock changes.
 */
export function listComparedSpans({ start, end }: Span): { readonly earlier: readonly Span[]; readonly recent: Span } {
  const years = Array.from({ length: yearsBefore }, (_, index) => {
    const offsetMs = (index + 1) * daysPerYear * dayMs;
    return { start: start - offsetMs - 5 * weekMs, end: end - offsetMs + 5 * weekMs };
  });
  const floorToHour = (ms: number): number => Math.floor(ms / hourMs) * hourMs;
  const recent = { start: floorToHour(start - (weeksBefore + 1) * weekMs), end: start };
  const earlier = years.reverse().reduce<Span[]>((joined, span) => {
    const previous = joined.at(-1);
    const from = floorToHour(Math.max(span.start, previous?.end ?? -Infinity));
    const until = Math.min(span.end, recent.start);
    return from < until ? [...joined, { start: from, end: floorToHour(until) }] : joined;
  }, []);
  return { earlier, recent };
}

/**
 * Returns a row for each judged row that has at least `minComparedValues` values to compare with, the most unusual first: rows furthest
 * outside all compared values, then rows furthest from their median. The percentile counts equal values half, like `percentileofscore`
 * of SciPy with kind 'mean'. `translate` translates the reasons, whose figures and dates are formatted for `locale`.
 */
export function findUnusual(search: UnusualSearch, locale: string, translate: Translate): FoundUnusual {
  const { frame, time, column, judged, passes } = search;
  const values = getKnownValues(frame, column);
  const starts = frame.rowCount === 0 ? new Float64Array() : time.values;
  const { getKey, periodLength } = createRowKeys(search);
  const keys = starts.map(getKey);
  const getEnd = createRowEnds(search);
  const rowByKey = new Map<number, number>();
  for (let row = starts.length - 1; row >= 0; row--) {
    // If several rows share an instant, the last one counts; if two instants have the same local time, the first one counts.
    const key = keys[row] ?? NaN;
    const knownRow = rowByKey.get(key);
    if (knownRow === undefined || starts[knownRow] !== starts[row]) rowByKey.set(key, row);
  }
  const judgedRows: JudgedRow[] = [];
  let unrated = 0;
  for (let row = 0; row < starts.length; row++) {
    const start = starts[row] ?? NaN;
    if (!(start < judged.end && getEnd(start) > judged.start) || starts[row + 1] === start) continue;
    if (passes && passes[row] !== 1) continue;
    const key = keys[row] ?? NaN;
    const result = judgeRow(row, values, periodsBack => rowByKey.get(key - periodLength * periodsBack), search.by, key);
    if (result) judgedRows.push(result);
    else unrated++;
  }
  judgedRows.sort(
    (a, b) => b.distanceOutside - a.distanceOutside || Math.abs(b.difference) - Math.abs(a.difference) || a.row - b.row,
  );
  return { frame: createUnusualFrame(search, judgedRows, locale, translate), unrated };
}

/** Returns the values of a column; NaN for a row without a value, or with too few known hours. */
function getKnownValues(frame: Frame, column: NumberColumn): Float64Array {
  const [, hourCounts] = findHourCounts(frame) ?? [];
  return new Float64Array(frame.rowCount).map((_, row) => {
    const isKnown = getCellState(column, row) === cellState.value;
    const isComplete =
      !hourCounts || !column.hours || (column.hours[row] ?? 0) >= (hourCounts.values[row] ?? 0) * minKnownShare;
    return isKnown && isComplete ? (column.values[row] ?? NaN) : NaN;
  });
}

interface RowKeys {
  /** Returns a number for a row by its start. The numbers of rows that are one month or one week apart differ by `periodLength`. */
  readonly getKey: (begin: number) => number;
  readonly periodLength: number;
}

function createRowKeys({ by, timeZone }: UnusualSearch): RowKeys {
  if (by === 'month') {
    const getMonthKey = (begin: number): number => {
      const { year, month } = toZonedDateTime(begin, timeZone);
      return year * 12 + month - 1;
    };
    return { getKey: getMonthKey, periodLength: 1 };
  }
  const offsets = new ZoneOffsets(timeZone);
  return { getKey: begin => offsets.getLocalTime(begin), periodLength: weekMs };
}

function judgeRow(
  row: number,
  values: Float64Array,
  findRow: (periodsBack: number) => number | undefined,
  by: UnusualBin,
  key: number,
): JudgedRow | undefined {
  const value = values[row] ?? NaN;
  if (!Number.isFinite(value)) return undefined;
  const comparedValues = (by === 'month' ? earlierMonths : earlierWeeks).flatMap(({ periodsBack, isWeekBefore }) => {
    const comparedValue = values[findRow(periodsBack) ?? -1] ?? NaN;
    return Number.isFinite(comparedValue) ? [{ periodsBack, isWeekBefore, value: comparedValue }] : [];
  });
  const count = comparedValues.length;
  if (count < minComparedValues) return undefined;
  const ascending = Float64Array.from(comparedValues, comparedValue => comparedValue.value).sort();
  const median = quantile(ascending, 0.5);
  const lowest = ascending[0] ?? NaN;
  const highest = ascending.at(-1) ?? NaN;
  const lowerCount = comparedValues.filter(comparedValue => comparedValue.value < value).length;
  const equalCount = comparedValues.filter(comparedValue => comparedValue.value === value).length;
  return {
    row,
    usual: median,
    difference: subtractDecimals(value, median),
    distanceOutside: Math.max(0, subtractDecimals(value, highest), subtractDecimals(lowest, value)),
    rank: count - lowerCount - equalCount + 1,
    of: count + 1,
    percentile: Math.round(((lowerCount + equalCount / 2) / count) * 1e4) / 1e2,
    claim: chooseClaim(comparedValues, value, median, by === 'month' ? Math.floor(key / 12) : undefined),
  };
}

/**
 * Chooses the statement about a row. `year`: the year of the row if rows are months. The periods between the compared ones are unknown,
 * so only an unbroken sequence of months or weeks allows the statement "highest since".
 */
function chooseClaim(
  compared: readonly {
    readonly periodsBack: number;
    readonly isWeekBefore?: true | undefined;
    readonly value: number;
  }[],
  value: number,
  median: number,
  year: number | undefined,
): ReasonClaim {
  const isHigh = value >= median;
  const isExceeded = (comparedValue: number): boolean => (isHigh ? comparedValue >= value : comparedValue <= value);
  const index = compared.findIndex(comparedValue => isExceeded(comparedValue.value));
  if (index < 0) return { text: isHigh ? 'highest' : 'lowest', number: compared.length + 1 };
  const { periodsBack = 0 } = compared[index] ?? {};
  if (year !== undefined && index >= minComparedValues && periodsBack === 12 * (index + 1))
    return { text: isHigh ? 'highestSince' : 'lowestSince', number: year - periodsBack / 12 };
  const weeks = compared.filter(
    ({ isWeekBefore, periodsBack: week }, position) => isWeekBefore && week === position + 1,
  ).length;
  if (weeks >= minComparedValues && index >= weeks)
    return { text: isHigh ? 'highestOfWeeks' : 'lowestOfWeeks', number: weeks };
  return { text: 'rank', number: 0 };
}

function createUnusualFrame(
  search: UnusualSearch,
  judgedRows: readonly JudgedRow[],
  locale: string,
  translate: Translate,
): Frame {
  const { frame, time, column } = search;
  const formatters = createReasonFormatters(search, locale, translate);
  const rows = Uint32Array.from(judgedRows, ({ row }) => row);
  const starts = Float64Array.from(rows, row => time.values[row] ?? NaN);
  const { unit } = column.field ?? {};
  const describeColumn = (name: keyof typeof unusualColumns, field: FieldInfo = unusualColumns[name]) => ({
    name,
    path: [name],
    field,
  });
  const createNumberColumn = (
    name: keyof typeof unusualColumns & keyof JudgedRow,
    fieldWithUnit?: Pick<FieldInfo, 'unit'>,
  ): NumberColumn => ({
    kind: 'number',
    ...describeColumn(name, { ...unusualColumns[name], ...fieldWithUnit }),
    values: Float64Array.from(judgedRows, judgedRow => judgedRow[name]),
  });
  const createTimeColumn = (name: 'start' | 'end', values: Float64Array): TimeColumn => ({
    kind: 'time',
    name,
    path: [name],
    field: eventColumns[name],
    values,
  });
  const reasons: TextColumn = {
    kind: 'text',
    ...describeColumn('reason'),
    texts: {
      codes: rows.map((_, index) => index),
      entries: judgedRows.map((judgedRow, index) =>
        formatReason(search, judgedRow, starts[index] ?? NaN, formatters, translate),
      ),
    },
  };
  const { columns } = takeRows({ rowCount: frame.rowCount, columns: [column] }, rows);
  return {
    rowCount: judgedRows.length,
    columns: [
      createTimeColumn('start', starts),
      createTimeColumn('end', starts.map(createRowEnds(search))),
      ...columns,
      reasons,
      createNumberColumn('usual', unit && { unit }),
      createNumberColumn('difference', unit && { unit: getDifferenceUnit(unit) }),
      createNumberColumn('rank'),
      createNumberColumn('of'),
      createNumberColumn('percentile'),
    ],
  };
}

/** Returns a function for the end of a row by its start. */
function createRowEnds({ by, timeZone, intervalMs }: UnusualSearch): (begin: number) => number {
  if (by === 'row' && intervalMs < dayMs) return begin => begin + intervalMs;
  const unit = by === 'month' ? 'months' : by === 'week' ? 'weeks' : 'days';
  return begin => toZonedDateTime(begin, timeZone).add({ [unit]: 1 }).epochMilliseconds;
}

/** Formats "Lowest Monday 18:00 of 15: 1,240 MW below the usual 24,900 MW; Heritage Day". */
function formatReason(
  { by }: UnusualSearch,
  judgedRow: JudgedRow,
  begin: number,
  formatters: ReasonFormatters,
  translate: Translate,
): string {
  const { text, number } = judgedRow.claim;
  const rowsText = formatters.rows(begin);
  const claim =
    text === 'rank'
      ? translate(unusualReasons.rank, rowsText, String(judgedRow.rank), String(judgedRow.of))
      : translate(unusualReasons[text], rowsText, String(number));
  const absoluteDifference = Math.abs(judgedRow.difference);
  const distance =
    absoluteDifference === 0
      ? translate(unusualReasons.asUsual)
      : translate(
          judgedRow.difference > 0 ? unusualReasons.above : unusualReasons.below,
          formatters.size(absoluteDifference),
          formatters.value(judgedRow.usual),
        );
  const holiday = by === 'row' || by === 'day' ? findHoliday(Math.floor((begin + sastOffsetMs) / dayMs)) : undefined;
  return `${claim}: ${distance}${holiday ? `; ${translate(holiday)}` : ''}`;
}

/** Formatters for the parts of a reason. */
interface ReasonFormatters {
  /** Names the compared rows: `Monday 18:00`, `Monday`, `week`, `May`. */
  readonly rows: (begin: number) => string;
  readonly value: (value: number) => string;
  /** Formats the absolute value of a difference, for shares in percentage points. */
  readonly size: (value: number) => string;
}

function createReasonFormatters(
  { by, timeZone, intervalMs, column }: UnusualSearch,
  locale: string,
  translate: Translate,
): ReasonFormatters {
  const unit = unitOf(column.field);
  const formatMeasured = createMeasureFormatter(locale);
  const fixedOptions = { timeZone, calendar: 'gregory', numberingSystem: 'latn' } as const;
  const month = new Intl.DateTimeFormat(locale, { ...fixedOptions, month: 'long' });
  const weekday = new Intl.DateTimeFormat(locale, { ...fixedOptions, weekday: 'long' });
  const clock = new Intl.DateTimeFormat('en-US', {
    ...fixedOptions,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const isWholeDay = by === 'day' || intervalMs >= dayMs;
  const offsets = new ZoneOffsets(timeZone);
  const cache = new Map<number, string>();
  const formatTimeOfWeek = (begin: number): string => {
    const timeInWeek = offsets.getLocalTime(begin) % weekMs;
    const text =
      cache.get(timeInWeek) ?? [weekday.format(begin), ...(isWholeDay ? [] : [clock.format(begin)])].join(' ');
    cache.set(timeInWeek, text);
    return text;
  };
  const rows = (begin: number): string => {
    if (by === 'week') return translate(unusualReasons.week);
    return by === 'month' ? month.format(begin) : formatTimeOfWeek(begin);
  };
  return {
    rows,
    value: value => formatMeasured(value, unit.text),
    size: value => formatMeasured(value, getDifferenceUnit(unit).text),
  };
}

/** Formats numbers from 100 on without decimals, and smaller numbers with three significant digits. */
function createMeasureFormatter(locale: string): (value: number, unit: string) => string {
  const large = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, numberingSystem: 'latn' });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3, numberingSystem: 'latn' });
  return (value, unit) => [(Math.abs(value) >= 100 ? large : small).format(value), unit].filter(Boolean).join(' ');
}
