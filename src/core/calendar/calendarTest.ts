import { dayMs, minuteMs } from '../../shared/durations.ts';
import { readClock } from '../range/rangeEnd.ts';
import { tokensOf, weekdaysOf, type Token } from '../range/tokens.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import type { Tariff } from '../../shared/resampling.ts';
import { isPublicHoliday } from './holidays.ts';
import { eskomTariffs, tariffPeriodAt, type TariffPeriod } from './tariffPeriods.ts';

const minutesOfDay = 24 * 60;

/** From a value of clocks, of the week or of the year to another, over the end of that too; a holiday; or a tariff period. */
export type CalendarPart =
  | { readonly of: Value['of']; readonly first: number; readonly last: number }
  | { readonly of: 'holiday' }
  | { readonly of: 'period'; readonly period: TariffPeriod };

/** The words of a part, as `tokensOf` hands them on: in English. */
const words: Readonly<Record<string, CalendarPart>> = {
  weekday: { of: 'weekday', first: 1, last: 5 },
  weekend: { of: 'weekday', first: 6, last: 7 },
  holiday: { of: 'holiday' },
  peak: { of: 'period', period: 'peak' },
  standard: { of: 'period', period: 'standard' },
  offpeak: { of: 'period', period: 'offPeak' },
  // Of the southern hemisphere, by months, as the South African Weather Service has them.
  summer: { of: 'month', first: 12, last: 2 },
  autumn: { of: 'month', first: 3, last: 5 },
  winter: { of: 'month', first: 6, last: 8 },
  spring: { of: 'month', first: 9, last: 11 },
};

/**
 * Reads parts of the calendar that come again, each of which has to hold: `06:00-18:00` (to 18:00, over midnight too), `17:00` (that minute),
 * `6am` (that hour), `18h00`, `6-9am`, `between 18:00 and 20:00`, `after 18:00`, `before 6am`, `Mon`, `Mon-Fri`, `Saturdays`, `weekday`, `weekend`, `Jun`, `Nov-Feb`, `Q1`, `summer`, `holiday`, `public holiday`, `peak`, `standard`, `off-peak`; with
 * “to” or `..` for the dash, in any case, in English or Afrikaans. Undefined for any other text.
 */
export function calendarParts(text: string): readonly CalendarPart[] | undefined {
  const tokens = tokensOf(text) ?? [];
  const parts: CalendarPart[] = [];
  for (let at = 0; at < tokens.length;) {
    const read = wordAt(tokens, at) ?? boundAt(tokens, at) ?? spanAt(tokens, at);
    if (!read) return undefined;
    parts.push(read.part);
    at = read.next;
  }
  return parts.length > 0 ? parts : undefined;
}

/**
 * Whether all parts hold at an instant, in UTC milliseconds. Holidays are those of South Africa and tariff periods by SAST, whichever the
 * zone.
 */
export function calendarTest(
  parts: readonly CalendarPart[],
  timeZone: string,
  tariffs: readonly Tariff[] = eskomTariffs,
): (ms: number) => boolean {
  const offsets = new ZoneOffsets(timeZone);
  const periodAt = tariffPeriodAt(tariffs);
  let [day, weekday, month] = [NaN, NaN, NaN];
  return ms => {
    const wall = ms + offsets.at(ms);
    const today = Math.floor(wall / dayMs);
    // Rows mostly stand in the order of time.
    if (today !== day) {
      const date = new Date(today * dayMs);
      [day, weekday, month] = [today, date.getUTCDay() || 7, date.getUTCMonth() + 1];
    }
    const minute = Math.floor((wall - today * dayMs) / minuteMs);
    const moment = { minute, weekday, month };
    return parts.every(part => {
      if (part.of === 'holiday') return isPublicHoliday(ms);
      if (part.of === 'period') return periodAt(ms) === part.period;
      const [value, isFrom] = [moment[part.of], moment[part.of] >= part.first];
      return part.first <= part.last ? isFrom && value <= part.last : isFrom || value <= part.last;
    });
  };
}

interface Read {
  readonly part: CalendarPart;
  readonly next: number;
}

function wordAt(tokens: readonly Token[], at: number): Read | undefined {
  const { kind, text } = tokens[at] ?? {};
  const after = tokens[at + 1];
  if (text === 'off') {
    const last = isDash(after) ? at + 2 : at + 1;
    return tokens[last]?.text === 'peak' && words['offpeak'] ? { part: words['offpeak'], next: last + 1 } : undefined;
  }
  if (text === 'public') return after?.text === 'holiday' ? wordAt(tokens, at + 1) : undefined;
  const quarter = text === 'q' && after?.at.apart === false && /^[1-4]$/.test(after.text) ? Number(after.text) : NaN;
  if (quarter) return { part: { of: 'month', first: 3 * quarter - 2, last: 3 * quarter }, next: at + 2 };
  if (kind !== 'word' || text === undefined || !Object.hasOwn(words, text)) return undefined;
  const part = words[text];
  return part && { part, next: at + 1 };
}

/** A value of a clock (since midnight), a week (1 is Monday) or a year (1 is January). */
interface Value {
  readonly of: 'minute' | 'weekday' | 'month';
  readonly value: number;
  /** The last minute of an hour that is written without its minutes. */
  readonly last?: number;
  readonly next: number;
}

/** “between 18:00 and 20:00”; “after 18:00”, to the end of the day, and “before 6am”, from its beginning. */
function boundAt(tokens: readonly Token[], at: number): Read | undefined {
  const word = tokens[at]?.text ?? '';
  if (word === 'between' && tokens.some(({ text }) => text === 'and'))
    return spanAt(
      tokens.map((token): Token => (token.text === 'and' ? { kind: 'to', text: 'to', at: token.at } : token)),
      at + 1,
    );
  const value = /^(?:from|after|before|to)$/.test(word) ? valueAt(tokens, at + 1) : undefined;
  if (value?.of !== 'minute') return undefined;
  if (isDash(tokens[value.next])) return word === 'from' ? spanAt(tokens, at + 1) : undefined;
  const isEnd = word === 'before' || word === 'to';
  const [first, last] = isEnd ? [0, value.value - 1] : [value.value, minutesOfDay - 1];
  return first <= last ? { part: { of: 'minute', first, last }, next: value.next } : undefined;
}

/** One value, or from one to another, over the end of the day, week or year too. The end of a time of day is not part of it. */
function spanAt(tokens: readonly Token[], at: number): Read | undefined {
  const from = valueAt(tokens, at);
  if (!from) return undefined;
  const { of, value: first } = from;
  // 24:00 is an end alone.
  if (of === 'minute' && first === minutesOfDay) return undefined;
  if (!isDash(tokens[from.next])) return { part: { of, first, last: from.last ?? first }, next: from.next };
  const to = valueAt(tokens, from.next + 1);
  if (to?.of !== of || (of === 'minute' && to.value === first)) return undefined;
  const last = of === 'minute' ? to.value - 1 : to.value;
  return { part: { of, first, last }, next: to.next };
}

function valueAt(tokens: readonly Token[], at: number): Value | undefined {
  const token = tokens[at];
  if (token?.kind === 'weekday' || token?.kind === 'month') return { of: token.kind, value: token.value, next: at + 1 };
  const weekday = weekdaysOf(token?.text ?? '');
  if (weekday !== undefined) return { of: 'weekday', value: weekday, next: at + 1 };
  const clock = token?.kind === 'number' ? readClock(tokens.slice(at)) : undefined;
  const [hour = NaN, minute = NaN, ...seconds] = (clock?.text ?? '').split(':').map(Number);
  const value = hour * 60 + minute;
  if (!clock || seconds.length > 0 || minute > 59 || !(value <= minutesOfDay)) return undefined;
  // “6am”, of a number and a word.
  return { of: 'minute', value, ...(clock.used === 2 && { last: value + 59 }), next: at + clock.used };
}

function isDash(token: Token | undefined): boolean {
  return token?.kind === 'to' || (token?.kind === 'sign' && /^[-–—]$/.test(token.text));
}
