import type { ComparedPeriod, PeriodRelation } from '../../shared/analysis.ts';
import { dayMs, daysPerYear, weekMs } from '../../shared/durations.ts';
import type { Days, ResolveContext, Span } from '../range/resolveRange.ts';
import {
  findWholeDays,
  formatDays,
  formatInstantRange,
  getPeriodLength,
  getAdjacentDays,
  isSameSpan,
  parseSpan,
} from './periods.ts';
import { toZonedDateTime } from '../time/zoneOffsets.ts';
import {
  getRequestedInterval,
  getRequestedSpan,
  createResolveContext,
  resolveQuery,
  type ResolvedQuery,
} from '../query/query.ts';
import { moveRange, getStride } from '../range/steppedRange.ts';

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
 * Returns the ranges that [start, end) may be compared with, nearest first, without ranges that have not begun.
 * - By position, the previous period: whole years and months by the calendar (2023-05 with 2023-04), whole days of the time zone by the
 * same number of days, anything else by its own length.
 * - By hour of week, the same hours, earlier by the minimum number of whole weeks that avoids an overlap, so that weekdays match.
 * - By position, the same period last year: whole years and months by the calendar (February 2024 with the 28 days of 2023); anything
 * else begins at the same date and local time of last year (29 February: the 28th) and keeps its length.
 * - By hour of week, 52 weeks (364 days) earlier: the same weekdays of last year.
 * Omits a range with the same instants as an earlier one.
 */
export function listComparedRanges(start: number, end: number, context: ResolveContext): readonly ComparedRange[] {
  const candidates = relations.flatMap(relation => resolveComparedRange(relation, { start, end }, context) ?? []);
  return candidates.filter(
    (candidate, index) => candidates.findIndex(previous => isSameSpan(previous, candidate)) === index,
  );
}

/** Returns the range in that relation to the base, `periodsBack` periods earlier; undefined if it has not begun or is before the year 0. */
function resolveComparedRange(
  relation: PeriodRelation,
  base: Span,
  context: ResolveContext,
  periodsBack = 1,
): ComparedRange | undefined {
  const range = computeRange(relation, base, context, periodsBack);
  return range.start < context.now ? { ...relation, ...range } : undefined;
}

type RangeWithText = Omit<ComparedRange, keyof PeriodRelation>;

function computeRange(
  { kind, align }: PeriodRelation,
  span: Span,
  context: ResolveContext,
  periodsBack: number,
): RangeWithText {
  const isYear = kind === 'lastYear';
  // Ten times 52 weeks would be twelve days short of ten years.
  const weeks = isYear ? Math.round((periodsBack * daysPerYear) / 7) : periodsBack * countWeeks(span, context);
  if (align === 'hourOfWeek') return moveByWeeks(span, weeks, context);
  const period = findCalendarDays(span, context);
  if (period) {
    let { days } = period;
    if (isYear) days = moveByYears(days, periodsBack);
    else for (let back = 0; back < periodsBack; back++) days = getAdjacentDays(days, -1);
    return createFromDays(days, period.zone, context);
  }
  const { start, end } = span;
  const computeStartYearsBack = (): number =>
    toZonedDateTime(start, context.timeZone).subtract({ years: periodsBack }).epochMilliseconds;
  const from = isYear ? floorTo(computeStartYearsBack(), context.intervalMs) : start - periodsBack * (end - start);
  return createFromInstants({ start: from, end: from + (end - start) });
}

/** Finds the span as whole days of the user's time zone or, for intervals of whole days, of UTC; preferably as months or years. */
function findCalendarDays(span: Span, context: ResolveContext): { days: Days; zone: string } | undefined {
  const zones = isDaily(context.intervalMs) ? ['UTC', context.timeZone] : [context.timeZone];
  const candidates = zones.flatMap(zone => {
    const days = findWholeDays(span, { ...context, timeZone: zone });
    return days ? [{ days, zone }] : [];
  });
  return candidates.find(({ days }) => getPeriodLength(days).unit !== 'days') ?? candidates[0];
}

function moveByYears(days: Days, years: number): Days {
  const first = days.first.subtract({ years });
  const { unit, count } = getPeriodLength(days);
  return { first, until: first.add({ [unit]: count }) };
}

/** Returns the minimum number of weeks that moves the end to the start or before it. */
function countWeeks({ start, end }: Span, context: ResolveContext): number {
  const until = toZonedDateTime(end, getClockZone(context));
  let weeks = Math.max(1, Math.floor((end - start) / weekMs));
  while (until.subtract({ weeks }).epochMilliseconds > start) weeks++;
  return weeks;
}

function moveByWeeks(span: Span, weeks: number, context: ResolveContext): RangeWithText {
  const zone = getClockZone(context);
  const moveBack = (ms: number): number => toZonedDateTime(ms, zone).subtract({ weeks }).epochMilliseconds;
  const days = findWholeDays(span, { ...context, timeZone: zone });
  if (days)
    return createFromDays(
      { first: days.first.subtract({ weeks }), until: days.until.subtract({ weeks }) },
      zone,
      context,
    );
  return createFromInstants({
    start: floorTo(moveBack(span.start), context.intervalMs),
    end: -floorTo(-moveBack(span.end), context.intervalMs),
  });
}

function createFromInstants(span: Span): RangeWithText {
  return { ...span, range: formatInstantRange(span) };
}

/** Returns days as instants and as text. The text has instants if the days are of another zone than the user's. */
function createFromDays(days: Days, zone: string, context: ResolveContext): RangeWithText {
  const text = formatDays(days);
  const span = parseSpan(text, { ...context, timeZone: zone });
  if (!span) return { start: NaN, end: NaN, range: text };
  return isSameSpan(parseSpan(text, context), span) ? { ...span, range: text } : createFromInstants(span);
}

/** Daily intervals are UTC days. */
function getClockZone({ intervalMs, timeZone }: ResolveContext): string {
  return isDaily(intervalMs) ? 'UTC' : timeZone;
}

function isDaily(intervalMs: number | undefined): boolean {
  return intervalMs !== undefined && intervalMs % dayMs === 0;
}

function floorTo(ms: number, intervalMs: number | undefined): number {
  const roundingMs = Math.min(intervalMs ?? 1000, dayMs);
  return Math.floor(ms / roundingMs) * roundingMs;
}

/** A file with rows for the same instants. */
export interface FileComparison {
  readonly kind: 'file';
  readonly uri: string;
  readonly name: string;
}

/** The range or file to compare a query with. */
export type Comparison = ComparedPeriod | FileComparison;

/**
 * Resolves the queries of the other ranges, the latest first. Undefined if the length of the interval is unknown, the other period has
 * not begun, or the text is not a range.
 */
export function resolveComparedQueries(
  comparison: Comparison,
  query: ResolvedQuery,
  now: number,
): readonly [ResolvedQuery, ...ResolvedQuery[]] | undefined {
  const first = resolveComparedQuery(comparison, query, now, 1);
  if (!first) return undefined;
  const { count = 1 } = comparison.kind === 'lastYear' || comparison.kind === 'previousPeriod' ? comparison : {};
  const queries: [ResolvedQuery, ...ResolvedQuery[]] = [first];
  while (queries.length < count) {
    const next = resolveComparedQuery(comparison, query, now, queries.length + 1);
    if (!next) break;
    queries.push(next);
  }
  return queries;
}

function resolveComparedQuery(
  comparison: Comparison,
  query: ResolvedQuery,
  now: number,
  periodsBack: number,
): ResolvedQuery | undefined {
  const { dataset, params, intervalMs, timeZone } = query;
  if (intervalMs === undefined || comparison.kind === 'file') return undefined;
  const interval = getRequestedInterval(query);
  const context = createResolveContext({ interval, timeZone }, now);
  const range =
    comparison.kind === 'range'
      ? comparison.range
      : resolveComparedRange(comparison, getRequestedSpan(query), context, periodsBack)?.range;
  if (range === undefined) return undefined;
  const resolved = resolveQuery({ dataset: dataset.id, range, interval, params, timeZone }, now);
  return resolved.ok ? resolved.value : undefined;
}

/**
 * Returns the comparison for the next or previous period: a relation stays, another range moves as far as the period. Undefined if it
 * cannot move.
 */
export function moveComparison(
  comparison: Comparison,
  range: string,
  direction: -1 | 1,
  context: ResolveContext,
): Comparison | undefined {
  if (comparison.kind !== 'range') return comparison;
  const stride = getStride(range, context);
  const moved = stride && moveRange(comparison.range, stride, direction, context);
  return moved === undefined ? undefined : { kind: 'range', range: moved };
}
