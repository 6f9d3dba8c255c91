import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import type { Span } from '../range/resolveRange.ts';
import { GridError } from '../errors.ts';

/**
 * The fewest requests that cover every due step of a range, each of at most `maxSteps` steps: from the first due step as far as one
 * request reaches, then from the next due step on. No plan has fewer, since no request can cover the first steps of two of these. Each
 * request ends with its last due step.
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

/** A range of whole steps, and which of them are due. */
export interface DueSteps {
  readonly start: number;
  readonly due: Uint8Array;
}

/**
 * Ranges farther apart share no request. Fetching a month of unneeded hours between two ranges costs less than a second request, while
 * years of them would take the service and the person too long.
 */
const mostBetweenMs = 31 * dayMs;

/**
 * As `planRequests`, for several ranges. Those whose steps begin at the same instants, and that overlap or are no more than a month apart,
 * share requests.
 */
export function planTogether(ranges: readonly DueSteps[], stepMs: number, maxSteps: number): Span[] {
  const grids = Map.groupBy(ranges, ({ start }) => ((start % stepMs) + stepMs) % stepMs);
  const near = [...grids.values()].flatMap(alike => neighbours(alike, stepMs));
  return near.flatMap(together => {
    const { start, due } = union(together, stepMs);
    return planRequests(due, start, stepMs, maxSteps);
  });
}

/** Groups of ranges that are close enough to share requests. */
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
 * The parts of a plan for several ranges that one of them needs, and requests for its due steps that none of them covers: more may be due
 * by now.
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

/** The two halves of a request, on whole steps; undefined for a single step. */
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
  /** Those that can be sent at once. */
  readonly now: number;
  /**
   * Milliseconds until the last of them starts; 0 where all are sent now. An estimate: response times are unknown, and other windows may
   * send requests too.
   */
  readonly waitMs: number;
  /** The requests for each dataset, by its id, where the budgets of several are spent. */
  readonly byDataset?: readonly (readonly [dataset: string, requests: number])[];
}

/** Whether a failure says that the requested range was too long. */
type LengthVerdict =
  | { readonly tooLong: false }
  /**
   * `sure`: the failure can have no other cause. `namedMs`: the lengths of time in the text, ascending; one of them may be the limit.
   */
  | { readonly tooLong: true; readonly sure: boolean; readonly namedMs: readonly number[] };

/**
 * Whether a shorter range may succeed: the service says so in a 400 or 413, the answer was too large, or the request timed out. The texts
 * are not documented, so only unambiguous words count.
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

/** Whether the text is about the length of the range, and not about how far in the past it is. */
function isOfLength(detail: string): boolean {
  const subject = /\b(?:range|period|span|duration|length|window|points|rows|records)\b/i;
  return subject.test(detail) && !/\b(?:ago|past|future|older|newer|history)\b/i.test(detail);
}

/** Each “31 days” of a text in milliseconds, once, ascending. */
function namedIn(detail: string): number[] {
  const named = [...detail.matchAll(/(\d{1,6})[ -]?(hour|day|week|month|year)s?\b/gi)];
  const lengths = named.map(([, count, unit]) => lengthOf(Number(count), unit?.toLowerCase() ?? ''));
  return [...new Set(lengths)].sort((a, b) => a - b);
}

/** In milliseconds; months and years are about their shortest. */
function lengthOf(count: number, unit: string): number {
  if (unit === 'hour') return count * hourMs;
  if (unit === 'day') return count * dayMs;
  if (unit === 'week') return count * weekMs;
  if (unit === 'month') return Math.floor((count * 365) / 12 - 2) * dayMs;
  return count * 365 * dayMs;
}
