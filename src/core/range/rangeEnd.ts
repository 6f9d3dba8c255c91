import { thisYear, type Choose, type Point, type RangeUnit } from './rangeSpec.ts';
import { parseRangeUnit, type Token } from './tokens.ts';

/** One end of a range as written. `completeEnds` adds missing fields from the other end. */
export interface RangeEnd {
  readonly tokens: readonly Token[];
  /** Days and months written as numbers, until it is known which number is which. */
  numbers: number[];
  year?: number;
  yearFirst?: boolean;
  month?: number;
  day?: number;
  weekday?: number;
  /** The minimum number of days since the weekday: 1 for “last Monday”, which is not today, and -1 for the morning after “Monday 22:00”. */
  minDaysAgo?: number;
  part?: {
    readonly partKind: 'quarter' | 'half' | 'week' | 'season' | 'financialYear' | 'ordinal';
    readonly number: number;
    readonly day?: number;
  };
  daysAgo?: number;
  clock?: string;
  /** `Z`, or an offset such as `+02:00`. */
  zone?: string;
  /** The point of an end that isn't a date, such as “now”. */
  point?: Point;
}

const parts: Readonly<Record<string, 'quarter' | 'half' | 'week'>> = {
  q: 'quarter',
  quarter: 'quarter',
  h: 'half',
  half: 'half',
  w: 'week',
  week: 'week',
};
export const partMonths = { quarter: 3, half: 6, season: 3, financialYear: 12, ordinal: 12 };
const periods = ['week', 'month', 'quarter', 'year'] as const;
export const seasons = ['autumn', 'winter', 'spring', 'summer'] as const;

/** Chooses the first month of a season, in the southern or the northern hemisphere: winter begins in June or in December. */
export function getSeasonStart(season: number, choose: Choose): number {
  return choose('season', 3 * season + 3, ((3 * season + 8) % 12) + 1);
}

/** Parses the parts of an end in any order. Returns undefined if a part is unknown or repeated. */
export function parseEnd(tokens: readonly Token[]): RangeEnd | undefined {
  if (tokens.length === 0 || tokens[0]?.kind === 'sign' || tokens.at(-1)?.kind === 'sign') return undefined;
  const completePoint = parseCompleteEnd(tokens);
  if (completePoint) return { tokens, numbers: [], point: completePoint };
  const end: RangeEnd = { tokens, numbers: [] };
  let remaining = tokens;
  const signs = new Set<string>();
  while (remaining.length > 0) {
    const used = parsePart(end, remaining);
    // One sign may separate two parts, as in 2023-05. Different signs separate two ends, as in 2023-05/07.
    const sign = used === 0 && remaining[1]?.kind !== 'sign' ? (remaining[0]?.text ?? '') : '';
    const isBetween = /^[-/.,]$/.test(sign);
    if (isBetween) signs.add(sign);
    if ((used === 0 && !isBetween) || (signs.has('-') && signs.has('/'))) return undefined;
    remaining = remaining.slice(isBetween ? 1 : used);
  }
  return end;
}

/** Parses an end that needs no other parts: “now”, “now-7d”, “7 days ago”, “last month”, “2 weeks before this week”, “P1M”. */
function parseCompleteEnd(tokens: readonly Token[]): Point | undefined {
  const [first, ...others] = tokens;
  if (first?.text === 'now') {
    if (others.length === 0) return { kind: 'now' };
    const length = others[0]?.text === '-' ? parseUnitLength(others.slice(1)) : undefined;
    return length && { kind: 'ago', ...length };
  }
  if (tokens.at(-1)?.text === 'ago') {
    const length = parseUnitLength(tokens.slice(0, -1));
    return length && { kind: 'ago', ...length };
  }
  const earlier = parseEarlierPeriod(tokens);
  if (earlier && earlier.period !== 'day' && earlier.used === tokens.length)
    return { kind: 'relativePeriod', period: earlier.period, before: earlier.before };
  const season = seasons.find(name => name === others[0]?.text);
  if (season && others.length === 1 && /^(?:last|previous)$/.test(first?.text ?? ''))
    return { kind: 'relativePeriod', period: season, before: 1 };
  const duration = parseDuration(tokens);
  return duration && { kind: 'length', duration };
}

/**
 * Parses “this month”, “last year”, “2 weeks before this week”, “month before last” or “day before yesterday” into the number of periods before
 * the current one.
 */
function parseEarlierPeriod(
  tokens: readonly Token[],
): { readonly period: (typeof periods)[number] | 'day'; readonly before: number; readonly used: number } | undefined {
  const countTokens = tokens[0]?.kind === 'number' ? 1 : 0;
  const period = [...periods, 'day' as const].find(name =>
    new RegExp(`^${name}s?$`).test(tokens[countTokens]?.text ?? ''),
  );
  const isEarlier = period !== undefined && tokens[countTokens + 1]?.text === 'before';
  const [reference, referencePeriod] = tokens.slice(isEarlier ? countTokens + 2 : 0);
  const count = isEarlier ? Number(countTokens ? tokens[0]?.text : 1) : 0;
  const used = (isEarlier ? countTokens + 2 : 0) + 1;
  if (!reference || count > 999 || (countTokens && count < 1)) return undefined;
  if (period === 'day' && (reference.text === 'today' || reference.text === 'yesterday'))
    return { period, before: count + Number(reference.text === 'yesterday'), used };
  const present = isEarlier ? period : periods.find(name => name === referencePeriod?.text);
  if (!present || present === 'day' || !/^(?:this|last|previous)$/.test(reference.text)) return undefined;
  const periodsAgo = count + Number(reference.text !== 'this');
  if (referencePeriod?.text === present) return { period: present, before: periodsAgo, used: used + 1 };
  return reference.text === 'last' && tokens.length === used
    ? { period: present, before: periodsAgo, used }
    : undefined;
}

/** Parses “7 days” or “7d”. Returns undefined for anything else, for 0, and for “30m”, which could mean minutes. */
export function parseUnitLength(
  tokens: readonly Token[],
): { readonly count: number; readonly unit: RangeUnit } | undefined {
  const [number, word] = tokens;
  if (tokens.length !== 2 || number?.kind !== 'number' || number.text.length > 6 || word?.text === 'm')
    return undefined;
  const count = Number(number.text);
  const unit = parseRangeUnit(word?.text);
  return unit && count > 0 ? { count, unit } : undefined;
}

/** Parses an ISO 8601 duration of whole numbers with at most six digits, such as P1M or PT36H. */
function parseDuration(tokens: readonly Token[]): Readonly<Record<string, number>> | undefined {
  const text = tokens
    .map(({ text: part, position }, index) => (index > 0 && position.isSpaced ? ' ' : '') + part)
    .join('');
  const match =
    /^p(?:(\d{1,6})y)?(?:(\d{1,6})m)?(?:(\d{1,6})w)?(?:(\d{1,6})d)?(?:t(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?)?$/.exec(
      text,
    );
  const names = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];
  const durationParts = names.map((name, index) => [name, Number(match?.[index + 1] ?? 0)] as const);
  const nonZeroParts = durationParts.filter(([, count]) => count > 0);
  return nonZeroParts.length > 0 ? Object.fromEntries(nonZeroParts) : undefined;
}

/** Parses one part at the beginning of the tokens. Returns the number of its tokens, or 0 if there is none. */
function parsePart(end: RangeEnd, tokens: readonly Token[]): number {
  const [first, second, third] = tokens;
  if (end.clock !== undefined && end.zone === undefined) {
    const used = parseZone(end, tokens);
    if (used > 0) return used;
  }
  const clock = parseClock(tokens);
  if (clock) return end.clock === undefined ? ((end.clock = clock.text), clock.used) : 0;
  const ordinal = parseOrdinalPart(end, tokens);
  if (ordinal > 0) return ordinal;
  const earlier = parseEarlierPeriod(tokens);
  if (earlier?.period === 'day' && end.daysAgo === undefined) {
    end.daysAgo = earlier.before;
    return earlier.used;
  }
  if (earlier?.period === 'year' && end.year === undefined) {
    end.year = thisYear - earlier.before;
    return earlier.used;
  }
  switch (first?.kind) {
    case 'number':
    case 'year':
      return parseNumber(end, first.text, second, third);
    case 'month':
      return end.month === undefined ? ((end.month = first.value), 1) : 0;
    case 'weekday':
      return end.weekday === undefined ? ((end.weekday = first.value), 1) : 0;
    case 'word':
      break;
    default:
      return 0;
  }
  if (/^(?:last|previous)$/.test(first.text) && second?.kind === 'weekday') {
    if (end.weekday !== undefined) return 0;
    end.weekday = second.value;
    end.minDaysAgo = 1;
    return 2;
  }
  const daysAhead = ['yesterday', 'today', 'tomorrow'].indexOf(first.text) - 1;
  if (daysAhead > -2) {
    if (end.daysAgo !== undefined) return 0;
    end.daysAgo = 0 - daysAhead;
    return 1;
  }
  if (end.part) return 0;
  const financial = parseFinancialYear(end, tokens);
  if (financial > 0) return financial;
  const partKind = Object.hasOwn(parts, first.text) ? parts[first.text] : undefined;
  if (partKind && second?.kind === 'number' && second.text.length < 3) {
    end.part = { partKind, number: Number(second.text) };
    return 2;
  }
  // 2023W051 and 2023-W05-1 are days of a week.
  if (partKind === 'week' && second?.kind === 'number' && second.text.length === 3 && third === undefined) {
    end.part = { partKind, number: Number(second.text.slice(0, 2)), day: Number(second.text.slice(2)) };
    return 2;
  }
  const season = seasons.findIndex(name => name === first.text);
  if (season >= 0) end.part = { partKind: 'season', number: season };
  return season >= 0 ? 1 : 0;
}

export const ordinalSuffix = /^(?:st|nd|rd|th|ste|de)$/;

/** Parses “1st quarter”, “second half”, “last quarter” of a year, or 3Q23. Returns the number of its tokens, or 0. */
function parseOrdinalPart(end: RangeEnd, [first, second, third]: readonly Token[]): number {
  if (
    first?.kind === 'number' &&
    first.text.length === 1 &&
    second?.text === 'q' &&
    !second.position.isSpaced &&
    !end.part
  ) {
    end.part = { partKind: 'quarter', number: Number(first.text) };
    if (third?.text.length !== 2 || third.kind !== 'number' || third.position.isSpaced || end.year !== undefined)
      return 2;
    end.year = 2000 + Number(third.text);
    return 3;
  }
  const isLast = first?.text === 'last';
  const name = (isLast ? second : third)?.text;
  const isNumber = first?.kind === 'number' && second?.position.isSpaced === false && ordinalSuffix.test(second.text);
  if (end.part || (!isLast && !isNumber) || (name !== 'quarter' && name !== 'half')) return 0;
  // “last quarter-2023” has two ends.
  if (isLast && third?.kind === 'sign') return 0;
  end.part = { partKind: name, number: isLast ? 12 / partMonths[name] : Number(first.text) };
  return isLast ? 2 : 3;
}

/** Parses FY2023, FY23 or “financial year 2023”. Returns the number of its tokens, or 0. */
function parseFinancialYear(end: RangeEnd, [first, second, third]: readonly Token[]): number {
  const isSpelled = second?.text === 'year' && /^(?:financial|fiscal)$/.test(first?.text ?? '');
  const year = isSpelled ? third : second;
  if ((!isSpelled && first?.text !== 'fy') || !year || !/^(?:\d\d){1,2}$/.test(year.text)) return 0;
  if (end.year !== undefined) return 0;
  end.year = Number(year.text.padStart(4, '20'));
  end.part = { partKind: 'financialYear', number: 1 };
  return isSpelled ? 3 : 2;
}

function parseNumber(end: RangeEnd, text: string, next?: Token, third?: Token): number {
  if (text.length <= 2) {
    end.numbers.push(Number(text));
    const isOrdinal = next?.kind === 'word' && !next.position.isSpaced && ordinalSuffix.test(next.text);
    return isOrdinal ? 2 : 1;
  }
  // Years and dates are 2023, 202305 and 20230501; days of a year are 2023-123 and 2023123.
  const isYear = text.length === 4;
  const isDashed = isYear && next?.text === '-' && third?.kind === 'number' && third.text.length === 3;
  const isOrdinal = isDashed || text.length === 7;
  if (!/^[4678]$/.test(String(text.length)) || end.year !== undefined) return 0;
  if ((!isYear || isOrdinal) && end.numbers.length > 0) return 0;
  end.yearFirst = end.numbers.length === 0 && end.month === undefined && end.part === undefined;
  end.year = Number(text.slice(0, 4));
  if (isOrdinal) {
    if (end.part || end.month !== undefined) return 0;
    end.part = { partKind: 'ordinal', number: 1, day: Number(isDashed ? third.text : text.slice(4)) };
    return isDashed ? 3 : 1;
  }
  for (let index = 4; index < text.length; index += 2) end.numbers.push(Number(text.slice(index, index + 2)));
  return 1;
}

/** Parses 14:00, 14:00:30.5, 14h00, 2 pm and, after a T, 1400. */
export function parseClock(tokens: readonly Token[]): { readonly text: string; readonly used: number } | undefined {
  const prefixTokens = tokens[0]?.text === 't' ? 1 : 0;
  const [hour, sign, minute, ...more] = tokens.slice(prefixTokens);
  if (hour?.kind !== 'number') return undefined;
  if (prefixTokens === 1 && /^\d{4}(?:\d\d)?$/.test(hour.text))
    return { text: (hour.text.match(/\d\d/g) ?? []).join(':'), used: 2 };
  if (hour.text.length > 2 || !sign || sign.position.isSpaced) {
    return hour.text.length <= 2 && sign ? parseHalfDay(hour.text, '00', sign, prefixTokens + 2) : undefined;
  }
  const isClock = (sign.text === ':' || sign.text === 'h') && minute?.kind === 'number' && minute.text.length === 2;
  if (!isClock || minute.position.isSpaced) return parseHalfDay(hour.text, '00', sign, prefixTokens + 2);
  const [colon, second, dot, fraction] = more;
  const text = `${hour.text.padStart(2, '0')}:${minute.text}`;
  if (sign.text !== ':' || colon?.text !== ':' || second?.text.length !== 2)
    return parseHalfDay(hour.text, minute.text, colon, prefixTokens + 4) ?? { text, used: prefixTokens + 3 };
  const withSeconds = `${text}:${second.text}`;
  return dot?.text === '.' && fraction?.kind === 'number' && fraction.text.length <= 9
    ? { text: `${withSeconds}.${fraction.text}`, used: prefixTokens + 7 }
    : { text: withSeconds, used: prefixTokens + 5 };
}

/** Parses a time on the 12-hour clock, where 12 am is midnight. */
function parseHalfDay(
  hour: string,
  minute: string,
  mark: Token | undefined,
  used: number,
): { readonly text: string; readonly used: number } | undefined {
  const value = Number(hour);
  if ((mark?.text !== 'am' && mark?.text !== 'pm') || value < 1 || value > 12) return undefined;
  return { text: `${String((value % 12) + (mark.text === 'pm' ? 12 : 0)).padStart(2, '0')}:${minute}`, used };
}

/** Parses Z, UTC, SAST, +02:00, +0200 or +02. Returns the number of its tokens, or 0. */
function parseZone(end: RangeEnd, [first, hours, colon, minutes]: readonly Token[]): number {
  if (first?.kind === 'word' && /^(?:z|utc|sast)$/.test(first.text)) {
    end.zone = first.text === 'sast' ? '+02:00' : 'Z';
    return 1;
  }
  if ((first?.text !== '+' && first?.text !== '-') || hours?.kind !== 'number') return 0;
  const isLong = hours.text.length === 4;
  if ((hours.text.length !== 2 && !isLong) || Number(hours.text.slice(0, 2)) > 23) return 0;
  const hasMinutes = !isLong && colon?.text === ':' && minutes?.kind === 'number' && minutes.text.length === 2;
  const minutesText = isLong ? hours.text.slice(2) : hasMinutes ? minutes.text : '00';
  end.zone = `${first.text}${hours.text.slice(0, 2)}:${minutesText}`;
  return hasMinutes ? 4 : 2;
}
