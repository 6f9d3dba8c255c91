import { minuteMs } from '../../shared/durations.ts';
import { parseCalendarParts } from '../calendar/calendarMatcher.ts';
import { typicalHours } from '../range/exampleRange.ts';
import { maxRangeLength, splitRangeEnds, parseRange } from '../range/parseRange.ts';
import type { Point, RangeSpec } from '../range/rangeSpec.ts';
import { resolveRange } from '../range/resolveRange.ts';
import { tokenize } from '../range/tokens.ts';
import { parseTerms } from './filterTerms.ts';
import {
  createCondition,
  refuse,
  type Condition,
  type FilterContext,
  type Operator,
  type InvalidFilter,
  type CellSpan,
  type TermReader,
} from './filterTypes.ts';

/**
 * Creates the reader of time columns. It reads comparisons and ranges of instants, parts of the calendar, and several of these that all have
 * to match. A date or time stands for its whole length: `>2023-05` begins with June, and `17` is an hour. `timeZone` is the zone of
 * the calendar.
 */
export function createTimeReader(timeZone: string, context: FilterContext): TermReader {
  const read: TermReader = (operator, value) => {
    const parts = parseCalendarParts(value);
    if (parts)
      return /[<>]/.test(operator)
        ? refuse('notTime', value)
        : createCondition(operator, { kind: 'calendar', parts, timeZone });
    const anyCondition = readAlternatives(operator, value, timeZone);
    if (anyCondition) return anyCondition;
    const [first = '', second, ...furtherEnds] = splitRangeEnds(value);
    if (second === undefined) return readComparison(operator, value, context);
    if (furtherEnds.length > 0 || /[<>]/.test(operator) || (first === '' && second === ''))
      return refuse('notTime', value);
    const from = first === '' ? unboundedInterval : readInterval(first, context);
    const to = second === '' ? unboundedInterval : readInterval(second, context);
    if (!from.ok) return from;
    if (!to.ok) return to;
    return to.value.end <= from.value.start
      ? refuse('backwards', value)
      : createSpanCondition(operator, [createHalfOpenSpan(from.value.start, to.value.end)]);
  };
  return (operator, value, quoted) => {
    const hour = /^\d\d?$/.test(value) ? `${value}:00-${Number(value) + 1}:00` : value;
    const condition = read(operator, hour, quoted);
    return condition.ok || condition.problem !== 'notTime'
      ? condition
      : (readCombination(operator, value, read) ?? rejectWithExample(value));
  };
}

/** Reads “Mondays and Fridays” or “June and July”. A row matches if it is in any of them. Rejects parts of different kinds as ambiguous. */
function readAlternatives(operator: Operator, value: string, timeZone: string): Condition | undefined {
  const parts = value.split(/\s+(?:and|en)\s+/i).map(text => parseCalendarParts(text) ?? []);
  const kinds = new Set(parts.map(([first, ...others]) => (others.length === 0 ? first?.kind : undefined)));
  const [kind] = kinds;
  if (parts.length === 1 || kinds.size > 1 || (kind !== 'weekday' && kind !== 'month') || /[<>]/.test(operator))
    return undefined;
  const conditions = parts.map(part => createCondition('', { kind: 'calendar', parts: part, timeZone }));
  return createCondition(operator, { kind: 'filter', ok: true, conditions, mustMatchAll: false });
}

/** Rejects the text. For a word such as “evening”, whose meaning differs between people, suggests typical hours to type instead. */
function rejectWithExample(value: string): InvalidFilter {
  const words = (tokenize(value) ?? []).map(({ text }) => text);
  const example = words.map(text => typicalHours.get(text) ?? text).join(' ');
  return words.some(text => typicalHours.has(text)) && parseCalendarParts(example)
    ? { ...refuse('notTimeBut', value), example }
    : refuse('notTime', value);
}

/**
 * Reads parts separated by spaces that all have to match: `2023-01 peak`, `Mon-Fri !holiday`. Each part is the longest text that is a
 * single date or a single part of the calendar.
 */
function readCombination(operator: Operator, value: string, read: TermReader): Condition | undefined {
  if (value.length > maxRangeLength) return undefined;
  const words = `${operator}${value}`.split(/\s+/);
  const conditions: Condition[] = [];
  let from = 0;
  let dateCount = 0;
  for (let to = words.length; to > from; to--) {
    const [term] = parseTerms(words.slice(from, to).join(' '), 'time');
    const part = term && read(term.operator, term.value, false);
    if (!part?.ok || (part.cells.kind === 'calendar' && part.cells.parts.length > 1)) continue;
    if (part.cells.kind === 'spans' && term?.operator === '') dateCount++;
    conditions.push(part);
    from = to;
    to = words.length + 1;
  }
  const negated = conditions.every(part => part.negated);
  // A `!` before several parts negates all of them together, unless each part has its own. An instant can't be on two dates.
  if (from < words.length || dateCount > 1 || (operator.startsWith('!') && !negated)) return undefined;
  // If each part is negated, the rows must match none of them.
  const parts = conditions.map(part => ({ ...part, negated: part.negated !== negated }));
  return { ok: true, negated, cells: { kind: 'filter', ok: true, conditions: parts, mustMatchAll: !negated } };
}

function readComparison(operator: Operator, text: string, context: FilterContext): Condition | InvalidFilter {
  const interval = readInterval(text, context);
  if (!interval.ok) return interval;
  const { start, end, parts } = interval.value;
  if (!/[<>]/.test(operator)) return createSpanCondition(operator, parts);
  const limit = operator === '>' || operator === '<=' ? end : start;
  return createSpanCondition(operator, [
    operator.startsWith('>') ? createHalfOpenSpan(limit, Infinity) : createHalfOpenSpan(-Infinity, limit),
  ]);
}

function createSpanCondition(operator: Operator, spans: readonly CellSpan[]): Condition {
  return createCondition(operator, { kind: 'spans', spans });
}

function createHalfOpenSpan(from: number, to: number): CellSpan {
  return { from, to, excluded: 'to' };
}

const unboundedInterval = { ok: true, value: { start: -Infinity, end: Infinity } } as const;

/** An interval [start, end) in UTC milliseconds. It has two parts if the clocks showed the time twice, otherwise one. */
interface Interval {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly CellSpan[];
}

type IntervalResult = { readonly ok: true; readonly value: Interval } | InvalidFilter;

/** Reads the interval of a written time: a day, a month, "last 7 days", or the minute, second or millisecond of a clock time. */
function readInterval(text: string, context: FilterContext): IntervalResult {
  const trimmed = text.trim();
  // A single clock time isn't a range, but becomes one with itself as both ends.
  const rangeOfText = parseRange(trimmed);
  const range = rangeOfText.ok ? rangeOfText : parseRange(`${trimmed}..${trimmed}`);
  if (!rangeOfText.ok && rangeOfText.problem === 'ambiguous' && /^\d\d?h$/i.test(trimmed))
    return refuse('ambiguousTime', trimmed);
  if (!range.ok) return refuse(range.problem === 'noSuchDate' ? 'noSuchDate' : 'notTime', trimmed);
  const point = range.value.kind === 'between' ? range.value.from : undefined;
  const length = getPrecision(trimmed);
  if (point?.kind === 'instant') return toInterval([createHalfOpenSpan(point.ms, point.ms + length)]);
  if (point?.kind === 'local') return readClockTime(point, length, trimmed, context);
  return readPeriod(range.value, trimmed, context);
}

function readClockTime(
  point: Point & { kind: 'local' },
  length: number,
  trimmed: string,
  context: FilterContext,
): IntervalResult {
  const { dateTime } = point;
  const candidates = (['earlier', 'later'] as const).map(disambiguation =>
    dateTime.toZonedDateTime(context.timeZone, { disambiguation }),
  );
  if (!candidates[0]?.toPlainDateTime().equals(dateTime)) return refuse('skippedTime', trimmed);
  const starts = new Set(candidates.map(candidate => candidate.epochMilliseconds));
  return toInterval(Array.from(starts, start => createHalfOpenSpan(start, start + length)));
}

function readPeriod(spec: RangeSpec, trimmed: string, { now, timeZone }: FilterContext): IntervalResult {
  const needsNow = spec.kind !== 'between' || spec.from.kind !== 'period';
  if (needsNow && now === undefined) return refuse('notTime', trimmed);
  const span = resolveRange(spec, { now: now ?? 0, timeZone, intervalMs: 1 });
  return span.ok ? toInterval([createHalfOpenSpan(span.value.start, span.value.end)]) : refuse('notTime', trimmed);
}

function toInterval(parts: Interval['parts']): IntervalResult {
  return { ok: true, value: { start: parts[0]?.from ?? NaN, end: parts.at(-1)?.to ?? NaN, parts } };
}

/** Returns the length in milliseconds of one unit of the last written digit. */
function getPrecision(text: string): number {
  if (/:\d\d\.\d/.test(text)) return 1;
  return /:\d\d:\d\d/.test(text) ? 1000 : minuteMs;
}
