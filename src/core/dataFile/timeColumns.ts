import { cellKind, numberKinds, timeKinds } from './cellKinds.ts';
import type { ColumnEvidence } from './columnEvidence.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import type { DateOrder } from '../time/writtenTime.ts';
import { findZone } from '../time/zone.ts';

/** The indexes of the columns that make up the time of a row. */
export type TimeColumns =
  | { readonly kind: 'one'; readonly column: number }
  | { readonly kind: 'dateAndHour'; readonly date: number; readonly hour: number; readonly minute?: number }
  /** The half hours of a day are numbered from 1. */
  | { readonly kind: 'dateAndHalfHour'; readonly date: number; readonly halfHour: number }
  | {
      readonly kind: 'parts';
      readonly year: number;
      readonly month: number;
      readonly day?: number;
      readonly hour?: number;
      readonly minute?: number;
    };

/** Matches the names of columns in which digits are read as times. */
const timeNamePattern = /\b(?:ts|time|timestamp|date|day|datetime|epoch|period|unix|settlementdate)\b/i;
const hourNamePattern = /\b(?:hours?|hr|he|uur|stunde|heure|hora)\b/i;
const halfHourNamePattern = /\b(?:half ?hour|hh|period|interval|sp)\b/i;
const endNamePattern =
  /\b(?:hour|interval|period|time|mtu) end(?:ing|s)?\b|\bend(?:ing)? of (?:the )?(?:hour|interval|period)\b|\bend (?:date ?)?time\b|^end$|\bhe\b/i;
const partPatterns = {
  year: /^(?:year|yr|yyyy)$/i,
  month: /^(?:month|mon|mm|mo)$/i,
  day: /^(?:day|dd|dy|day of month)$/i,
  hour: /^(?:hour|hr|hh|h)$/i,
  minute: /^(?:minutes?|mi|mn)$/i,
};

/** Splits a name into words: "HourEnding" becomes "Hour Ending", "hour_ending" becomes "hour ending". */
export function splitWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, ' ').trim();
}

/** Whether the name of a time column means that its times are the ends of the rows' intervals, as in "hour ending". */
export function namesEnd(name: string): boolean {
  return endNamePattern.test(splitWords(name));
}

/** Whether a column name means that the rows are hours. */
export function namesHour(name: string): boolean {
  return hourNamePattern.test(splitWords(name));
}

/** Whether the digits in the column are times. */
export function isDigitTime({ kinds }: ColumnEvidence, name: string): boolean {
  return (kinds & cellKind.digitTime) !== 0 && timeNamePattern.test(splitWords(name));
}

/** Finds the IANA zone that a heading names, as in `ts (SAST)`, "UTC Time at End of Hour", "MTU (CET/CEST)" or "time_utc". */
export function findZoneInHeading(heading: string): string | undefined {
  const [, inParentheses] = /\(([^()]{1,40})\)$/.exec(heading) ?? [];
  const zoneInParentheses = inParentheses === undefined ? undefined : findZone(inParentheses);
  if (zoneInParentheses) return zoneInParentheses.timeZone;
  const words = heading.split(/[^a-z]+/i).map(word => word.toLowerCase());
  const zone = ['utc', 'gmt', 'sast', 'cet', 'eet', 'wet'].find(word => words.includes(word));
  return zone === undefined ? undefined : findZone(zone.toUpperCase())?.timeZone;
}

/** Resolves the order of day and month in a column of times. If both orders are possible, returns `fileOrder`, the order of the file. */
export function resolveDateOrder({ kinds }: ColumnEvidence, fileOrder: DateOrder | undefined): DateOrder | undefined {
  if (kinds & cellKind.eitherOrder) return 'day first';
  if ((kinds & timeKinds) === timeKinds) return fileOrder;
  return kinds & cellKind.dayFirst ? 'day first' : 'month first';
}

/**
 * Returns the order of day and month that the user has selected. Otherwise returns the order that the dates of the file allow, or undefined if
 * columns differ or all of them are ambiguous.
 */
export function resolveFileDateOrder(
  columns: readonly ColumnEvidence[],
  { dateOrder }: ImportOptions,
): DateOrder | undefined {
  const decisiveColumns = columns.filter(
    ({ kinds, example }) => example && kinds & timeKinds && !(kinds & cellKind.eitherOrder),
  );
  const orders = decisiveColumns.map(({ kinds }) => kinds & timeKinds).filter(kinds => kinds !== timeKinds);
  const [first] = orders;
  if (dateOrder === 'day first' || dateOrder === 'month first') return dateOrder;
  if (first === undefined || orders.some(kinds => kinds !== first)) return undefined;
  return first === cellKind.dayFirst ? 'day first' : 'month first';
}

/**
 * Finds the columns with the time of the rows. Prefers the time column with the most distinct values. If that has only dates, the hour may be
 * in another column. Without a time column, looks for separate columns of years, months and days. Returns undefined if there are none.
 */
export function findTimeColumns(
  columns: readonly ColumnEvidence[],
  names: readonly string[],
  { order, rows }: { readonly order: DateOrder | undefined; readonly rows: number },
): TimeColumns | undefined {
  const isTime = (column: ColumnEvidence, index: number): boolean =>
    column.example !== undefined &&
    (isDigitTime(column, names[index] ?? '') ||
      ((column.kinds & timeKinds) !== 0 && resolveDateOrder(column, order) !== undefined));
  // If columns have the same number of distinct times, prefers one with an offset, then a zone in the name, then a time of day.
  const rank = (index: number): number => {
    const kinds = columns[index]?.kinds ?? 0;
    const hasZone = findZoneInHeading(names[index] ?? '') !== undefined;
    const isEnd = /\bend\b/i.test(splitWords(names[index] ?? ''));
    return (kinds & cellKind.offset ? 4 : 0) + (hasZone ? 2 : 0) + (kinds & cellKind.date ? 0 : 1) - (isEnd ? 1 : 0);
  };
  let bestIndex: number | undefined;
  for (const [index, column] of columns.entries()) {
    if (!isTime(column, index)) continue;
    const difference = column.distinct - (bestIndex === undefined ? -1 : (columns[bestIndex]?.distinct ?? 0));
    if (difference > 0 || (difference === 0 && bestIndex !== undefined && rank(index) > rank(bestIndex)))
      bestIndex = index;
  }
  const nonEmptyColumns = columns.map(({ example, kinds }, index) => ({ kinds: example ? kinds : 0, index }));
  const findNamed = (name: RegExp, kinds: number): number | undefined =>
    nonEmptyColumns.find(column => column.kinds & kinds && name.test(splitWords(names[column.index] ?? '')))?.index;
  // Digits are a time of day only in a column with such a name.
  const clock =
    nonEmptyColumns.find(({ kinds }) => kinds & cellKind.clock && !(kinds & numberKinds))?.index ??
    findNamed(/\b(?:time|hour|hhmm)\b/i, cellKind.clock);
  const minute = findNamed(partPatterns.minute, cellKind.twoDigits);
  if (bestIndex !== undefined) {
    const { kinds: bestKinds = 0, distinct = 0 } = columns[bestIndex] ?? {};
    const isDate = (bestKinds & (cellKind.date | cellKind.digitTime)) !== 0;
    // If each row is a different day, other columns may be the hour of a peak or the time of sunrise. Only a column that is named a time counts.
    const hour =
      rows > 1 && distinct === rows
        ? findNamed(/\b(?:time|zeit|uhrzeit|tyd|heure|hora)\b/i, cellKind.clock)
        : (clock ?? findNamed(hourNamePattern, cellKind.hour));
    if (isDate && hour !== undefined)
      return { kind: 'dateAndHour', date: bestIndex, hour, ...(minute !== undefined && { minute }) };
    // Numbers of hours do not exceed 24.
    const halfHour = nonEmptyColumns.find(
      ({ kinds, index }) =>
        kinds & cellKind.halfHour &&
        !(kinds & cellKind.hour) &&
        halfHourNamePattern.test(splitWords(names[index] ?? '')),
    );
    return isDate && halfHour && distinct < rows
      ? { kind: 'dateAndHalfHour', date: bestIndex, halfHour: halfHour.index }
      : { kind: 'one', column: bestIndex };
  }
  const year = findNamed(partPatterns.year, numberKinds);
  const month = findNamed(partPatterns.month, cellKind.twoDigits);
  if (year === undefined || month === undefined) return undefined;
  const day = findNamed(partPatterns.day, cellKind.twoDigits);
  const hour = clock ?? findNamed(partPatterns.hour, cellKind.hour);
  return {
    kind: 'parts',
    year,
    month,
    ...(day !== undefined && { day }),
    ...(hour !== undefined && { hour }),
    ...(minute !== undefined && { minute }),
  };
}

/** Lists the column indexes in the order of the properties. */
export function listTimeIndexes(time: TimeColumns): number[] {
  const { kind: _, ...indexes } = time;
  return Object.values(indexes);
}
