import type { ComparedPeriod, PeriodRelation } from '../../shared/analysis.ts';
import { dayMs, daysOfYear, weekMs } from '../../shared/durations.ts';
import type { Days, ResolveContext, Span } from '../range/resolveRange.ts';
import { daysOf, daysText, instantsText, periodLength, nextDays, sameSpan, spanOfText } from './periods.ts';
import { zoned } from '../time/zoneOffsets.ts';
import { requestedInterval, requestedSpan, contextOf, resolveQuery, type ResolvedQuery } from '../query/query.ts';
import { movedRange, strideOf } from '../range/steppedRange.ts';

/** A range to compare with. Instants are UTC milliseconds on interval boundaries. */
interface ComparedRange extends PeriodRelation, Span {
  /** The range as text, which resolves to exactly these instants. */
  readonly range: string;
}

const relations: readonly PeriodRelation[] = [
  { kind: 'previousPeriod', align: 'position' },
  { kind: 'previousPeriod', align: 'hourOfWeek' },
  { kind: 'lastYear', align: 'position' },
  { kind: 'lastYear', align: 'hourOfWeek' },
];

/**
 * Returns the ranges that [start, end) may be compared with, nearest first, without those that have not begun.
 * - By position, the previous period: whole years and months by the calendar (2023-05 with 2023-04), whole days of the time zone by the
 * same number of days, anything else by its own length.
 * - By hour of week, the same hours, earlier by the minimum number of whole weeks that avoids an overlap: each weekday has a partner.
 * - By position, the same period last year: whole years and months by the calendar (February 2024 with the 28 days of 2023); anything
 * else begins at the same date and wall-clock time of last year (29 February: the 28th) and keeps its length.
 * - By hour of week, 52 weeks (364 days) earlier: the same weekdays of last year.
 * Omits a range with the same instants as an earlier one.
 */
export function comparedRanges(start: number, end: number, context: ResolveContext): readonly ComparedRange[] {
  const offers = relations.flatMap(relation => comparedRange(relation, { start, end }, context) ?? []);
  return offers.filter((offer, index) => offers.findIndex(earlier => sameSpan(earlier, offer)) === index);
}

/** Returns the range in that relation to the base, `times` periods back; undefined if it has not begun or is before the year 0. */
function comparedRange(
  relation: PeriodRelation,
  base: Span,
  context: ResolveContext,
  times = 1,
): ComparedRange | undefined {
  const offered = offeredFor(relation, base, context, times);
  return offered.start < context.now ? { ...relation, ...offered } : undefined;
}

type Offered = Omit<ComparedRange, keyof PeriodRelation>;

function offeredFor({ kind, align }: PeriodRelation, span: Span, context: ResolveContext, times: number): Offered {
  const isYear = kind === 'lastYear';
  // Ten times 52 weeks would be twelve days short of ten years.
  const weeks = isYear ? Math.round((times * daysOfYear) / 7) : times * weeksIn(span, context);
  if (align === 'hourOfWeek') return weeksBefore(span, weeks, context);
  const period = calendarOf(span, context);
  if (period) {
    let { days } = period;
    if (isYear) days = yearsBefore(days, times);
    else for (let back = 0; back < times; back++) days = nextDays(days, -1);
    return ofDays(days, period.zone, context);
  }
  const { start, end } = span;
  const yearsBack = (): number => zoned(start, context.timeZone).subtract({ years: times }).epochMilliseconds;
  const from = isYear ? floorTo(yearsBack(), context.stepMs) : start - times * (end - start);
  return ofInstants({ start: from, end: from + (end - start) });
}

/** Finds the span as whole days of the user's time zone or, for intervals of whole days, of UTC; preferably as months or years. */
function calendarOf(span: Span, context: ResolveContext): { days: Days; zone: string } | undefined {
  const zones = isDaily(context.stepMs) ? ['UTC', context.timeZone] : [context.timeZone];
  const found = zones.flatMap(zone => {
    const days = daysOf(span, { ...context, timeZone: zone });
    return days ? [{ days, zone }] : [];
  });
  return found.find(({ days }) => periodLength(days).unit !== 'days') ?? found[0];
}

function yearsBefore(days: Days, years: number): Days {
  const first = days.first.subtract({ years });
  const { unit, count } = periodLength(days);
  return { first, until: first.add({ [unit]: count }) };
}

/** Returns the minimum number of weeks that moves the end to the start or before it. */
function weeksIn({ start, end }: Span, context: ResolveContext): number {
  const until = zoned(end, wallZone(context));
  let weeks = Math.max(1, Math.floor((end - start) / weekMs));
  while (until.subtract({ weeks }).epochMilliseconds > start) weeks++;
  return weeks;
}

function weeksBefore(span: Span, weeks: number, context: ResolveContext): Offered {
  const zone = wallZone(context);
  const before = (ms: number): number => zoned(ms, zone).subtract({ weeks }).epochMilliseconds;
  const days = daysOf(span, { ...context, timeZone: zone });
  if (days)
    return ofDays({ first: days.first.subtract({ weeks }), until: days.until.subtract({ weeks }) }, zone, context);
  return ofInstants({
    start: floorTo(before(span.start), context.stepMs),
    end: -floorTo(-before(span.end), context.stepMs),
  });
}

function ofInstants(span: Span): Offered {
  return { ...span, range: instantsText(span) };
}

/** Returns days as instants and as text. The text has instants if the days are of another zone than the user's. */
function ofDays(days: Days, zone: string, context: ResolveContext): Offered {
  const text = daysText(days);
  const span = spanOfText(text, { ...context, timeZone: zone });
  if (!span) return { start: NaN, end: NaN, range: text };
  return sameSpan(spanOfText(text, context), span) ? { ...span, range: text } : ofInstants(span);
}

/** Daily intervals are UTC days. */
function wallZone({ stepMs, timeZone }: ResolveContext): string {
  return isDaily(stepMs) ? 'UTC' : timeZone;
}

function isDaily(stepMs: number | undefined): boolean {
  return stepMs !== undefined && stepMs % dayMs === 0;
}

function floorTo(ms: number, stepMs: number | undefined): number {
  const grid = Math.min(stepMs ?? 1000, dayMs);
  return Math.floor(ms / grid) * grid;
}

/** A file with rows for the same instants. */
export interface FileComparison {
  readonly kind: 'file';
  readonly uri: string;
  readonly name: string;
}

/** What to compare a query with. */
export type Comparison = ComparedPeriod | FileComparison;

/**
 * Resolves the queries of the other ranges, the latest first. Undefined if the length of the interval is unknown, the other period has
 * not begun, or the text is not a range.
 */
export function comparedQueries(
  comparison: Comparison,
  query: ResolvedQuery,
  now: number,
): readonly [ResolvedQuery, ...ResolvedQuery[]] | undefined {
  const first = comparedQuery(comparison, query, now, 1);
  if (!first) return undefined;
  const { count = 1 } = comparison.kind === 'lastYear' || comparison.kind === 'previousPeriod' ? comparison : {};
  const others: [ResolvedQuery, ...ResolvedQuery[]] = [first];
  while (others.length < count) {
    const next = comparedQuery(comparison, query, now, others.length + 1);
    if (!next) break;
    others.push(next);
  }
  return others;
}

function comparedQuery(
  comparison: Comparison,
  query: ResolvedQuery,
  now: number,
  times: number,
): ResolvedQuery | undefined {
  const { dataset, params, stepMs, timeZone } = query;
  if (stepMs === undefined || comparison.kind === 'file') return undefined;
  const interval = requestedInterval(query);
  const context = contextOf({ interval, timeZone }, now);
  const range =
    comparison.kind === 'range'
      ? comparison.range
      : comparedRange(comparison, requestedSpan(query), context, times)?.range;
  if (range === undefined) return undefined;
  const other = resolveQuery({ dataset: dataset.id, range, interval, params, timeZone }, now);
  return other.ok ? other.value : undefined;
}

/**
 * Returns the comparison for the next or previous period: a relation stays, another range moves as far as the period. Undefined if it
 * cannot move.
 */
export function steppedComparison(
  comparison: Comparison,
  range: string,
  direction: -1 | 1,
  context: ResolveContext,
): Comparison | undefined {
  if (comparison.kind !== 'range') return comparison;
  const stride = strideOf(range, context);
  const moved = stride && movedRange(comparison.range, stride, direction, context);
  return moved === undefined ? undefined : { kind: 'range', range: moved };
}
