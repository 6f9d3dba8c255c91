import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import type { Span } from '../range/resolveRange.ts';
import { GridError } from '../errors.ts';

/**
 * Plans the minimum number of requests that cover every due interval of a range, each of at most `maxIntervals` intervals: from the
 * first due interval as far as one request reaches, then from the next due one. No plan has fewer requests, because no request can cover
 * the first intervals of two of these. Each request ends with its last due interval.
 */
export function planRequests(due: Uint8Array, start: number, intervalMs: number, maxIntervals: number): Span[] {
  const requests: Span[] = [];
  let index = due.indexOf(1);
  while (index !== -1) {
    const maxEnd = Math.min(index + maxIntervals, due.length);
    const lastDue = due.lastIndexOf(1, maxEnd - 1);
    requests.push({ start: start + index * intervalMs, end: start + (lastDue + 1) * intervalMs });
    index = due.indexOf(1, maxEnd);
  }
  return requests;
}

/** A range of intervals, and which of them are due. */
export interface DueIntervals {
  readonly start: number;
  readonly due: Uint8Array;
}

/**
 * Ranges farther apart do not share requests. Fetching a month of unneeded hours between two ranges takes less time than a second
 * request, but years of them would take too long.
 */
const maxDistanceMs = 31 * dayMs;

/**
 * Plans requests like `planRequests`, for several ranges. Ranges whose intervals start at the same instants share requests if they
 * overlap or are at most a month apart.
 */
export function planTogether(ranges: readonly DueIntervals[], intervalMs: number, maxIntervals: number): Span[] {
  const rangesByPhase = Map.groupBy(ranges, ({ start }) => ((start % intervalMs) + intervalMs) % intervalMs);
  const groups = [...rangesByPhase.values()].flatMap(rangesInPhase => groupNeighbors(rangesInPhase, intervalMs));
  return groups.flatMap(group => {
    const { start, due } = mergeRanges(group, intervalMs);
    return planRequests(due, start, intervalMs, maxIntervals);
  });
}

/** Groups ranges that are close enough to share requests. */
function groupNeighbors(ranges: readonly DueIntervals[], intervalMs: number): DueIntervals[][] {
  const groups: DueIntervals[][] = [];
  let end = -Infinity;
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    if (range.start - end > maxDistanceMs) groups.push([]);
    groups.at(-1)?.push(range);
    end = Math.max(end, range.start + range.due.length * intervalMs);
  }
  return groups;
}

function mergeRanges(ranges: readonly DueIntervals[], intervalMs: number): DueIntervals {
  const start = ranges.reduce((min, range) => Math.min(min, range.start), Infinity);
  const countIntervalsTo = (range: DueIntervals): number => Math.round((range.start - start) / intervalMs);
  const length = ranges.reduce((max, range) => Math.max(max, countIntervalsTo(range) + range.due.length), 0);
  const merged = new Uint8Array(length);
  for (const range of ranges) {
    const from = countIntervalsTo(range);
    range.due.forEach((due, index) => (merged[from + index] ||= due));
  }
  return { start, due: merged };
}

/**
 * Returns the requests of a shared plan that one range needs, and further requests for its due intervals that the plan does not cover:
 * more may have become due since.
 */
export function selectRequests(
  plan: readonly Span[],
  range: DueIntervals,
  intervalMs: number,
  maxIntervals: number,
): Span[] {
  const uncovered = range.due.slice();
  const indexAt = (ms: number): number => (ms - range.start) / intervalMs;
  const selected = plan.filter(({ start, end }) => {
    const from = Math.max(0, indexAt(start));
    const to = Math.max(0, indexAt(end));
    if (!Number.isInteger(from) || !uncovered.subarray(from, to).includes(1)) return false;
    uncovered.fill(0, from, to);
    return true;
  });
  return [...selected, ...planRequests(uncovered, range.start, intervalMs, maxIntervals)].sort(
    (a, b) => a.start - b.start,
  );
}

/** Splits a request into two halves on interval boundaries; undefined for a single interval. */
export function halve(request: Span, intervalMs: number): [Span, Span] | undefined {
  const intervalCount = Math.round((request.end - request.start) / intervalMs);
  if (intervalCount < 2) return undefined;
  const middle = request.start + Math.ceil(intervalCount / 2) * intervalMs;
  return [
    { start: request.start, end: middle },
    { start: middle, end: request.end },
  ];
}

/** The cost of a plan. */
export interface Price {
  readonly requests: number;
  /** The number of requests that can be sent immediately. */
  readonly now: number;
  /**
   * Milliseconds until the last request starts; 0 if all are sent immediately. An estimate: response times are unknown, and other
   * windows may send requests too.
   */
  readonly waitMs: number;
  /** The requests per dataset id, without those that need none, if several rate limits apply to the queries. */
  readonly byDataset?: readonly (readonly [dataset: string, requests: number])[];
}

/** Whether a failure means that the requested range was too long. */
type RangeLengthCheck =
  | { readonly isTooLong: false }
  /**
   * `isCertain`: the failure can have no other cause. `durationsMs`: the durations in the message, sorted; one of them may be the limit.
   */
  | { readonly isTooLong: true; readonly isCertain: boolean; readonly durationsMs: readonly number[] };

/**
 * Determines whether a shorter range may succeed: the service reports it in a 400 or 413, the response was too large, or the request timed
 * out. The messages are not documented, so only unambiguous words count.
 */
export function checkRangeLength(error: unknown): RangeLengthCheck {
  if (!(error instanceof GridError)) return { isTooLong: false };
  const { reason, facts } = error;
  if (reason === 'timeout') return { isTooLong: true, isCertain: false, durationsMs: [] };
  if (reason === 'responseTooLarge') return { isTooLong: true, isCertain: true, durationsMs: [] };
  if (reason !== 'badRequest') return { isTooLong: false };
  const detail = facts.detail ?? '';
  const namesLimit = /exceed|too (?:long|large|many|big|wide)|maximum|at most|longer than|larger than|more than/i.test(
    detail,
  );
  if (facts.status !== 413 && !namesLimit) return { isTooLong: false };
  return {
    isTooLong: true,
    isCertain: facts.status === 413 || mentionsRangeLength(detail),
    durationsMs: findDurations(detail),
  };
}

/** Whether the message refers to the length of the range, and not to how far in the past it is. */
function mentionsRangeLength(detail: string): boolean {
  const subject = /\b(?:range|period|span|duration|length|window|points|rows|records)\b/i;
  return subject.test(detail) && !/\b(?:ago|past|future|older|newer|history)\b/i.test(detail);
}

/** Returns each distinct duration in a message, such as “31 days”, in milliseconds and sorted. */
function findDurations(detail: string): number[] {
  const matches = [...detail.matchAll(/(\d{1,6})[ -]?(hour|day|week|month|year)s?\b/gi)];
  const lengths = matches.map(([, count, unit]) => toMilliseconds(Number(count), unit?.toLowerCase() ?? ''));
  return [...new Set(lengths)].sort((a, b) => a - b);
}

/** Returns a duration in milliseconds. Months and years have about their shortest length. */
function toMilliseconds(count: number, unit: string): number {
  if (unit === 'hour') return count * hourMs;
  if (unit === 'day') return count * dayMs;
  if (unit === 'week') return count * weekMs;
  if (unit === 'month') return Math.floor((count * 365) / 12 - 2) * dayMs;
  return count * 365 * dayMs;
}
