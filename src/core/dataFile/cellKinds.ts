import { parseTimeOfDay, parseTime, type WrittenTime } from '../time/writtenTime.ts';
import { isPercent, testDecimalMarks } from './writtenNumber.ts';

/** The kinds of value that the text of a cell can be read as, as bit flags. */
export const cellKind = {
  point: 1,
  comma: 2,
  percent: 4,
  plainNumber: 8,
  boolean: 16,
  dayFirst: 32,
  monthFirst: 64,
  /** A time that means the same with the day first and with the month first. */
  eitherOrder: 128,
  offset: 256,
  /** A date without a time of day, or with the midnight at its start. */
  date: 512,
  /** A time of day. */
  clock: 1024,
  /** A whole number from 0 to 24, with or without a leading zero. */
  hour: 2048,
  /** Digits that may be a date and time, if the column's name says so. */
  digitTime: 4096,
  /** A whole number of two digits at most, such as a month or a minute. */
  twoDigits: 8192,
  /** A whole number from 1 to 50, the number of half hours in a day of 25 hours. */
  halfHour: 16_384,
} as const;
export const anyKind = 32_767;
export const numberKinds = cellKind.point | cellKind.comma;
export const timeKinds = cellKind.dayFirst | cellKind.monthFirst;

/** The texts that spreadsheets and programs write for a missing value. */
const noValuePattern =
  /^(?:n\/?a|n\/e|n\.a\.|<na>|nan|nat|null|none|nil|\(null\)|\\n|missing|no data|[-–—?.]+|#[A-ZÄÖÜÉ][A-ZÄÖÜÉ\d/]{0,11}[!?]?)$/i;

/** Whether a cell has no value, because it is blank or has a text such as "n/e" or "#DIV/0!". */
export function isNoValue(cell: string): boolean {
  // Most cells begin with a digit.
  if (isDigit(cell.charCodeAt(0))) return false;
  const text = cell.trim();
  return text === '' || (text.length < 16 && noValuePattern.test(text));
}

const digitTime = /^\d{8}(?:\d{4}(?:\d{2})?)?$|^[1-9]\d{9}(?:\.0+|\d{3}|\d{6}|\d{9})?$/;
const hourAndMinute = /^(?:[01]\d|2[0-4])[0-5]\d$/;
const trueOrFalse = /^(?:true|false)$/i;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns those kinds of `kinds` that a cell can be read as. The cell must have a value. */
export function detectKinds(cell: string, kinds: number = anyKind): number {
  const isDigits = isDigit(cell.charCodeAt(cell.length - 1)) && /^\d+(?:\.0+)?$/.test(cell);
  let matches = 0;
  if (kinds & (numberKinds | cellKind.hour | cellKind.twoDigits | cellKind.halfHour)) {
    const marks = testDecimalMarks(cell);
    if (marks.point) matches |= cellKind.point;
    if (marks.comma) matches |= cellKind.comma;
    if (matches) matches |= isPercent(cell) ? cellKind.percent : cellKind.plainNumber;
    if (isDigits && cell.length <= 2) {
      const number = Number(cell);
      matches |= cellKind.twoDigits | (number <= 24 ? cellKind.hour : 0);
      if (number >= 1 && number <= 50) matches |= cellKind.halfHour;
    }
  }
  if (isDigits) {
    if (kinds & cellKind.digitTime && digitTime.test(cell) && parseDigitTime(cell)) matches |= cellKind.digitTime;
    if (kinds & cellKind.clock && hourAndMinute.test(cell)) matches |= cellKind.clock;
    return matches & kinds;
  }
  if (kinds & cellKind.boolean && trueOrFalse.test(cell)) matches |= cellKind.boolean;
  if (kinds & timeKinds) matches |= detectTimeKinds(cell);
  if (kinds & cellKind.clock && cell.includes(':') && parseTimeOfDay(cell) !== undefined) matches |= cellKind.clock;
  return clearUnusedFlags(matches & kinds);
}

/** Clears the flags of times if the cell is not a time, and the flags of numbers if it is not a number. */
function clearUnusedFlags(kinds: number): number {
  const timeFlags = kinds & timeKinds ? 0 : cellKind.eitherOrder | cellKind.offset | cellKind.date;
  const numberFlags = kinds & numberKinds ? 0 : cellKind.percent | cellKind.plainNumber;
  return kinds & ~(timeFlags | numberFlags);
}

const yearFirst = /^\d{4}[-/.]/;

function detectTimeKinds(cell: string): number {
  const first = cell.charCodeAt(0);
  // A quick check rejects most texts: a time begins with a digit, a weekday or the name of a month.
  if (cell.length < 6 || (first > 57 && !/^[jfmasondtw]/i.test(cell))) return 0;
  const dayFirst = parseTime(cell, 'day first');
  const monthFirst = yearFirst.test(cell) ? dayFirst : parseTime(cell, 'month first');
  let kinds = (dayFirst ? cellKind.dayFirst : 0) | (monthFirst ? cellKind.monthFirst : 0);
  const time = dayFirst ?? monthFirst;
  if (!time) return 0;
  if (dayFirst?.localTime === monthFirst?.localTime) kinds |= cellKind.eitherOrder;
  if (time.offset !== undefined) kinds |= cellKind.offset;
  if (!time.hasClock || (isMidnight(time) && !time.endsDay)) kinds |= cellKind.date;
  return kinds;
}

function isMidnight({ localTime }: WrittenTime): boolean {
  return localTime % 86_400_000 === 0;
}

/** Parses a time of digits only: a date (20230131), a date and time (202301311400), or an epoch in s, ms, µs or ns. Returns UTC milliseconds. */
export function parseDigitTime(cell: string): { readonly ms: number; readonly isEpoch: boolean } | undefined {
  const [digits = ''] = cell.split('.');
  if ([8, 12, 14].includes(digits.length)) {
    const time = parseTime(digits.length === 8 ? digits : `${digits.slice(0, 8)}T${digits.slice(8)}`);
    return time && { ms: time.localTime, isEpoch: false };
  }
  // Truncates microseconds and nanoseconds to milliseconds, which a double can represent exactly.
  const ms = digits.length === 10 ? Number(digits) * 1000 : Number(digits.slice(0, 13));
  return { ms, isEpoch: true };
}
