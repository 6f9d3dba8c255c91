import { Temporal } from 'temporal-polyfill';
import { completeEnds } from './completeEnds.ts';
import { unitLength, readEnd } from './rangeEnd.ts';
import { financialMonth, pointOf } from './rangePoint.ts';
import { printRange } from './printRange.ts';
import { resolveRange } from './resolveRange.ts';
import type { CalendarPeriod, Choose, Parsed, Point, RangeAmbiguity, RangeSpec, RangeUnit } from './rangeSpec.ts';
import { tokensOf, rangeUnitOf, type Token } from './tokens.ts';

const toDate = (period: CalendarPeriod): RangeSpec => ({ kind: 'toDate', period });
const previous = (period: CalendarPeriod): RangeSpec => ({ kind: 'previous', period });

const named = new Map<string, RangeSpec>([
  ['today', toDate('day')],
  ['yesterday', previous('day')],
  ...(['week', 'month', 'quarter', 'year'] as const).flatMap((period): [string, RangeSpec][] => [
    [`${period.charAt(0)}td`, toDate(period)],
    [`${period} to date`, toDate(period)],
    [`this ${period}`, toDate(period)],
    [`last ${period}`, previous(period)],
    [`previous ${period}`, previous(period)],
  ]),
]);

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
 * - “today”, “yesterday”, “this”, “last” or “previous” week, month, quarter or year, “month to date”, mtd: calendar periods of the
 *   zone. “last 36 hours”, “past month”, “24h”, “now-7d”, P7D: back from the last full step. `m` alone is a month.
 * - Periods: 2023, 2023-05, 202305, 2023/5, “May 2023”, “1 May 2023”, 20230501, 2023-121, 2023-Q1, “H1 2023”, 2023-W05, “week 5 2023”,
 *   2023-W05-1, FY2022-23, “Monday” (the latest), “last Monday” (not today).
 * - Clock times: 14:00, 14h00, “2 pm”, 24:00, behind a day; with Z, UTC, SAST or an offset (one of two is both's), else of the zone. Where clocks go back
 *   the first of the two hours is meant, where they go forward the time after the gap.
 * - From one to another: `..`, “to”, “until”, “tot”, a dash, or the slash of ISO 8601; “since” and an open end reach to now. A period at
 *   the end counts to its end, “last month” and “this year” too; an instant there does not belong to the range. Either end may be an ISO 8601 duration.
 * - What one end lacks it takes from the other: “1–5 May 2023”, 1-5/2023, 2023-05-01..03, “1 May 2023 14:00-17:00”; over the new year and over midnight
 *   too: “28/12 - 3/1 2023”, “Monday 22:00-02:00”, “today 22:00..tomorrow 02:00”. Two dates with years may stand beside each other: “2023-05 2023-06”.
 *
 * Nothing is guessed: a text that could be several ranges (01/05/2023, 1/5/23, “winter 2023”, FY2023, 2022/23) is refused, with the readings
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
  const span = resolveRange(spec, { now: 0, timeZone: 'UTC', stepMs: undefined });
  return !span.ok && span.problem === 'endNotAfterStart';
}

function readRange(tokens: readonly Token[], text: string, choose: Choose): Parsed<RangeSpec> {
  const phrase = tokens.map(token => token.text).join(' ');
  const known = named.get(phrase) ?? rolling(tokens) ?? twoYears(phrase, choose);
  if (known) return { ok: true, value: known };

  const isSince = /^(?:from|van)$/.test(tokens[0]?.text ?? '');
  const rest = isSince ? tokens.slice(1) : tokens;
  const signs = rest.flatMap(({ kind }, index) => (kind === 'to' ? [index] : []));
  const [sign] = signs;
  if (signs.length > 1 || sign === 0 || rest.length === 0) return notUnderstood(text.trim());
  if (sign !== undefined) return between(rest, sign, text, choose);

  const whole = single(rest, text, choose);
  if (isSince) return whole.ok ? ranging(whole.value, { kind: 'now' }, text) : whole;
  // “3 days ago” alone may be one day, or the time since.
  const isAgo = rest.at(-1)?.text === 'ago';
  const asRange = whole.ok ? (isAgo ? notUnderstood(text.trim()) : alone(whole.value, text)) : whole;
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
  return (understood.length === 1 ? understood[0] : problem) ?? asRange;
}

/** “the last 7 days”, “past month”, 24h. */
function rolling(tokens: readonly Token[]): RangeSpec | undefined {
  const [first, ...others] = tokens[0]?.text === 'the' ? tokens.slice(1) : tokens;
  if (!/^(?:last|past|previous)$/.test(first?.text ?? '')) {
    const length = unitLength(tokens);
    return length && { kind: 'last', ...length };
  }
  const [count, unit] = others.length === 1 ? [1, others[0]] : [Number(others[0]?.text), others[1]];
  const isCount = others.length === 1 || (others.length === 2 && /^\d{1,6}$/.test(others[0]?.text ?? ''));
  const known = rangeUnitOf(unit?.text);
  return isCount && known && count > 0 ? { kind: 'last', count, unit: known } : undefined;
}

/** FY2022-23 is one financial year; 2022/23, and 2022/2023 with a slash or a blank, are one or two years of the calendar. */
function twoYears(phrase: string, choose: Choose): RangeSpec | undefined {
  const years = phrase.replace(/^(?:fy|(?:financial|fiscal) year) | (?:fy|(?:financial|fiscal) year)$/, '');
  const isFinancial = years !== phrase;
  const [, one = '', sign, other = ''] = /^((?:\d\d)?\d\d) (?:([-/]|to) )?((?:\d\d)?\d\d)$/.exec(years) ?? [];
  const [first, second] = [one, other].map(year => Number(year.padStart(4, '20')));
  if (first === undefined || first + 1 !== second) return undefined;
  // 2011-12 is December, and 2022..2023 is unambiguous.
  const isOther = one.length === 2 || (other.length === 2 ? Number(other) <= 12 : sign === '-' || sign === 'to');
  if (!isFinancial && isOther) return undefined;
  const year = (at: number, month: number): Point => ({
    kind: 'period',
    first: Temporal.PlainDate.from({ year: at, month, day: 1 }),
    length: month === 1 ? { years: 1 } : { months: 12 },
  });
  const financial = year(first, financialMonth);
  const asFinancial: RangeSpec = { kind: 'between', from: financial, to: financial };
  return isFinancial
    ? asFinancial
    : choose('year', asFinancial, { kind: 'between', from: year(first, 1), to: year(second, 1) });
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
  if (after.length === 0) {
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

/** The range of a single point: a period, a whole day, or a length back from now. */
function alone(point: Point, text: string): Parsed<RangeSpec> {
  switch (point.kind) {
    case 'period':
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
