import { dayMs, hourMs, minuteMs, weekMs } from '../../shared/durations.ts';

/** The part that comes first in a date such as 01/02/2023. It has no effect on dates with the year first or with the name of the month. */
export type DateOrder = 'day first' | 'month first';

/** A date, or a date and time, as parsed from a text that a program wrote. */
export interface WrittenTime {
  /** The wall-clock time: the UTC milliseconds at which clocks in UTC show it, rounded down. */
  readonly localTime: number;
  /** The offset from UTC in milliseconds; undefined if the text has none. */
  readonly offset: number | undefined;
  /** Whether the text has a time of day. */
  readonly hasClock: boolean;
  /** Whether the time is written as 24:00, the midnight that ends the day. */
  readonly endsDay: boolean;
  /** Whether the time is more precise than milliseconds. */
  readonly isTruncated: boolean;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';

const yearFirstPattern = new RegExp(String.raw`^(\d{4})([-/. ]?)(\d\d?|${monthName})\2(\d\d?)(?!\d)`, 'i');
const yearLastPattern = new RegExp(
  String.raw`^(\d\d?)(?:([-/. ]?)(${monthName})\2|([-/.])(\d\d?)\4)(\d{4}|\d\d)(?![\d.])`,
  'i',
);
const monthFirstPattern = new RegExp(String.raw`^(${monthName})[ .]+(\d\d?),? +(\d{4})(?!\d)`, 'i');
const monthOrWeekPattern = new RegExp(String.raw`^(?:(\d{4})[-/](?:(\d\d)|W(\d\d))|(${monthName}) +(\d{4}))$`, 'i');

const weekdayPattern = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? +/i;

/** Longer texts are rejected unread, since the patterns would backtrack over long runs of spaces. */
const maxLength = 100;

const clockPattern = new RegExp(
  String.raw`^(?:[T:,]|\s)\s*(?:(\d\d)(\d\d)(\d\d)?(?![\d:])|(\d\d?)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?)(?: ?([AP])\.?M\.?)?`,
  'i',
);
const offsetPattern = /^\s*(?:\(?([A-Z]{1,4})\)?)?(?:\s*([+-])(\d\d?)(?::?(\d\d))?)?(?:\[[\w/+-]{1,40}\])?$/i;

/** Hours from UTC of the zone abbreviations that programs write. Abbreviations that several zones share are omitted. */
const zoneHours: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  UT: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  CET: 1,
  CEST: 2,
  MEZ: 1,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  SAST: 2,
  CAT: 2,
  EST: -5,
  EDT: -4,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

/**
 * Parses a time as machines write it, in files and in responses: a date with the year first, with the name of the month, or in `order`;
 * then a time of day; then an offset or a zone abbreviation. A range such as "a - b" is parsed as its start. Returns undefined for any other
 * text, and for a date or time that doesn't exist.
 */
export function parseTime(text: string, order: DateOrder = 'day first'): WrittenTime | undefined {
  if (text.length > maxLength) return undefined;
  const plain = plainTimePattern.test(text) ? parsePlainTime(text) : undefined;
  if (plain) return plain;
  const startText = extractRangeStart(text.trim()).replace(weekdayPattern, '');
  const date = parseDate(startText, order);
  if (!date) return undefined;
  const timeText = startText.slice(date.length);
  if (timeText === '')
    return { localTime: date.ms, offset: undefined, hasClock: false, endsDay: false, isTruncated: false };
  const time = clockPattern.exec(timeText);
  if (!time) return undefined;
  const timeOfDayMs = toTimeOfDay(time);
  const zone = parseOffset(timeText.slice(time[0].length));
  if (timeOfDayMs === undefined || zone === undefined) return undefined;
  const isTruncated = /[1-9]/.test((time[7] ?? '').slice(3));
  return {
    localTime: date.ms + timeOfDayMs,
    offset: zone.ms,
    hasClock: true,
    endsDay: timeOfDayMs === dayMs,
    isTruncated,
  };
}

const plainTimePattern = /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?$/;

/**
 * Parses ISO 8601 digit by digit, which takes a tenth of the time of the general grammar. Returns undefined for a day that doesn't exist,
 * and for years before 100.
 */
function parsePlainTime(text: string): WrittenTime | undefined {
  const parseTwoDigits = (position: number): number =>
    text.charCodeAt(position) * 10 + text.charCodeAt(position + 1) - 528;
  const year = parseTwoDigits(0) * 100 + parseTwoDigits(2);
  const month = parseTwoDigits(5);
  const day = parseTwoDigits(8);
  const length = text[16] === ':' ? 19 : 16;
  const localTime = Date.UTC(
    year,
    month - 1,
    day,
    parseTwoDigits(11),
    parseTwoDigits(14),
    length === 19 ? parseTwoDigits(17) : 0,
  );
  if (year < 100 || month < 1 || month > 12 || day < 1 || (day > 28 && new Date(localTime).getUTCDate() !== day))
    return undefined;
  const size =
    text.length > length + 1 ? parseTwoDigits(length + 1) * hourMs + parseTwoDigits(length + 4) * minuteMs : 0;
  const offset = text.length === length ? undefined : text[length] === '-' ? -size : size;
  return { localTime, offset, hasClock: true, endsDay: false, isTruncated: false };
}

/**
 * Parses a time of day such as 14:00, 2:00 PM, or the start of "14:00 - 15:00" into milliseconds since midnight. Returns undefined for any
 * other text.
 */
export function parseTimeOfDay(text: string): number | undefined {
  if (text.length > maxLength) return undefined;
  const startText = extractRangeStart(text.trim());
  const time = clockPattern.exec(` ${startText}`);
  return time?.[0].length === startText.length + 1 ? toTimeOfDay(time) : undefined;
}

function extractRangeStart(text: string): string {
  const separator = text.search(/ [-–] |\/(?=\d{4}-)/);
  return separator > 0 ? text.slice(0, separator).trimEnd() : text;
}

function parseDate(text: string, order: DateOrder): { readonly ms: number; readonly length: number } | undefined {
  let match = yearFirstPattern.exec(text);
  // Without separators, each part needs all of its digits.
  if (match && match[2] === '' && !/^(?:\d{8}|\d{4}[a-z])/i.test(text)) match = null;
  if (match) return createDate(match[0], match[1], match[3], match[4]);
  match = yearLastPattern.exec(text);
  if (match) {
    const [matchedText, a, , name, , b, year] = match;
    if (name) return createDate(matchedText, year, name, a);
    return order === 'day first' ? createDate(matchedText, year, b, a) : createDate(matchedText, year, a, b);
  }
  match = monthFirstPattern.exec(text);
  if (match) return createDate(match[0], match[3], match[1], match[2]);
  match = monthOrWeekPattern.exec(text);
  if (!match) return undefined;
  const [matchedText, year, month, week, name, yearOfName] = match;
  if (week === undefined) return createDate(matchedText, year ?? yearOfName, month ?? name, '1');
  // Week 1 is the one with 4 January (ISO 8601).
  const fourth = Date.UTC(Number(year), 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  return Number(week) >= 1 && Number(week) <= 53
    ? { ms: monday + (Number(week) - 1) * weekMs, length: matchedText.length }
    : undefined;
}

function createDate(matchedText: string, yearText = '', monthText = '', dayText = '') {
  const year = Number(yearText) + (yearText.length === 2 ? (Number(yearText) < 69 ? 2000 : 1900) : 0);
  const namedMonth = months.indexOf(monthText.slice(0, 3).toLowerCase());
  const month = namedMonth === -1 ? Number(monthText) - 1 : namedMonth;
  const date = new Date(Date.UTC(year, month, Number(dayText)));
  // Date.UTC turns 31 February into a day of March, and years 0 to 99 into 1900 to 1999.
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month;
  return exists ? { ms: date.getTime(), length: matchedText.length } : undefined;
}

/** Returns milliseconds since midnight: a whole day for 24:00. */
function toTimeOfDay([, h1, m1, s1, h2, m2, s2, fraction = '', half]: RegExpExecArray): number | undefined {
  const [written, minute, second] = [h1 ?? h2, m1 ?? m2 ?? 0, s1 ?? s2 ?? 0].map(Number) as [number, number, number];
  if (half && (written < 1 || written > 12)) return undefined;
  const hour = half ? (written % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : written;
  const ms = hour * hourMs + minute * minuteMs + second * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  return minute <= 59 && second <= 59 && ms <= dayMs ? ms : undefined;
}

/** Parses an offset. `ms` is undefined for an empty text, and the result is undefined if the text isn't an offset. */
function parseOffset(text: string): { readonly ms: number | undefined } | undefined {
  if (text === '') return { ms: undefined };
  const match = offsetPattern.exec(text);
  if (!match) return undefined;
  const [, letters, sign, hours, minutes = '0'] = match;
  const zone = letters === undefined ? 0 : zoneHours[letters.toUpperCase()];
  if (zone === undefined || (letters === undefined && sign === undefined)) return undefined;
  if (sign === undefined) return { ms: zone * hourMs };
  const size = Number(hours) * hourMs + Number(minutes) * minuteMs;
  const ms = sign === '-' ? -size : size;
  // No zone is more than 14 hours from UTC, so the end of "14:00-15:00" isn't an offset. In "SAST+02:00" both parts must agree.
  const isOffset = Number(minutes) <= 59 && size <= 14 * hourMs && (zone === 0 || ms === zone * hourMs);
  return isOffset ? { ms } : undefined;
}
