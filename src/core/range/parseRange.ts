import { Temporal } from 'temporal-polyfill';
import { completeEnds } from './completeEnds.ts';
import { parseEnd } from './rangeEnd.ts';
import { parsePhrase } from './rangePhrases.ts';
import { toPoint } from './rangePoint.ts';
import { printRange } from './printRange.ts';
import { resolveRange } from './resolveRange.ts';
import {
  isRelativeYear,
  type Choose,
  type Parsed,
  type Point,
  type RangeAmbiguity,
  type RangeSpec,
  type RangeUnit,
} from './rangeSpec.ts';
import { tokenize, type Token } from './tokens.ts';

/** Twice the length of the longest valid range. Longer texts are rejected unread. */
export const maxRangeLength = 100;

/** Returns the normal form of a range, in which it is stored and displayed. An invalid text is only trimmed. */
export function normalizeRange(text: string): string {
  const spec = parseRange(text);
  return spec.ok ? printRange(spec.value) : text.trim();
}

/** Splits a range into the texts of its two ends, which are empty for an open end. Returns one text if nothing separates two ends. */
export function splitRangeEnds(text: string): string[] {
  const ends: Token[][] = [[]];
  for (const token of tokenize(text) ?? []) {
    if (token.kind === 'to') ends.push([]);
    else ends.at(-1)?.push(token);
  }
  return ends.length === 1 ? [text.trim()] : ends.map(end => getSourceText(end, text));
}

/**
 * Parses a range as people write one, in English or Afrikaans, in upper or lower case. The complete grammar:
 *
 * - “today”, “yesterday”, “this”, “last” or “previous” week, month, quarter or year, “month to date”, mtd, “month before last”, “3 days before
 *   today”, “last weekend”, “last winter” (of the southern hemisphere), “this year so far”, “last 3 full months”: calendar periods of the zone. “last 36 hours”, “last seven days”, “past month”,
 *   “24h”, “now-7d”, P7D: back from the last complete interval. `m` alone is a month.
 * - Periods: 2023, 2023-05, 202305, 2023/5, “May 2023”, “1 May 2023”, 20230501, 2023-121, 2023-Q1, “H1 2023”, 2023-W05, “week 5 2023”,
 *   2023-W05-1, FY2022-23, “first quarter of 2023”, 3Q23, “week of 1 May 2023”, “all of 2023”, “during May 2023”, “Jan '23”, “May last year”, “Monday” (the latest), “last Monday” (not today).
 * - Clock times follow a day: 14:00, 14h00, “2 pm”, 24:00. Their zone is Z, UTC, SAST or an offset, or by default the zone of the context; a
 *   zone that only one end has applies to both. If the clocks show a time twice, the first one is meant; if they skip it, the time after the gap.
 * - Two ends are separated by `..`, “to”, “until”, “tot”, “between … and …”, a dash, or the slash of ISO 8601. “since”, “to date” and an open end reach to now.
 *   A period at the end is included as a whole, also “last month” and “this year”; an instant at the end is excluded. Either end may be an ISO 8601 duration.
 * - Each end is completed from the other one: “1–5 May 2023”, 1-5/2023, 2023-05-01..03, “1 May 2023 14:00-17:00”, also over the new year and over midnight:
 *   “28/12 - 3/1 2023”, “Monday 22:00-02:00”, “today 22:00..tomorrow 02:00”. Two dates with years need no separator: “2023-05 2023-06”.
 *
 * The parser never guesses. It rejects a text that could be several ranges (01/05/2023, 1/5/23, “winter 2023”, FY2023, 2022/23, “3 days ago”, “last 2 quarters”,
 * 18h, “1 May 2023 18:00”) and returns all readings that end after they begin. It also rejects a date without a year, or with the wrong weekday.
 *
 * No library is used because none is accurate enough. Of 32 typical texts, recognizers-text 1.3 parses 14 correctly and 11 incorrectly
 * without an error; compromise-dates 3.9: 9 and 8; chrono-node 2.10: 7 and 10; Sugar 2.0: 5 and 7. They parse only a part of a text (the
 * first day of 2023-05-01..03, “now” of now-7d), choose one of the two dates of 01/05/2023, and add 39 to 341 kB, compressed, while this
 * parser has 6 kB. None of them aligns ranges to intervals, which results require.
 *
 * A text has at most 100 characters. Its tokens are parsed once for each sign that may separate its ends.
 */
export function parseRange(text: string): Parsed<RangeSpec> {
  if (text.length > maxRangeLength) return createNotUnderstood(`${text.slice(0, maxRangeLength)}…`);
  if (text.trim() === '') return { ok: false, problem: 'empty' };
  const tokens = tokenize(text);
  if (!tokens) return createNotUnderstood(text.trim());
  const truncated = text.replace(/(:\d\d\.\d{3})\d*[1-9]\d*/g, '$1');
  if (truncated !== text) {
    const range = parseRange(truncated);
    return range.ok ? { ok: false, problem: 'tooFine', part: text.trim(), example: printRange(range.value) } : range;
  }
  const parsedRanges: Parsed<RangeSpec>[] = [];
  const readingChoices: Map<RangeAmbiguity, number>[] = [new Map<RangeAmbiguity, number>()];
  // Each ambiguity adds one set of choices for each of its other readings, about twelve in all.
  for (const choices of readingChoices)
    parsedRanges.push(
      parseTokens(tokens, text, (ambiguity, first, ...others) => {
        if (!choices.has(ambiguity)) {
          readingChoices.push(...others.map((_, index) => new Map(choices).set(ambiguity, index + 1)));
          choices.set(ambiguity, 0);
        }
        return [first, ...others][choices.get(ambiguity) ?? 0] ?? first;
      }),
    );
  const understood = parsedRanges.filter(range => range.ok);
  const forward = understood.filter(({ value }) => !isBackwards(value));
  const [first, ...others] = forward.length > 0 ? forward : understood;
  if (!first) return parsedRanges.at(-1) ?? createNotUnderstood(text.trim());
  const readings = [...new Set([first, ...others].map(({ value }) => printRange(value)))];
  return readings.length === 1 || forward.length === 0
    ? first
    : { ok: false, problem: 'ambiguous', part: text.trim(), readings };
}

/** Whether a range between fixed dates ends before it begins. */
function isBackwards(spec: RangeSpec): boolean {
  const isFixed = ({ kind }: Point) => kind === 'instant' || kind === 'local' || kind === 'period';
  if (spec.kind !== 'between' || !isFixed(spec.from) || !isFixed(spec.to)) return false;
  // If only one end has a relative year, the order depends on when the query runs.
  if (hasRelativeYear(spec.from) !== hasRelativeYear(spec.to)) return false;
  const span = resolveRange(spec, { now: 0, timeZone: 'UTC', intervalMs: undefined });
  return !span.ok && span.problem === 'endNotAfterStart';
}

function hasRelativeYear(point: Point): boolean {
  return point.kind === 'period' && isRelativeYear(point.first.year);
}

function parseTokens(tokens: readonly Token[], text: string, choose: Choose): Parsed<RangeSpec> {
  const phrase = tokens.map(token => token.text).join(' ');
  const phraseRange = parsePhrase(tokens, choose);
  if (phraseRange) return { ok: true, value: phraseRange };

  const periodTokens = findToDatePeriod(tokens);
  if (periodTokens.length > 0) {
    // During 2023, “ytd 2023” reaches to now; later it may mean the whole year.
    const period = parsePoint(periodTokens, text, choose);
    if (!period.ok) return period;
    return period.value.kind === 'period'
      ? choose(
          'end',
          createSinglePointRange(period.value, text),
          createRangeBetween(period.value, { kind: 'now' }, text),
        )
      : createNotUnderstood(text.trim());
  }
  const betweenIndex = tokens.findIndex(token => token.text === 'between');
  const andIndex = tokens.findIndex((token, index) => index > betweenIndex && token.text === 'and');
  if (andIndex > 0 && andIndex < tokens.length - 1) {
    const ends = tokens.map((token, index): Token =>
      index === andIndex ? { kind: 'to', text: 'to', position: token.position } : token,
    );
    const range =
      betweenIndex < 0
        ? parseBetween(ends, andIndex, text, choose)
        : parseBetween(ends.toSpliced(betweenIndex, 1), andIndex - 1, text, choose);
    const isRange = range.ok ? betweenIndex >= 0 || isConsecutive(range.value) : range.problem !== 'notUnderstood';
    return isRange ? range : createNotUnderstood(text.trim());
  }
  const week = tokens[0]?.text === 'week' ? parseWeekOfDay(tokens.slice(1), text, choose) : undefined;
  if (week) return week;
  const isUntil = tokens[0]?.kind === 'to' || tokens[0]?.text === 'before' || phrase.startsWith('up to ');
  if (isUntil && parsePoint(tokens.slice(tokens[0]?.text === 'up' ? 2 : 1), text, choose).ok)
    return { ok: false, problem: 'startMissing', part: text.trim() };

  const isSince = /^(?:from|van)$/.test(tokens[0]?.text ?? '');
  const remaining = isSince ? tokens.slice(1) : tokens;
  const separators = remaining.flatMap(({ kind }, index) => (kind === 'to' ? [index] : []));
  const [separator] = separators;
  if (separators.length > 1 || separator === 0 || remaining.length === 0) return createNotUnderstood(text.trim());
  if (separator !== undefined) return parseBetween(remaining, separator, text, choose);

  const whole = parsePoint(remaining, text, choose);
  if (isSince) return whole.ok ? createRangeBetween(whole.value, { kind: 'now' }, text) : whole;
  const asRange = whole.ok ? createSinglePointRange(whole.value, text) : whole;
  // A date that doesn't exist must not be split into two ends.
  if (asRange.ok || asRange.problem === 'noSuchDate') return asRange;
  const adjacent = remaining.flatMap((_, index) =>
    canSeparateDates(remaining, index) ? [parseBetween(insertTo(remaining, index), index, text, choose)] : [],
  );
  const [reading, ...others] = adjacent.filter(({ ok }) => ok);
  if (reading && others.length === 0) return reading;
  const split = remaining.flatMap((_, index) =>
    canSplitAt(remaining, index) ? [parseBetween(remaining, index, text, choose)] : [],
  );
  const understood = split.filter(({ ok }) => ok);
  const problem = split.find(range => !range.ok && range.problem !== 'notUnderstood');
  if (understood.length === 1 && understood[0]) return understood[0];
  return (
    problem ?? (whole.ok && !/-[\d:]+$/.test(text.trim()) ? createRangeSinceClock(whole.value, text, choose) : asRange)
  );
}

/** Whether the second period follows the first one directly. “January and February 2024” is a range, “January and March 2024” isn't. */
function isConsecutive(spec: RangeSpec): boolean {
  if (spec.kind !== 'between' || spec.from.kind !== 'period' || spec.to.kind !== 'period') return false;
  return spec.from.first.add(spec.from.length).equals(spec.to.first);
}

/** Parses “week of 1 May 2023”: the week from Monday that contains the day, or the seven days from that day. */
function parseWeekOfDay(tokens: readonly Token[], text: string, choose: Choose): Parsed<RangeSpec> | undefined {
  const day = parsePoint(tokens, text, choose);
  if (!day.ok || day.value.kind !== 'period' || Temporal.Duration.from(day.value.length).days !== 1) return undefined;
  const { first, length } = day.value;
  if (isRelativeYear(first.year)) return undefined;
  const daysFromMonday = first.dayOfWeek - 1;
  const week = createSinglePointRange(
    { kind: 'period', first: first.subtract({ days: daysFromMonday }), length: { days: 7 } },
    text,
  );
  return daysFromMonday === 0
    ? week
    : choose(
        'end',
        week,
        createRangeBetween(day.value, { kind: 'period', first: first.add({ days: 6 }), length }, text),
      );
}

/** Returns the tokens before or after “year to date”, as in “ytd 2023”; none without “to date”. */
function findToDatePeriod(tokens: readonly Token[]): readonly Token[] {
  // Any other “to” has the token kind `to`.
  const toIndex = tokens.findIndex(({ kind, text }) => kind === 'word' && text === 'to');
  if (toIndex === 1) return tokens.slice(3);
  return toIndex > 1 && toIndex === tokens.length - 2 ? tokens.slice(0, toIndex - 1) : [];
}

/** Whether a dash or a slash may mean “to”. In 1/5/23/7 it is unclear which slash does, and after a T a dash begins an offset. */
function canSplitAt(tokens: readonly Token[], index: number): boolean {
  if (index === 0 || index === tokens.length - 1) return false;
  const separator = tokens[index]?.text;
  if (tokens.length > 3 && tokens.every(({ text }) => text === separator || /^\d\d?$/.test(text))) return false;
  return separator === '/' || (separator === '-' && tokens.every(({ text }) => text !== 't'));
}

/**
 * Whether the space before a token separates two complete dates, as in 2023-05 2023-06. If the text has a dash or a slash, which may also
 * separate ends, further spaces are allowed only before clock times.
 */
function canSeparateDates(tokens: readonly Token[], index: number): boolean {
  if (index === 0 || !tokens[index]?.position.isSpaced) return false;
  const hasSign = tokens.some(({ text }) => text === '-' || text === '/');
  const isWhole = tokens.every(
    ({ position }, tokenIndex) =>
      !position.isSpaced || [0, index].includes(tokenIndex) || tokens[tokenIndex + 1]?.text === ':',
  );
  if (hasSign && !isWhole) return false;
  const left = tokens.slice(0, index);
  const right = tokens.slice(index);
  const isDate = (side: readonly Token[]): boolean => {
    const end = parseEnd(side);
    return end?.year !== undefined && end.part?.partKind !== 'financialYear';
  };
  return isDate(left) && isDate(right);
}

function insertTo(tokens: readonly Token[], index: number): Token[] {
  const { start = 0 } = tokens[index]?.position ?? {};
  return tokens.toSpliced(index, 0, { kind: 'to', text: 'to', position: { start, end: start, isSpaced: true } });
}

function parseBetween(tokens: readonly Token[], separator: number, text: string, choose: Choose): Parsed<RangeSpec> {
  const startTokens = tokens.slice(0, separator);
  const endTokens = tokens.slice(separator + 1);
  if (endTokens.length === 0 || (endTokens.length === 1 && endTokens[0]?.text === 'date')) {
    const from = parsePoint(startTokens, text, choose);
    return from.ok ? createRangeBetween(from.value, { kind: 'now' }, text) : from;
  }
  const left = parseEnd(startTokens);
  const right = parseEnd(endTokens);
  if (!left) return createNotUnderstood(getSourceText(startTokens, text));
  if (!right) return createNotUnderstood(getSourceText(endTokens, text));
  const [first, last] = completeEnds(left, right, choose);
  const from = toPoint(first, getSourceText(first.tokens, text), choose);
  if (!from.ok) return from;
  const to = toPoint(last, getSourceText(last.tokens, text), choose);
  return to.ok ? createRangeBetween(from.value, to.value, text) : to;
}

function parsePoint(tokens: readonly Token[], text: string, choose: Choose): Parsed<Point> {
  const end = parseEnd(tokens);
  return end ? toPoint(end, getSourceText(tokens, text), choose) : createNotUnderstood(getSourceText(tokens, text));
}

/** Creates the range of a clock time alone, which is either the time since then or its hour. */
function createRangeSinceClock(from: Point, text: string, choose: Choose): Parsed<RangeSpec> {
  if (from.kind !== 'instant' && from.kind !== 'local' && from.kind !== 'relativeDay')
    return createNotUnderstood(text.trim());
  const to = choose<Point>('end', { kind: 'now' }, { kind: 'length', duration: { hours: 1 } });
  return { ok: true, value: { kind: 'between', from, to } };
}

/** Creates the range of a single point: a period, a whole day, or a length of time up to now. */
function createSinglePointRange(point: Point, text: string): Parsed<RangeSpec> {
  switch (point.kind) {
    case 'period':
    case 'relativePeriod':
      return { ok: true, value: { kind: 'between', from: point, to: point } };
    case 'relativeDay':
      return point.clock === undefined
        ? { ok: true, value: { kind: 'between', from: point, to: point } }
        : createNotUnderstood(text.trim());
    case 'ago':
      return { ok: true, value: { kind: 'last', count: point.count, unit: point.unit } };
    case 'length': {
      const [first, ...more] = Object.entries(point.duration) as [RangeUnit | 'minutes' | 'seconds', number][];
      const isLast = first && more.length === 0 && first[0] !== 'minutes' && first[0] !== 'seconds';
      return isLast
        ? { ok: true, value: { kind: 'last', unit: first[0] as RangeUnit, count: first[1] } }
        : createNotUnderstood(text.trim());
    }
    default:
      return createNotUnderstood(text.trim());
  }
}

function createRangeBetween(from: Point, to: Point, text: string): Parsed<RangeSpec> {
  if (from.kind === 'length' && to.kind === 'length') return createNotUnderstood(text.trim());
  // “7 days ago..” means “last 7 days”.
  if (from.kind === 'ago' && to.kind === 'now') return createSinglePointRange(from, text);
  return { ok: true, value: { kind: 'between', from, to } };
}

function getSourceText(tokens: readonly Token[], text: string): string {
  return text.slice(tokens[0]?.position.start ?? 0, tokens.at(-1)?.position.end ?? 0);
}

function createNotUnderstood(part: string): Parsed<never> {
  return { ok: false, problem: 'notUnderstood', part };
}
