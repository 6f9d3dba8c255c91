import { Temporal } from 'temporal-polyfill';
import { completeEnds } from './completeEnds.ts';
import { readEnd } from './rangeEnd.ts';
import { readPhrase } from './rangePhrases.ts';
import { pointOf } from './rangePoint.ts';
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
import { tokensOf, type Token } from './tokens.ts';

/** Twice as long as any range; a longer text is refused unread. */
export const longestRange = 100;

/** The normal form of a range text, in which it is stored and shown; any other text as it is. */
export function normaliseRange(text: string): string {
  const spec = parseRange(text);
  return spec.ok ? printRange(spec.value) : text.trim();
}

/** The texts of the two ends of a range, empty for an open end; one text where nothing separates ends. */
export function rangeEnds(text: string): string[] {
  const ends: Token[][] = [[]];
  for (const token of tokensOf(text) ?? []) {
    if (token.kind === 'to') ends.push([]);
    else ends.at(-1)?.push(token);
  }
  return ends.length === 1 ? [text.trim()] : ends.map(end => textOf(end, text));
}

/**
 * Reads a range as people write one. The whole grammar, in any case, in English or Afrikaans:
 *
 * - “today”, “yesterday”, “this”, “last” or “previous” week, month, quarter or year, “month to date”, mtd, “month before last”, “3 days before
 *   today”, “last weekend”, “last winter” (of the southern hemisphere), “this year so far”, “last 3 full months”: calendar periods of the zone. “last 36 hours”, “last seven days”, “past month”,
 *   “24h”, “now-7d”, P7D: back from the last full step. `m` alone is a month.
 * - Periods: 2023, 2023-05, 202305, 2023/5, “May 2023”, “1 May 2023”, 20230501, 2023-121, 2023-Q1, “H1 2023”, 2023-W05, “week 5 2023”,
 *   2023-W05-1, FY2022-23, “first quarter of 2023”, 3Q23, “week of 1 May 2023”, “all of 2023”, “during May 2023”, “Jan '23”, “May last year”, “Monday” (the latest), “last Monday” (not today).
 * - Clock times: 14:00, 14h00, “2 pm”, 24:00, behind a day; with Z, UTC, SAST or an offset (one of two is both's), else of the zone. Where clocks go back
 *   the first of the two hours is meant, where they go forward the time after the gap.
 * - From one to another: `..`, “to”, “until”, “tot”, “between … and …”, a dash, or the slash of ISO 8601; “since”, “to date” and an open end reach to now. A period at
 *   the end counts to its end, “last month” and “this year” too; an instant there does not belong to the range. Either end may be an ISO 8601 duration.
 * - What one end lacks it takes from the other: “1–5 May 2023”, 1-5/2023, 2023-05-01..03, “1 May 2023 14:00-17:00”; over the new year and over midnight
 *   too: “28/12 - 3/1 2023”, “Monday 22:00-02:00”, “today 22:00..tomorrow 02:00”. Two dates with years may stand beside each other: “2023-05 2023-06”.
 *
 * Nothing is guessed: a text that could be several ranges (01/05/2023, 1/5/23, “winter 2023”, FY2023, 2022/23, “3 days ago”, “last 2 quarters”, 18h, “1 May 2023 18:00”) is refused, with the readings
 * that end after they begin. So is a date without year, or with a weekday that is not that of the date.
 *
 * Why not a library: of 32 typical texts, recognizers-text 1.3 parses 14 correctly and 11 incorrectly without an error, compromise-dates 3.9
 * 9 and 8, chrono-node 2.10 7 and 10, Sugar 2.0 5 and 7. They parse only a part of a text (the first day of 2023-05-01..03, “now” of now-7d),
 * choose one of the two dates of 01/05/2023, and add 39 to 341 kB, compressed; this is 6 kB. None knows steps, to which results must be
 * aligned.
 *
 * A text has at most 100 characters, and its tokens are read once for each sign that may separate its ends.
 */
export function parseRange(text: string): Parsed<RangeSpec> {
  if (text.length > longestRange) return notUnderstood(`${text.slice(0, longestRange)}…`);
  if (text.trim() === '') return { ok: false, problem: 'empty' };
  const tokens = tokensOf(text);
  if (!tokens) return notUnderstood(text.trim());
  const cut = text.replace(/(:\d\d\.\d{3})\d*[1-9]\d*/g, '$1');
  if (cut !== text) {
    const range = parseRange(cut);
    return range.ok ? { ok: false, problem: 'tooFine', part: text.trim(), example: printRange(range.value) } : range;
  }
  const read: Parsed<RangeSpec>[] = [];
  const ways: Map<RangeAmbiguity, number>[] = [new Map<RangeAmbiguity, number>()];
  // Each ambiguity adds a way for each of its other readings: about twelve in all.
  for (const way of ways)
    read.push(
      readRange(tokens, text, (question, first, ...others) => {
        if (!way.has(question)) {
          ways.push(...others.map((_, at) => new Map(way).set(question, at + 1)));
          way.set(question, 0);
        }
        return [first, ...others][way.get(question) ?? 0] ?? first;
      }),
    );
  const understood = read.filter(range => range.ok);
  const forward = understood.filter(({ value }) => !isBackwards(value));
  const [first, ...others] = forward.length > 0 ? forward : understood;
  if (!first) return read.at(-1) ?? notUnderstood(text.trim());
  const readings = [...new Set([first, ...others].map(({ value }) => printRange(value)))];
  return readings.length === 1 || forward.length === 0
    ? first
    : { ok: false, problem: 'ambiguous', part: text.trim(), readings };
}

/** Whether a range of fixed dates ends before it begins. */
function isBackwards(spec: RangeSpec): boolean {
  const isFixed = ({ kind }: Point) => kind === 'instant' || kind === 'local' || kind === 'period';
  if (spec.kind !== 'between' || !isFixed(spec.from) || !isFixed(spec.to)) return false;
  // Which one is earlier depends on the year of the run.
  if (isOfRelativeYear(spec.from) !== isOfRelativeYear(spec.to)) return false;
  const span = resolveRange(spec, { now: 0, timeZone: 'UTC', stepMs: undefined });
  return !span.ok && span.problem === 'endNotAfterStart';
}

function isOfRelativeYear(point: Point): boolean {
  return point.kind === 'period' && isRelativeYear(point.first.year);
}

function readRange(tokens: readonly Token[], text: string, choose: Choose): Parsed<RangeSpec> {
  const phrase = tokens.map(token => token.text).join(' ');
  const known = readPhrase(tokens, choose);
  if (known) return { ok: true, value: known };

  const ofToDate = toDateOf(tokens);
  if (ofToDate.length > 0) {
    // In 2023 “ytd 2023” reaches to now; later it may mean the whole year.
    const period = single(ofToDate, text, choose);
    if (!period.ok) return period;
    return period.value.kind === 'period'
      ? choose('end', alone(period.value, text), ranging(period.value, { kind: 'now' }, text))
      : notUnderstood(text.trim());
  }
  const opening = tokens.findIndex(token => token.text === 'between');
  const and = tokens.findIndex((token, index) => index > opening && token.text === 'and');
  if (and > 0 && and < tokens.length - 1) {
    const ends = tokens.map((token, index): Token =>
      index === and ? { kind: 'to', text: 'to', at: token.at } : token,
    );
    const both =
      opening < 0 ? between(ends, and, text, choose) : between(ends.toSpliced(opening, 1), and - 1, text, choose);
    const isRange = both.ok ? opening >= 0 || isConsecutive(both.value) : both.problem !== 'notUnderstood';
    return isRange ? both : notUnderstood(text.trim());
  }
  const week = tokens[0]?.text === 'week' ? weekOf(tokens.slice(1), text, choose) : undefined;
  if (week) return week;
  const isUntil = tokens[0]?.kind === 'to' || tokens[0]?.text === 'before' || phrase.startsWith('up to ');
  if (isUntil && single(tokens.slice(tokens[0]?.text === 'up' ? 2 : 1), text, choose).ok)
    return { ok: false, problem: 'startMissing', part: text.trim() };

  const isSince = /^(?:from|van)$/.test(tokens[0]?.text ?? '');
  const rest = isSince ? tokens.slice(1) : tokens;
  const signs = rest.flatMap(({ kind }, index) => (kind === 'to' ? [index] : []));
  const [sign] = signs;
  if (signs.length > 1 || sign === 0 || rest.length === 0) return notUnderstood(text.trim());
  if (sign !== undefined) return between(rest, sign, text, choose);

  const whole = single(rest, text, choose);
  if (isSince) return whole.ok ? ranging(whole.value, { kind: 'now' }, text) : whole;
  const asRange = whole.ok ? alone(whole.value, text) : whole;
  // A date that doesn't exist is not tried as two ends.
  if (asRange.ok || asRange.problem === 'noSuchDate') return asRange;
  const adjacent = rest.flatMap((_, index) =>
    mayStandBeside(rest, index) ? [between(withTo(rest, index), index, text, choose)] : [],
  );
  const [reading, ...others] = adjacent.filter(({ ok }) => ok);
  if (reading && others.length === 0) return reading;
  const split = rest.flatMap((_, index) => (maySplit(rest, index) ? [between(rest, index, text, choose)] : []));
  const understood = split.filter(({ ok }) => ok);
  const problem = split.find(range => !range.ok && range.problem !== 'notUnderstood');
  if (understood.length === 1 && understood[0]) return understood[0];
  return problem ?? (whole.ok && !/-[\d:]+$/.test(text.trim()) ? sinceClock(whole.value, text, choose) : asRange);
}

/** Whether nothing lies between two periods, so that “January and February 2024” is a range, and “January and March 2024” is none. */
function isConsecutive(spec: RangeSpec): boolean {
  if (spec.kind !== 'between' || spec.from.kind !== 'period' || spec.to.kind !== 'period') return false;
  return spec.from.first.add(spec.from.length).equals(spec.to.first);
}

/** “week of 1 May 2023”: the week from Monday in which the day is, or the seven days from it. */
function weekOf(tokens: readonly Token[], text: string, choose: Choose): Parsed<RangeSpec> | undefined {
  const day = single(tokens, text, choose);
  if (!day.ok || day.value.kind !== 'period' || Temporal.Duration.from(day.value.length).days !== 1) return undefined;
  const { first, length } = day.value;
  if (isRelativeYear(first.year)) return undefined;
  const before = first.dayOfWeek - 1;
  const week = alone({ kind: 'period', first: first.subtract({ days: before }), length: { days: 7 } }, text);
  return before === 0
    ? week
    : choose('end', week, ranging(day.value, { kind: 'period', first: first.add({ days: 6 }), length }, text));
}

/** The tokens beside “year to date”, as in “ytd 2023”. */
function toDateOf(tokens: readonly Token[]): readonly Token[] {
  // Elsewhere “to” is no word.
  const at = tokens.findIndex(({ kind, text }) => kind === 'word' && text === 'to');
  if (at === 1) return tokens.slice(3);
  return at > 1 && at === tokens.length - 2 ? tokens.slice(0, at - 1) : [];
}

/** Whether a dash or a slash may mean “to”. In 1/5/23/7 it is unclear which one does, and after a T a dash begins an offset. */
function maySplit(tokens: readonly Token[], index: number): boolean {
  if (index === 0 || index === tokens.length - 1) return false;
  const sign = tokens[index]?.text;
  if (tokens.length > 3 && tokens.every(({ text }) => text === sign || /^\d\d?$/.test(text))) return false;
  return sign === '/' || (sign === '-' && tokens.every(({ text }) => text !== 't'));
}

/**
 * Whether two whole dates meet here with a blank between them, as in 2023-05 2023-06. Where there is a dash, which may also separate ends,
 * other blanks are allowed only before clock times.
 */
function mayStandBeside(tokens: readonly Token[], index: number): boolean {
  if (index === 0 || !tokens[index]?.at.apart) return false;
  const hasSign = tokens.some(({ text }) => text === '-' || text === '/');
  const isWhole = tokens.every(
    ({ at }, place) => !at.apart || [0, index].includes(place) || tokens[place + 1]?.text === ':',
  );
  if (hasSign && !isWhole) return false;
  const [left, right] = [tokens.slice(0, index), tokens.slice(index)];
  const isDate = (side: readonly Token[]): boolean => {
    const end = readEnd(side);
    return end?.year !== undefined && end.part?.kind !== 'financialYear';
  };
  return isDate(left) && isDate(right);
}

function withTo(tokens: readonly Token[], index: number): Token[] {
  const { start = 0 } = tokens[index]?.at ?? {};
  return tokens.toSpliced(index, 0, { kind: 'to', text: 'to', at: { start, end: start, apart: true } });
}

function between(tokens: readonly Token[], sign: number, text: string, choose: Choose): Parsed<RangeSpec> {
  const [before, after] = [tokens.slice(0, sign), tokens.slice(sign + 1)];
  if (after.length === 0 || (after.length === 1 && after[0]?.text === 'date')) {
    const from = single(before, text, choose);
    return from.ok ? ranging(from.value, { kind: 'now' }, text) : from;
  }
  const [left, right] = [readEnd(before), readEnd(after)];
  if (!left) return notUnderstood(textOf(before, text));
  if (!right) return notUnderstood(textOf(after, text));
  const [first, last] = completeEnds(left, right, choose);
  const from = pointOf(first, textOf(first.tokens, text), choose);
  if (!from.ok) return from;
  const to = pointOf(last, textOf(last.tokens, text), choose);
  return to.ok ? ranging(from.value, to.value, text) : to;
}

function single(tokens: readonly Token[], text: string, choose: Choose): Parsed<Point> {
  const end = readEnd(tokens);
  return end ? pointOf(end, textOf(tokens, text), choose) : notUnderstood(textOf(tokens, text));
}

/** A clock time alone: the time since, or its hour. */
function sinceClock(from: Point, text: string, choose: Choose): Parsed<RangeSpec> {
  if (from.kind !== 'instant' && from.kind !== 'local' && from.kind !== 'relativeDay')
    return notUnderstood(text.trim());
  const to = choose<Point>('end', { kind: 'now' }, { kind: 'length', duration: { hours: 1 } });
  return { ok: true, value: { kind: 'between', from, to } };
}

/** The range of a single point: a period, a whole day, or a length back from now. */
function alone(point: Point, text: string): Parsed<RangeSpec> {
  switch (point.kind) {
    case 'period':
    case 'relativePeriod':
      return { ok: true, value: { kind: 'between', from: point, to: point } };
    case 'relativeDay':
      return point.clock === undefined
        ? { ok: true, value: { kind: 'between', from: point, to: point } }
        : notUnderstood(text.trim());
    case 'ago':
      return { ok: true, value: { kind: 'last', count: point.count, unit: point.unit } };
    case 'length': {
      const [one, ...more] = Object.entries(point.duration) as [RangeUnit | 'minutes' | 'seconds', number][];
      const isLast = one && more.length === 0 && one[0] !== 'minutes' && one[0] !== 'seconds';
      return isLast
        ? { ok: true, value: { kind: 'last', unit: one[0] as RangeUnit, count: one[1] } }
        : notUnderstood(text.trim());
    }
    default:
      return notUnderstood(text.trim());
  }
}

function ranging(from: Point, to: Point, text: string): Parsed<RangeSpec> {
  if (from.kind === 'length' && to.kind === 'length') return notUnderstood(text.trim());
  // “7 days ago..” is the same as “last 7 days”.
  if (from.kind === 'ago' && to.kind === 'now') return alone(from, text);
  return { ok: true, value: { kind: 'between', from, to } };
}

function textOf(tokens: readonly Token[], text: string): string {
  return text.slice(tokens[0]?.at.start ?? 0, tokens.at(-1)?.at.end ?? 0);
}

function notUnderstood(part: string): Parsed<never> {
  return { ok: false, problem: 'notUnderstood', part };
}
