import { dayMs, hourMs, minuteMs, weekMs } from '../../shared/durations.ts';

/** Which part of a date such as 01/02/2023 comes first. It decides nothing where the text has its year first or the name of its month. */
export type DateOrder = 'day first' | 'month first';

/** A date, or a date and time, as a program writes it. */
export interface WrittenTime {
  /** The UTC milliseconds at which clocks in UTC show it, rounded down. */
  readonly wall: number;
  /** Milliseconds of the offset from UTC; undefined where none is written. */
  readonly offset: number | undefined;
  /** Whether the text has a time of day. */
  readonly hasClock: boolean;
  /** Whether it is written as 24:00, the midnight that ends the day. */
  readonly endsDay: boolean;
  /** Whether it has more than milliseconds. */
  readonly isCut: boolean;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';

const yearFirst = new RegExp(String.raw`^(\d{4})([-/. ]?)(\d\d?|${monthName})\2(\d\d?)(?!\d)`, 'i');
const yearLast = new RegExp(
  String.raw`^(\d\d?)(?:([-/. ]?)(${monthName})\2|([-/.])(\d\d?)\4)(\d{4}|\d\d)(?![\d.])`,
  'i',
);
const monthFirst = new RegExp(String.raw`^(${monthName})[ .]+(\d\d?),? +(\d{4})(?!\d)`, 'i');
const monthOrWeek = new RegExp(String.raw`^(?:(\d{4})[-/](?:(\d\d)|W(\d\d))|(${monthName}) +(\d{4}))$`, 'i');

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? +/i;

/** A longer text is no time: spaces without end would be matched again and again. */
const maxLength = 100;

const clock = new RegExp(
  String.raw`^(?:[T:,]|\s)\s*(?:(\d\d)(\d\d)(\d\d)?(?![\d:])|(\d\d?)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?)(?: ?([AP])\.?M\.?)?`,
  'i',
);
const offset = /^\s*(?:\(?([A-Z]{1,4})\)?)?(?:\s*([+-])(\d\d?)(?::?(\d\d))?)?(?:\[[\w/+-]{1,40}\])?$/i;

/** Zones that programs write by letters, in hours from UTC; of those that are used for one zone alone. */
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
 * The grammar of times that machines write, for files and services alike: a date with the year first, with the name of the month, or in
 * `order`; a time of day; an offset, or the letters of a zone. Of a range such as "a - b" the first. Undefined for any other text, and for
 * a date or time that doesn't exist.
 */
export function readTime(text: string, order: DateOrder = 'day first'): WrittenTime | undefined {
  if (text.length > maxLength) return undefined;
  const known = plainTime.test(text) ? readPlainTime(text) : undefined;
  if (known) return known;
  const first = startOfRange(text.trim()).replace(weekday, '');
  const date = readDate(first, order);
  if (!date) return undefined;
  const rest = first.slice(date.length);
  if (rest === '') return { wall: date.ms, offset: undefined, hasClock: false, endsDay: false, isCut: false };
  const time = clock.exec(rest);
  if (!time) return undefined;
  const ofDay = timeOfDay(time);
  const zone = offsetIn(rest.slice(time[0].length));
  if (ofDay === undefined || zone === undefined) return undefined;
  const isCut = /[1-9]/.test((time[7] ?? '').slice(3));
  return { wall: date.ms + ofDay, offset: zone.ms, hasClock: true, endsDay: ofDay === dayMs, isCut };
}

const plainTime = /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?$/;

/** ISO 8601 digit by digit, which takes a tenth of the time; undefined for a day that doesn't exist, and years before 100. */
function readPlainTime(text: string): WrittenTime | undefined {
  const two = (at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
  const [year, month, day] = [two(0) * 100 + two(2), two(5), two(8)];
  const length = text[16] === ':' ? 19 : 16;
  const wall = Date.UTC(year, month - 1, day, two(11), two(14), length === 19 ? two(17) : 0);
  if (year < 100 || month < 1 || month > 12 || day < 1 || (day > 28 && new Date(wall).getUTCDate() !== day))
    return undefined;
  const size = text.length > length + 1 ? two(length + 1) * hourMs + two(length + 4) * minuteMs : 0;
  const offset = text.length === length ? undefined : text[length] === '-' ? -size : size;
  return { wall, offset, hasClock: true, endsDay: false, isCut: false };
}

/** A time of day alone, such as 14:00, 2:00 PM, or the first of "14:00 - 15:00": milliseconds from midnight; undefined for any other text. */
export function readTimeOfDay(text: string): number | undefined {
  if (text.length > maxLength) return undefined;
  const first = startOfRange(text.trim());
  const time = clock.exec(` ${first}`);
  return time?.[0].length === first.length + 1 ? timeOfDay(time) : undefined;
}

function startOfRange(text: string): string {
  const at = text.search(/ [-–] |\/(?=\d{4}-)/);
  return at > 0 ? text.slice(0, at).trimEnd() : text;
}

function readDate(text: string, order: DateOrder): { readonly ms: number; readonly length: number } | undefined {
  let match = yearFirst.exec(text);
  // Without marks between them, all parts have all digits.
  if (match && match[2] === '' && !/^(?:\d{8}|\d{4}[a-z])/i.test(text)) match = null;
  if (match) return dateOf(match[0], match[1], match[3], match[4]);
  match = yearLast.exec(text);
  if (match) {
    const [all, a, , name, , b, year] = match;
    if (name) return dateOf(all, year, name, a);
    return order === 'day first' ? dateOf(all, year, b, a) : dateOf(all, year, a, b);
  }
  match = monthFirst.exec(text);
  if (match) return dateOf(match[0], match[3], match[1], match[2]);
  match = monthOrWeek.exec(text);
  if (!match) return undefined;
  const [all, year, month, week, name, yearOfName] = match;
  if (week === undefined) return dateOf(all, year ?? yearOfName, month ?? name, '1');
  // Week 1 is the one with 4 January (ISO 8601).
  const fourth = Date.UTC(Number(year), 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  return Number(week) >= 1 && Number(week) <= 53
    ? { ms: monday + (Number(week) - 1) * weekMs, length: all.length }
    : undefined;
}

function dateOf(all: string, yearText = '', monthText = '', dayText = '') {
  const year = Number(yearText) + (yearText.length === 2 ? (Number(yearText) < 69 ? 2000 : 1900) : 0);
  const named = months.indexOf(monthText.slice(0, 3).toLowerCase());
  const month = named === -1 ? Number(monthText) - 1 : named;
  const date = new Date(Date.UTC(year, month, Number(dayText)));
  // Date.UTC turns 31 February into a day of March, and years 0 to 99 into 1900 to 1999.
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month;
  return exists ? { ms: date.getTime(), length: all.length } : undefined;
}

/** Milliseconds from midnight; those of 24:00 are a day. */
function timeOfDay([, h1, m1, s1, h2, m2, s2, fraction = '', half]: RegExpExecArray): number | undefined {
  const [written, minute, second] = [h1 ?? h2, m1 ?? m2 ?? 0, s1 ?? s2 ?? 0].map(Number) as [number, number, number];
  if (half && (written < 1 || written > 12)) return undefined;
  const hour = half ? (written % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : written;
  const ms = hour * hourMs + minute * minuteMs + second * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  return minute <= 59 && second <= 59 && ms <= dayMs ? ms : undefined;
}

/** `ms` is undefined where there is none; the whole where the text is no offset. */
function offsetIn(text: string): { readonly ms: number | undefined } | undefined {
  if (text === '') return { ms: undefined };
  const match = offset.exec(text);
  if (!match) return undefined;
  const [, letters, sign, hours, minutes = '0'] = match;
  const zone = letters === undefined ? 0 : zoneHours[letters.toUpperCase()];
  if (zone === undefined || (letters === undefined && sign === undefined)) return undefined;
  if (sign === undefined) return { ms: zone * hourMs };
  const size = Number(hours) * hourMs + Number(minutes) * minuteMs;
  const ms = sign === '-' ? -size : size;
  // "14:00-15:00" is a range: no zone is further from UTC. Letters such as those of SAST+02:00 say the same again.
  const isOffset = Number(minutes) <= 59 && size <= 14 * hourMs && (zone === 0 || ms === zone * hourMs);
  return isOffset ? { ms } : undefined;
}
