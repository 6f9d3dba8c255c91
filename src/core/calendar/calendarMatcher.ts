import { dayMs, minuteMs } from '../../shared/durations.ts';
import { parseClock } from '../range/rangeEnd.ts';
import { tokenize, parsePluralWeekday, type Token } from '../range/tokens.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import type { Tariff } from '../../shared/resampling.ts';
import { isPublicHoliday } from './holidays.ts';
import { eskomTariffs, createTariffPeriodFinder, type TariffPeriod } from './tariffPeriods.ts';

const minutesOfDay = 24 * 60;

/** A recurring part of the calendar: a cyclic range of minutes, weekdays or months (`first` may be after `last`), holidays, or a tariff period. */
export type CalendarPart =
  | { readonly kind: Value['kind']; readonly first: number; readonly last: number }
  | { readonly kind: 'holiday' }
  | { readonly kind: 'period'; readonly period: TariffPeriod };

/** The parts with a name. `tokenize` has translated the name to English. */
const namedParts: Readonly<Record<string, CalendarPart>> = {
  weekday: { kind: 'weekday', first: 1, last: 5 },
  weekend: { kind: 'weekday', first: 6, last: 7 },
  holiday: { kind: 'holiday' },
  peak: { kind: 'period', period: 'peak' },
  standard: { kind: 'period', period: 'standard' },
  offpeak: { kind: 'period', period: 'offPeak' },
  // The seasons of the southern hemisphere consist of whole months, as the South African Weather Service defines them.
  summer: { kind: 'month', first: 12, last: 2 },
  autumn: { kind: 'month', first: 3, last: 5 },
  winter: { kind: 'month', first: 6, last: 8 },
  spring: { kind: 'month', first: 9, last: 11 },
};

/**
 * Parses recurring parts of the calendar, all of which have to match. Returns undefined for any other text. Examples:
 * - Times: `06:00-18:00` (until 18:00, also over midnight), `17:00` (that minute), `6am` (that hour), `18h00`, `6-9am`,
 * `between 18:00 and 20:00`, `after 18:00`, `before 6am`.
 * - Days: `Mon`, `Mon-Fri`, `Saturdays`, `weekday`, `weekend`, `holiday`, `public holiday`.
 * - Months: `Jun`, `Nov-Feb`, `Q1`, `summer`.
 * - Tariff periods: `peak`, `standard`, `off-peak`.
 *
 * Ranges may have “to” or `..` instead of the dash. Upper and lower case, English and Afrikaans are accepted.
 */
export function parseCalendarParts(text: string): readonly CalendarPart[] | undefined {
  const tokens = tokenize(text) ?? [];
  const parts: CalendarPart[] = [];
  for (let index = 0; index < tokens.length;) {
    const parsedPart = parseWord(tokens, index) ?? parseBound(tokens, index) ?? parseSpan(tokens, index);
    if (!parsedPart) return undefined;
    parts.push(parsedPart.part);
    index = parsedPart.next;
  }
  return parts.length > 0 ? parts : undefined;
}

/**
 * Creates a function that tells whether all parts match an instant (UTC milliseconds). Regardless of the zone, holidays are South African
 * and tariff periods are in SAST.
 */
export function createCalendarMatcher(
  parts: readonly CalendarPart[],
  timeZone: string,
  tariffs: readonly Tariff[] = eskomTariffs,
): (ms: number) => boolean {
  const offsets = new ZoneOffsets(timeZone);
  const getTariffPeriod = createTariffPeriodFinder(tariffs);
  let day = NaN;
  let weekday = NaN;
  let month = NaN;
  return ms => {
    const localTime = ms + offsets.at(ms);
    const today = Math.floor(localTime / dayMs);
    // The date of the previous call is reused, since rows are usually in chronological order.
    if (today !== day) {
      const date = new Date(today * dayMs);
      day = today;
      weekday = date.getUTCDay() || 7;
      month = date.getUTCMonth() + 1;
    }
    const minute = Math.floor((localTime - today * dayMs) / minuteMs);
    const values = { minute, weekday, month };
    return parts.every(part => {
      if (part.kind === 'holiday') return isPublicHoliday(ms);
      if (part.kind === 'period') return getTariffPeriod(ms) === part.period;
      const value = values[part.kind];
      const isAfterFirst = value >= part.first;
      const isBeforeLast = value <= part.last;
      return part.first <= part.last ? isAfterFirst && isBeforeLast : isAfterFirst || isBeforeLast;
    });
  };
}

interface ParsedPart {
  readonly part: CalendarPart;
  readonly next: number;
}

function parseWord(tokens: readonly Token[], index: number): ParsedPart | undefined {
  const { kind, text } = tokens[index] ?? {};
  const next = tokens[index + 1];
  if (text === 'off') {
    const last = isRangeSign(next) ? index + 2 : index + 1;
    return tokens[last]?.text === 'peak' && namedParts['offpeak']
      ? { part: namedParts['offpeak'], next: last + 1 }
      : undefined;
  }
  if (text === 'public') return next?.text === 'holiday' ? parseWord(tokens, index + 1) : undefined;
  const quarter =
    text === 'q' && next?.position.isSpaced === false && /^[1-4]$/.test(next.text) ? Number(next.text) : NaN;
  if (quarter) return { part: { kind: 'month', first: 3 * quarter - 2, last: 3 * quarter }, next: index + 2 };
  if (kind !== 'word' || text === undefined || !Object.hasOwn(namedParts, text)) return undefined;
  const part = namedParts[text];
  return part && { part, next: index + 1 };
}

/** A minute since midnight, a weekday (1 is Monday) or a month (1 is January). */
interface Value {
  readonly kind: 'minute' | 'weekday' | 'month';
  readonly value: number;
  /** The last minute of the hour, if the time is written without minutes. */
  readonly last?: number;
  readonly next: number;
}

/** Parses “between 18:00 and 20:00”, “after 18:00” (to the end of the day) and “before 6am” (from the beginning of the day). */
function parseBound(tokens: readonly Token[], index: number): ParsedPart | undefined {
  const word = tokens[index]?.text ?? '';
  if (word === 'between' && tokens.some(({ text }) => text === 'and'))
    return parseSpan(
      tokens.map((token): Token =>
        token.text === 'and' ? { kind: 'to', text: 'to', position: token.position } : token,
      ),
      index + 1,
    );
  const value = /^(?:from|after|before|to)$/.test(word) ? parseValue(tokens, index + 1) : undefined;
  if (value?.kind !== 'minute') return undefined;
  if (isRangeSign(tokens[value.next])) return word === 'from' ? parseSpan(tokens, index + 1) : undefined;
  const isEnd = word === 'before' || word === 'to';
  const [first, last] = isEnd ? [0, value.value - 1] : [value.value, minutesOfDay - 1];
  return first <= last ? { part: { kind: 'minute', first, last }, next: value.next } : undefined;
}

/** Parses one value, or a range that may extend over the end of the day, week or year. The end of a range of clock times is excluded. */
function parseSpan(tokens: readonly Token[], index: number): ParsedPart | undefined {
  const from = parseValue(tokens, index);
  if (!from) return undefined;
  const { kind, value: first } = from;
  // 24:00 is only valid as an end.
  if (kind === 'minute' && first === minutesOfDay) return undefined;
  if (!isRangeSign(tokens[from.next])) return { part: { kind, first, last: from.last ?? first }, next: from.next };
  const to = parseValue(tokens, from.next + 1);
  if (to?.kind !== kind || (kind === 'minute' && to.value === first)) return undefined;
  const last = kind === 'minute' ? to.value - 1 : to.value;
  return { part: { kind, first, last }, next: to.next };
}

function parseValue(tokens: readonly Token[], index: number): Value | undefined {
  const token = tokens[index];
  if (token?.kind === 'weekday' || token?.kind === 'month')
    return { kind: token.kind, value: token.value, next: index + 1 };
  const weekday = parsePluralWeekday(token?.text ?? '');
  if (weekday !== undefined) return { kind: 'weekday', value: weekday, next: index + 1 };
  const clock = token?.kind === 'number' ? parseClock(tokens.slice(index)) : undefined;
  const [hour = NaN, minute = NaN, ...seconds] = (clock?.text ?? '').split(':').map(Number);
  const value = hour * 60 + minute;
  if (!clock || seconds.length > 0 || minute > 59 || !(value <= minutesOfDay)) return undefined;
  // A clock time of two tokens, such as “6am”, means the whole hour.
  return { kind: 'minute', value, ...(clock.used === 2 && { last: value + 59 }), next: index + clock.used };
}

function isRangeSign(token: Token | undefined): boolean {
  return token?.kind === 'to' || (token?.kind === 'sign' && /^[-–—]$/.test(token.text));
}
