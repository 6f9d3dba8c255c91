import { calendarTest } from '../../core/calendar/calendarTest.ts';
import { rangeEnds, parseRange } from '../../core/range/parseRange.ts';
import type { Point, RangeSpec } from '../../core/range/rangeSpec.ts';
import { resolveRange } from '../../core/range/resolveRange.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import {
  refused,
  type FilterContext,
  type Operator,
  type ParsedTerm,
  type TermReader,
  type FilterProblem,
} from './filterTypes.ts';

/**
 * Comparisons and ranges of instants, and parts of the calendar. What is written stands for its whole length: `>2023-05` begins with June.
 */
export function timeTerms(column: TimeColumn, context: FilterContext): TermReader {
  const valueAt = (row: number): number => column.values[row] ?? NaN;

  return (operator, value) => {
    // Days are of their own zone, whichever is shown.
    const isIn = calendarTest(value, column.bins?.timeZone ?? context.timeZone, context.tariffs);
    if (isIn) {
      const negated = operator.startsWith('!');
      return /[<>]/.test(operator)
        ? refused('notTime', value)
        : { ok: true, negated, test: row => isIn(valueAt(row)) !== negated };
    }
    const [first = '', second, ...more] = rangeEnds(value);
    if (second === undefined) return comparison(operator, value);
    if (more.length > 0 || /[<>]/.test(operator) || (first === '' && second === '')) return refused('notTime', value);
    const from = first === '' ? always : intervalOf(first, context);
    const to = second === '' ? always : intervalOf(second, context);
    if (!from.ok) return from;
    if (!to.ok) return to;
    return to.value.end <= from.value.start
      ? refused('backwards', value)
      : within([{ start: from.value.start, end: to.value.end }], operator.startsWith('!'));
  };

  function comparison(operator: Operator, text: string): ParsedTerm {
    const interval = intervalOf(text, context);
    if (!interval.ok) return interval;
    const { start, end, parts } = interval.value;
    switch (operator) {
      case '':
      case '=':
        return within(parts, false);
      case '!':
      case '!=':
        return within(parts, true);
      case '>':
        return { ok: true, negated: false, test: row => valueAt(row) >= end };
      case '>=':
        return { ok: true, negated: false, test: row => valueAt(row) >= start };
      case '<':
        return { ok: true, negated: false, test: row => valueAt(row) < start };
      case '<=':
        return { ok: true, negated: false, test: row => valueAt(row) < end };
    }
  }

  function within(parts: readonly Pick<Interval, 'start' | 'end'>[], negated: boolean): ParsedTerm {
    const isIn = (ms: number): boolean => parts.some(({ start, end }) => ms >= start && ms < end);
    return { ok: true, negated, test: row => isIn(valueAt(row)) !== negated };
  }
}

const always = { ok: true, value: { start: -Infinity, end: Infinity } } as const;

/** [start, end) in UTC milliseconds. `parts`: what lies in it, twice where the clock showed this time twice. */
interface Interval {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly { readonly start: number; readonly end: number }[];
}

type Found = { readonly ok: true; readonly value: Interval } | ({ readonly ok: false } & FilterProblem);

/** How long the written time lasts: a day, a month, "last 7 days", or for a clock time its minute, second or millisecond. */
function intervalOf(text: string, context: FilterContext): Found {
  const written = text.trim();
  // Twice the same is how a single clock time, which is no range, passes for one.
  const single = parseRange(written);
  const range = single.ok ? single : parseRange(`${written}..${written}`);
  if (!range.ok) return refused(range.problem === 'noSuchDate' ? 'noSuchDate' : 'notTime', written);
  const point = range.value.kind === 'between' ? range.value.from : undefined;
  const length = precision(written);
  if (point?.kind === 'instant') return found([{ start: point.ms, end: point.ms + length }]);
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
  return found(Array.from(starts, start => ({ start, end: start + length })));
}

function period(spec: RangeSpec, written: string, { now, timeZone }: FilterContext): Found {
  const needsNow = spec.kind !== 'between' || spec.from.kind !== 'period';
  if (needsNow && now === undefined) return refused('notTime', written);
  const span = resolveRange(spec, { now: now ?? 0, timeZone, stepMs: 1 });
  return span.ok ? found([span.value]) : refused('notTime', written);
}

function found(parts: Interval['parts']): Found {
  const [first, last] = [parts[0], parts.at(-1)];
  return { ok: true, value: { start: first?.start ?? NaN, end: last?.end ?? NaN, parts } };
}

/** What one unit of the last written digit is worth, in milliseconds. */
function precision(text: string): number {
  if (/:\d\d\.\d/.test(text)) return 1;
  return /:\d\d:\d\d/.test(text) ? 1000 : 60_000;
}
