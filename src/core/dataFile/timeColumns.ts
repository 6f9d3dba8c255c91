import { cellKind, numberKinds, timeKinds } from './cellKinds.ts';
import type { ColumnEvidence } from './columnEvidence.ts';
import type { ImportOptions } from './importOptions.ts';
import type { DateOrder } from '../time/writtenTime.ts';
import { zoneNamed } from '../time/zone.ts';

/** The indexes of the columns that make up the time of a row. */
export type TimeColumns =
  | { readonly kind: 'one'; readonly column: number }
  | { readonly kind: 'dateAndHour'; readonly date: number; readonly hour: number; readonly minute?: number }
  | {
      readonly kind: 'parts';
      readonly year: number;
      readonly month: number;
      readonly day?: number;
      readonly hour?: number;
      readonly minute?: number;
    };

/** Digits are read as times only in a column with such a name. */
const timeName = /\b(?:ts|time|timestamp|date|day|datetime|epoch|period|unix|settlementdate)\b/i;
const hourName = /\b(?:hours?|hr|he|uur|stunde|heure|hora)\b/i;
const endName =
  /\b(?:hour|interval|period|time|mtu) end(?:ing|s)?\b|\bend(?:ing)? of (?:the )?(?:hour|interval|period)\b|\bhe\b/i;
const parts = {
  year: /^(?:year|yr|yyyy)$/i,
  month: /^(?:month|mon|mm|mo)$/i,
  day: /^(?:day|dd|dy|day of month)$/i,
  hour: /^(?:hour|hr|hh|h)$/i,
  minute: /^(?:minutes?|mi|mn)$/i,
};

/** Splits a name into words: "HourEnding" becomes "Hour Ending", "hour_ending" becomes "hour ending". */
export function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, ' ').trim();
}

/** Whether a column name says that its times are the ends of the rows' intervals. */
export function namesEnd(name: string): boolean {
  return endName.test(wordsOf(name));
}

/** Whether a column name says that the rows are hours. */
export function namesHour(name: string): boolean {
  return hourName.test(wordsOf(name));
}

/** Whether the digits in the column are times. */
export function isDigitTime({ kinds }: ColumnEvidence, name: string): boolean {
  return (kinds & cellKind.digitTime) !== 0 && timeName.test(wordsOf(name));
}

/** Finds the IANA zone that a heading names, as in `ts (SAST)`, "UTC Time at End of Hour", "MTU (CET/CEST)" or "time_utc". */
export function zoneInHeading(heading: string): string | undefined {
  const [, behind] = /\(([^()]{1,40})\)$/.exec(heading) ?? [];
  const named = behind === undefined ? undefined : zoneNamed(behind);
  if (named) return named.timeZone;
  const words = heading.split(/[^a-z]+/i).map(word => word.toLowerCase());
  const zone = ['utc', 'gmt', 'sast', 'cet', 'eet', 'wet'].find(word => words.includes(word));
  return zone === undefined ? undefined : zoneNamed(zone.toUpperCase())?.timeZone;
}

/** Resolves the order of day and month in a column of times; undefined if it is ambiguous. `ofFile` is the order in other columns. */
export function dateOrderOf({ kinds }: ColumnEvidence, ofFile: DateOrder | undefined): DateOrder | undefined {
  if (kinds & cellKind.eitherOrder) return 'day first';
  if ((kinds & timeKinds) === timeKinds) return ofFile;
  return kinds & cellKind.dayFirst ? 'day first' : 'month first';
}

/** Returns the order that the person chose, else the only one that the file's dates allow; undefined if columns differ or all are ambiguous. */
export function dateOrderOfFile(
  columns: readonly ColumnEvidence[],
  { dateOrder }: ImportOptions,
): DateOrder | undefined {
  const known = columns.filter(({ kinds, example }) => example && kinds & timeKinds && !(kinds & cellKind.eitherOrder));
  const single = known.map(({ kinds }) => kinds & timeKinds).filter(kinds => kinds !== timeKinds);
  const [first] = single;
  if (dateOrder === 'day first' || dateOrder === 'month first') return dateOrder;
  if (first === undefined || single.some(kinds => kinds !== first)) return undefined;
  return first === cellKind.dayFirst ? 'day first' : 'month first';
}

/**
 * Finds the columns that are the time of the rows: the time column with the most distinct values, preferably with an offset; a date with the
 * hour in another column; or separate columns of years, months and days. Undefined if there are none.
 */
export function findTimeColumns(
  columns: readonly ColumnEvidence[],
  names: readonly string[],
  { order, rows }: { readonly order: DateOrder | undefined; readonly rows: number },
): TimeColumns | undefined {
  const isTime = (column: ColumnEvidence, at: number): boolean =>
    column.example !== undefined &&
    (isDigitTime(column, names[at] ?? '') ||
      ((column.kinds & timeKinds) !== 0 && dateOrderOf(column, order) !== undefined));
  // Between columns with equally many times, prefers an offset, then a zone in the name, then a time of day.
  const rank = (at: number): number => {
    const kinds = columns[at]?.kinds ?? 0;
    const hasZone = zoneInHeading(names[at] ?? '') !== undefined;
    const isEnd = /\bend\b/i.test(wordsOf(names[at] ?? ''));
    return (kinds & cellKind.offset ? 4 : 0) + (hasZone ? 2 : 0) + (kinds & cellKind.date ? 0 : 1) - (isEnd ? 1 : 0);
  };
  let best: number | undefined;
  for (const [at, column] of columns.entries()) {
    if (!isTime(column, at)) continue;
    const more = column.different - (best === undefined ? -1 : (columns[best]?.different ?? 0));
    if (more > 0 || (more === 0 && best !== undefined && rank(at) > rank(best))) best = at;
  }
  const withValues = columns.map(({ example, kinds }, at) => ({ kinds: example ? kinds : 0, at }));
  const named = (name: RegExp, kinds: number): number | undefined =>
    withValues.find(column => column.kinds & kinds && name.test(wordsOf(names[column.at] ?? '')))?.at;
  // Digits are a time of day only in a column with such a name.
  const clock =
    withValues.find(({ kinds }) => kinds & cellKind.clock && !(kinds & numberKinds))?.at ??
    named(/\b(?:time|hour|hhmm)\b/i, cellKind.clock);
  const minute = named(parts.minute, cellKind.twoDigits);
  if (best !== undefined) {
    const { kinds: kindsOfBest = 0, different = 0 } = columns[best] ?? {};
    const isDate = (kindsOfBest & (cellKind.date | cellKind.digitTime)) !== 0;
    // If every row is another day, a number may be the hour of a peak, and a time of day that of a sunrise.
    const hour =
      rows > 1 && different === rows
        ? named(/\b(?:time|zeit|uhrzeit|tyd|heure|hora)\b/i, cellKind.clock)
        : (clock ?? named(hourName, cellKind.hour));
    if (!isDate || hour === undefined) return { kind: 'one', column: best };
    return { kind: 'dateAndHour', date: best, hour, ...(minute !== undefined && { minute }) };
  }
  const [year, month] = [named(parts.year, numberKinds), named(parts.month, cellKind.twoDigits)];
  if (year === undefined || month === undefined) return undefined;
  const [day, hour] = [named(parts.day, cellKind.twoDigits), clock ?? named(parts.hour, cellKind.hour)];
  return {
    kind: 'parts',
    year,
    month,
    ...(day !== undefined && { day }),
    ...(hour !== undefined && { hour }),
    ...(minute !== undefined && { minute }),
  };
}

/** Lists the column indexes, in the order of the parts. */
export function indexesOf(time: TimeColumns): number[] {
  const { kind: _, ...indexes } = time;
  return Object.values(indexes);
}
