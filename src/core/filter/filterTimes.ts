import { minuteMs } from '../../shared/durations.ts';
import { calendarParts } from '../calendar/calendarTest.ts';
import { hoursOf } from '../range/exampleRange.ts';
import { longestRange, rangeEnds, parseRange } from '../range/parseRange.ts';
import type { Point, RangeSpec } from '../range/rangeSpec.ts';
import { resolveRange } from '../range/resolveRange.ts';
import { tokensOf } from '../range/tokens.ts';
import { filterTerms } from './filterTerms.ts';
import {
  found,
  refused,
  type Condition,
  type FilterContext,
  type Operator,
  type NoFilter,
  type CellSpan,
  type TermReader,
} from './filterTypes.ts';

/**
 * Comparisons and ranges of instants, parts of the calendar, and several of these that all have to hold. What is written stands for its
 * whole length: `>2023-05` begins with June, and `17` is an hour. `timeZone`: that of the calendar.
 */
export function timeTerms(timeZone: string, context: FilterContext): TermReader {
  const read: TermReader = (operator, value) => {
    const parts = calendarParts(value);
    if (parts)
      return /[<>]/.test(operator) ? refused('notTime', value) : found(operator, { kind: 'calendar', parts, timeZone });
    const several = anyOf(operator, value, timeZone);
    if (several) return several;
    const [first = '', second, ...more] = rangeEnds(value);
    if (second === undefined) return comparison(operator, value, context);
    if (more.length > 0 || /[<>]/.test(operator) || (first === '' && second === '')) return refused('notTime', value);
    const from = first === '' ? always : intervalOf(first, context);
    const to = second === '' ? always : intervalOf(second, context);
    if (!from.ok) return from;
    if (!to.ok) return to;
    return to.value.end <= from.value.start
      ? refused('backwards', value)
      : within(operator, [upTo(from.value.start, to.value.end)]);
  };
  return (operator, value, quoted) => {
    const hour = /^\d\d?$/.test(value) ? `${value}:00-${Number(value) + 1}:00` : value;
    const whole = read(operator, hour, quoted);
    return whole.ok || whole.problem !== 'notTime' ? whole : (allOf(operator, value, read) ?? refusedBut(value));
  };
}

/** “Mondays and Fridays”, “June and July”: an instant is in one of them. Parts of two kinds could both have to hold, and are refused. */
function anyOf(operator: Operator, value: string, timeZone: string): Condition | undefined {
  const parts = value.split(/\s+(?:and|en)\s+/i).map(text => calendarParts(text) ?? []);
  const kinds = new Set(parts.map(([first, ...others]) => (others.length === 0 ? first?.of : undefined)));
  const [kind] = kinds;
  if (parts.length === 1 || kinds.size > 1 || (kind !== 'weekday' && kind !== 'month') || /[<>]/.test(operator))
    return undefined;
  const conditions = parts.map(part => found('', { kind: 'calendar', parts: part, timeZone }));
  return found(operator, { kind: 'filter', ok: true, conditions, isEach: false });
}

/** Names the hours to type in place of “evening”: each person means others. */
function refusedBut(value: string): NoFilter {
  const words = (tokensOf(value) ?? []).map(({ text }) => text);
  const example = words.map(text => hoursOf.get(text) ?? text).join(' ');
  return words.some(text => hoursOf.has(text)) && calendarParts(example)
    ? { ...refused('notTimeBut', value), example }
    : refused('notTime', value);
}

/**
 * Parts with blanks between them that all have to hold: `2023-01 peak`, `Mon-Fri !holiday`. Each is the longest text that is one date or one
 * part of the calendar.
 */
function allOf(operator: Operator, value: string, read: TermReader): Condition | undefined {
  if (value.length > longestRange) return undefined;
  const words = `${operator}${value}`.split(/\s+/);
  const conditions: Condition[] = [];
  let [from, dates] = [0, 0];
  for (let to = words.length; to > from; to--) {
    const [term] = filterTerms(words.slice(from, to).join(' '), 'time');
    const part = term && read(term.operator, term.value, false);
    if (!part?.ok || (part.cells.kind === 'calendar' && part.cells.parts.length > 1)) continue;
    if (part.cells.kind === 'spans' && term?.operator === '') dates++;
    conditions.push(part);
    [from, to] = [to, words.length + 1];
  }
  const negated = conditions.every(part => part.negated);
  // A sign before several parts leaves out what all of them say, unless each has its own; an instant is in one date.
  if (from < words.length || dates > 1 || (operator.startsWith('!') && !negated)) return undefined;
  // Neither this nor that.
  const parts = conditions.map(part => ({ ...part, negated: part.negated !== negated }));
  return { ok: true, negated, cells: { kind: 'filter', ok: true, conditions: parts, isEach: !negated } };
}

function comparison(operator: Operator, text: string, context: FilterContext): Condition | NoFilter {
  const interval = intervalOf(text, context);
  if (!interval.ok) return interval;
  const { start, end, parts } = interval.value;
  if (!/[<>]/.test(operator)) return within(operator, parts);
  const limit = operator === '>' || operator === '<=' ? end : start;
  return within(operator, [operator.startsWith('>') ? upTo(limit, Infinity) : upTo(-Infinity, limit)]);
}

function within(operator: Operator, spans: readonly CellSpan[]): Condition {
  return found(operator, { kind: 'spans', spans });
}

function upTo(from: number, to: number): CellSpan {
  return { from, to, without: 'to' };
}

const always = { ok: true, value: { start: -Infinity, end: Infinity } } as const;

/** [start, end) in UTC milliseconds. `parts`: what lies in it, twice where the clock showed this time twice. */
interface Interval {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly CellSpan[];
}

type Found = { readonly ok: true; readonly value: Interval } | NoFilter;

/** How long the written time lasts: a day, a month, "last 7 days", or for a clock time its minute, second or millisecond. */
function intervalOf(text: string, context: FilterContext): Found {
  const written = text.trim();
  // Twice the same is how a single clock time, which is no range, passes for one.
  const single = parseRange(written);
  const range = single.ok ? single : parseRange(`${written}..${written}`);
  if (!single.ok && single.problem === 'ambiguous' && /^\d\d?h$/i.test(written))
    return refused('ambiguousTime', written);
  if (!range.ok) return refused(range.problem === 'noSuchDate' ? 'noSuchDate' : 'notTime', written);
  const point = range.value.kind === 'between' ? range.value.from : undefined;
  const length = precision(written);
  if (point?.kind === 'instant') return intervalIn([upTo(point.ms, point.ms + length)]);
  if (point?.kind === 'local') return clockTime(point, length, written, context);
  return period(range.value, written, context);
}

function clockTime(point: Point & { kind: 'local' }, length: number, written: string, context: FilterContext): Found {
  const { dateTime } = point;
  const moments = (['earlier', 'later'] as const).map(disambiguation =>
    dateTime.toZonedDateTime(context.timeZone, { disambiguation }),
  );
  if (!moments[0]?.toPlainDateTime().equals(dateTime)) return refused('skippedTime', written);
  const starts = new Set(moments.map(moment => moment.epochMilliseconds));
  return intervalIn(Array.from(starts, start => upTo(start, start + length)));
}

function period(spec: RangeSpec, written: string, { now, timeZone }: FilterContext): Found {
  const needsNow = spec.kind !== 'between' || spec.from.kind !== 'period';
  if (needsNow && now === undefined) return refused('notTime', written);
  const span = resolveRange(spec, { now: now ?? 0, timeZone, stepMs: 1 });
  return span.ok ? intervalIn([upTo(span.value.start, span.value.end)]) : refused('notTime', written);
}

function intervalIn(parts: Interval['parts']): Found {
  return { ok: true, value: { start: parts[0]?.from ?? NaN, end: parts.at(-1)?.to ?? NaN, parts } };
}

/** What one unit of the last written digit is worth, in milliseconds. */
function precision(text: string): number {
  if (/:\d\d\.\d/.test(text)) return 1;
  return /:\d\d:\d\d/.test(text) ? 1000 : minuteMs;
}
