import type { Frame } from '../../shared/frame.ts';
import { intervalState, type Coverage, type DatasetCoverage } from '../../shared/result.ts';
import { findTimeColumn } from './clip.ts';
import type { JsonObject } from '../decode/envelope.ts';
import { parseInstant } from '../time/instant.ts';
import type { Span } from '../range/resolveRange.ts';
import { getServiceMeta } from '../query/serviceMeta.ts';

/** The maximum number of ranges without rows that a coverage lists. */
export const maxListedIntervals = 5;

/** The information about the intervals of a range that their rows do not contain. */
export interface IntervalFacts {
  /** The current time in UTC milliseconds, from the service's clock if it is known. */
  readonly now: number;
  /** Spans whose request failed. */
  readonly failed?: readonly Span[];
  /** The time of the last request for each interval, or 0 if it was never requested. */
  readonly requestedAt?: Float64Array;
  /** 1 for each interval that came from the archive. */
  readonly archived?: Uint8Array;
  /** The envelope of the response, which reports delayed data. */
  readonly meta?: JsonObject;
}

/**
 * Computes the state of each interval of the range. An interval is considered published after it has ended. A published interval without a row
 * is missing, unless its request failed, it was never requested, or the service reports delayed data. Returns undefined if the rows have no
 * time or the length of the interval is unknown.
 */
export function computeCoverage(
  frame: Frame,
  span: Span,
  intervalMs: number | undefined,
  facts: IntervalFacts,
): Coverage | undefined {
  const time = findTimeColumn(frame);
  if (intervalMs === undefined || (!time && frame.rowCount > 0)) return undefined;
  const expected = Math.ceil((span.end - span.start) / intervalMs);
  const states = computeStatesWithoutRows(expected, span, intervalMs, facts);
  const hasRow = markIntervalsWithRow(frame, span, intervalMs);
  for (let interval = 0; interval < expected; interval++)
    if (hasRow[interval] === 1) states[interval] = intervalState.present;
  return createCoverage(states, facts.archived ?? new Uint8Array(expected), span, intervalMs);
}

/**
 * Creates the coverage of the intervals of a span from their states. `archived` is 1 for each interval that came from the archive.
 */
export function createCoverage(states: Uint8Array, archived: Uint8Array, span: Span, intervalMs: number): Coverage {
  const missingRanges = findRangesInState(states, intervalState.missing, span, intervalMs, maxListedIntervals);
  return { expected: states.length, ...countStates(states), missingRanges, states, archived };
}

/** Counts the intervals in each state. */
export function countStates(states: Uint8Array): Record<keyof typeof intervalState, number> {
  const counts = new Uint32Array(256);
  // An iterator would take ten times as long as this loop by index.
  for (let interval = 0; interval < states.length; interval++)
    counts[states[interval] ?? 0] = (counts[states[interval] ?? 0] ?? 0) + 1;
  const countsByName = Object.entries(intervalState).map(([name, state]) => [name, counts[state] ?? 0]);
  return Object.fromEntries(countsByName) as Record<keyof typeof intervalState, number>;
}

/** Returns 1 for each interval of the span that has a row. */
export function markIntervalsWithRow(frame: Frame, span: Span, intervalMs: number): Uint8Array {
  const intervals = new Uint8Array(Math.ceil((span.end - span.start) / intervalMs));
  const { values } = findTimeColumn(frame) ?? { values: new Float64Array() };
  for (let row = 0; row < values.length; row++) {
    const interval = Math.floor(((values[row] ?? NaN) - span.start) / intervalMs);
    if (interval >= 0 && interval < intervals.length) intervals[interval] = 1;
  }
  return intervals;
}

/** Joins adjacent intervals in a state to ranges [start, end) in UTC milliseconds. Returns the earliest `maxCount` ranges, in order. */
export function findRangesInState(
  states: Uint8Array,
  state: number,
  span: Span,
  intervalMs: number,
  maxCount = Infinity,
): [number, number][] {
  const ranges: [number, number][] = [];
  for (let interval = states.indexOf(state); interval !== -1 && ranges.length < maxCount;) {
    let end = interval + 1;
    while (states[end] === state) end++;
    ranges.push([span.start + interval * intervalMs, span.start + end * intervalMs]);
    interval = states.indexOf(state, end);
  }
  return ranges;
}

/** Counts the ranges of adjacent intervals in a state. */
export function countRangesInState(states: Uint8Array, state: number): number {
  let count = 0;
  for (let interval = 0; interval < states.length; interval++)
    if (states[interval] === state && states[interval - 1] !== state) count++;
  return count;
}

/** Computes the states that the intervals have if they have no row. */
function computeStatesWithoutRows(expected: number, span: Span, intervalMs: number, facts: IntervalFacts): Uint8Array {
  const { now, failed = [], requestedAt, meta } = facts;
  const delayStart = findDelayStart(meta ?? {});
  const states = new Uint8Array(expected);
  for (let interval = 0; interval < expected; interval++) {
    const start = span.start + interval * intervalMs;
    if (start + intervalMs > now) states[interval] = intervalState.notPublished;
    else if (requestedAt?.[interval] === 0) states[interval] = intervalState.notRequested;
    else states[interval] = start > delayStart ? intervalState.late : intervalState.missing;
  }
  for (const part of failed) {
    const from = Math.max(0, Math.ceil((part.start - span.start) / intervalMs));
    const end = Math.min(expected, Math.ceil((part.end - span.start) / intervalMs));
    // An interval that is not published yet has not failed.
    for (let interval = from; interval < end; interval++)
      if (states[interval] !== intervalState.notPublished) states[interval] = intervalState.failed;
  }
  return states;
}

/** Returns the last instant with data if the service reports that later data is delayed (`meta.data_delay`); otherwise Infinity. */
export function findDelayStart(envelope: JsonObject): number {
  const meta = getServiceMeta(envelope);
  const last = meta['last_available'];
  if (meta['data_delay'] !== true) return Infinity;
  return (typeof last === 'string' ? parseInstant(last) : undefined) ?? -Infinity;
}

/** The states of an interval, ordered from the most serious to the least serious. */
const statesBySeverity: readonly number[] = [
  intervalState.failed,
  intervalState.missing,
  intervalState.late,
  intervalState.notRequested,
  intervalState.notPublished,
  intervalState.present,
];

/** Combines the coverage of joined datasets, which have the same intervals: the more serious state counts. Returns undefined if `parts` is empty. */
export function joinCoverage(parts: readonly DatasetCoverage[], span: Span, intervalMs: number): Coverage | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const states = first.coverage.states.slice();
  const archived = first.coverage.archived.slice();
  for (const { coverage } of parts)
    for (let interval = 0; interval < states.length; interval++) {
      const current = states[interval] ?? 0;
      const candidate = coverage.states[interval] ?? 0;
      if (candidate !== current && statesBySeverity.indexOf(candidate) < statesBySeverity.indexOf(current))
        states[interval] = candidate;
      archived[interval] = Math.min(archived[interval] ?? 0, coverage.archived[interval] ?? 0);
    }
  return { ...createCoverage(states, archived, span, intervalMs), parts };
}
