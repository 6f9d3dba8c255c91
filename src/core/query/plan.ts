import type { Span } from '../range/resolveRange.ts';

/**
 * The fewest requests that cover every due step of a range, each of at most `maxSteps` steps: from the first due step as far
 * as one request reaches, then from the next due step on. No plan has fewer, since no request can cover the first step of
 * two of these. Each request ends with its last due step, so that it asks for no more than it must.
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

/** A range on whole steps with those of its steps that have to be asked for. */
export interface DueSteps {
  readonly start: number;
  readonly due: Uint8Array;
}

/**
 * A month of hours that nobody wants weighs less than a request of a tight budget. Years of them would make the service work, and
 * the person wait, for nothing: ranges farther apart share no request.
 */
const mostBetweenMs = 31 * 24 * 3_600_000;

/**
 * As `planRequests`, for several ranges together: those of them whose steps begin at the same instants, and that overlap or lie no
 * more than a month apart, share requests.
 */
export function planTogether(ranges: readonly DueSteps[], stepMs: number, maxSteps: number): Span[] {
  const grids = Map.groupBy(ranges, ({ start }) => ((start % stepMs) + stepMs) % stepMs);
  const near = [...grids.values()].flatMap(alike => neighbours(alike, stepMs));
  return near.flatMap(together => {
    const { start, due } = union(together, stepMs);
    return planRequests(due, start, stepMs, maxSteps);
  });
}

/** The ranges in groups, each apart from the next by more than a request may bring along. */
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
 * The parts of a plan for several ranges that bring what one of them has to ask for, and a plan for what none of them brings:
 * more may be due by now.
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

/** The two halves of a request that was too long, on whole steps; undefined for a single step. */
export function halve(request: Span, stepMs: number): [Span, Span] | undefined {
  const steps = Math.round((request.end - request.start) / stepMs);
  if (steps < 2) return undefined;
  const middle = request.start + Math.ceil(steps / 2) * stepMs;
  return [
    { start: request.start, end: middle },
    { start: middle, end: request.end },
  ];
}

/** What a plan costs. */
export interface Price {
  readonly requests: number;
  /** Those that can go at once. */
  readonly now: number;
  /**
   * Milliseconds until the last of them starts; 0 where all go now. An estimate: how long an answer takes is not known, and
   * other windows may ask too.
   */
  readonly waitMs: number;
}
