import type { Span } from './range/resolveRange.ts';

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
