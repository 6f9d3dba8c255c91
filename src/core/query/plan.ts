import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import type { Span } from '../range/resolveRange.ts';
import { GridError } from '../errors.ts';

/**
 * Plans the minimum number of requests that cover every due interval of a range, each of at most `maxIntervals` intervals: from the
 * first due interval as far as one request reaches, then from the next due one. No plan has fewer requests, because no request can cover
 * the first intervals of two of these. Each request ends with its last due interval.
 */
export function planRequests(due: Uint8Array, start: number, stepMs: number, maxSteps: number): Span[] {
  const requests: Span[] = [];
  let step = due.indexOf(1);
  while (step !== -1) {
    const reach = Math.min(step + maxSteps, due.length);
    const last = due.lastIndexOf(1, reach - 1);
    requests.push({ start: start + step * stepMs, end: start + (last + 1) * stepMs });
    step = due.indexOf(1, reach);
  }
  return requests;
}

/** A range of intervals, and which of them are due. */
export interface DueSteps {
  readonly start: number;
  readonly due: Uint8Array;
}

/**
 * Ranges farther apart do not share requests. Fetching a month of unneeded hours between two ranges takes less time than a second
 * request, but years of them would take too long.
 */
const mostBetweenMs = 31 * dayMs;

/**
 * Plans requests like `planRequests`, for several ranges. Ranges whose intervals start at the same instants share requests if they
 * overlap or are at most a month apart.
 */
export function planTogether(ranges: readonly DueSteps[], stepMs: number, maxSteps: number): Span[] {
  const grids = Map.groupBy(ranges, ({ start }) => ((start % stepMs) + stepMs) % stepMs);
  const near = [...grids.values()].flatMap(alike => neighbours(alike, stepMs));
  return near.flatMap(together => {
    const { start, due } = union(together, stepMs);
    return planRequests(due, start, stepMs, maxSteps);
  });
}

/** Groups ranges that are close enough to share requests. */
function neighbours(ranges: readonly DueSteps[], stepMs: number): DueSteps[][] {
  const groups: DueSteps[][] = [];
  let end = -Infinity;
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    if (range.start - end > mostBetweenMs) groups.push([]);
    groups.at(-1)?.push(range);
    end = Math.max(end, range.start + range.due.length * stepMs);
  }
  return groups;
}

function union(ranges: readonly DueSteps[], stepMs: number): DueSteps {
  const start = ranges.reduce((least, range) => Math.min(least, range.start), Infinity);
  const stepsTo = (range: DueSteps): number => Math.round((range.start - start) / stepMs);
  const length = ranges.reduce((most, range) => Math.max(most, stepsTo(range) + range.due.length), 0);
  const all = new Uint8Array(length);
  for (const range of ranges) {
    const from = stepsTo(range);
    range.due.forEach((due, step) => (all[from + step] ||= due));
  }
  return { start, due: all };
}

/**
 * Returns the requests of a shared plan that one range needs, and further requests for its due intervals that the plan does not cover:
 * more may have become due since.
 */
export function partsFor(plan: readonly Span[], range: DueSteps, stepMs: number, maxSteps: number): Span[] {
  const rest = range.due.slice();
  const stepOf = (ms: number): number => (ms - range.start) / stepMs;
  const parts = plan.filter(({ start, end }) => {
    const [from, to] = [Math.max(0, stepOf(start)), Math.max(0, stepOf(end))];
    if (!Number.isInteger(from) || !rest.subarray(from, to).includes(1)) return false;
    rest.fill(0, from, to);
    return true;
  });
  return [...parts, ...planRequests(rest, range.start, stepMs, maxSteps)].sort((a, b) => a.start - b.start);
}

/** Splits a request into two halves on interval boundaries; undefined for a single interval. */
export function halve(request: Span, stepMs: number): [Span, Span] | undefined {
  const steps = Math.round((request.end - request.start) / stepMs);
  if (steps < 2) return undefined;
  const middle = request.start + Math.ceil(steps / 2) * stepMs;
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
  /** The requests per dataset id, if several rate limits apply. */
  readonly byDataset?: readonly (readonly [dataset: string, requests: number])[];
}

/** Whether a failure means that the requested range was too long. */
type LengthVerdict =
  | { readonly tooLong: false }
  /**
   * `isCertain`: the failure can have no other cause. `durationsMs`: the durations in the message, sorted; one of them may be the limit.
   */
  | { readonly tooLong: true; readonly sure: boolean; readonly namedMs: readonly number[] };

/**
 * Determines whether a shorter range may succeed: the service says so in a 400 or 413, the response was too large, or the request timed
 * out. The messages are not documented, so only unambiguous words count.
 */
export function lengthVerdict(error: unknown): LengthVerdict {
  if (!(error instanceof GridError)) return { tooLong: false };
  const { reason, facts } = error;
  if (reason === 'timeout') return { tooLong: true, sure: false, namedMs: [] };
  if (reason === 'responseTooLarge') return { tooLong: true, sure: true, namedMs: [] };
  if (reason !== 'badRequest') return { tooLong: false };
  const detail = facts.detail ?? '';
  const namesLimit = /exceed|too (?:long|large|many|big|wide)|maximum|at most|longer than|larger than|more than/i.test(
    detail,
  );
  if (facts.status !== 413 && !namesLimit) return { tooLong: false };
  return { tooLong: true, sure: facts.status === 413 || isOfLength(detail), namedMs: namedIn(detail) };
}

/** Whether the message refers to the length of the range, and not to how far in the past it is. */
function isOfLength(detail: string): boolean {
  const subject = /\b(?:range|period|span|duration|length|window|points|rows|records)\b/i;
  return subject.test(detail) && !/\b(?:ago|past|future|older|newer|history)\b/i.test(detail);
}

/** Returns each distinct duration in a message, such as “31 days”, in milliseconds and sorted. */
function namedIn(detail: string): number[] {
  const named = [...detail.matchAll(/(\d{1,6})[ -]?(hour|day|week|month|year)s?\b/gi)];
  const lengths = named.map(([, count, unit]) => lengthOf(Number(count), unit?.toLowerCase() ?? ''));
  return [...new Set(lengths)].sort((a, b) => a - b);
}

/** Returns a duration in milliseconds. Months and years have about their shortest length. */
function lengthOf(count: number, unit: string): number {
  if (unit === 'hour') return count * hourMs;
  if (unit === 'day') return count * dayMs;
  if (unit === 'week') return count * weekMs;
  if (unit === 'month') return Math.floor((count * 365) / 12 - 2) * dayMs;
  return count * 365 * dayMs;
}
