import type { Frame } from '../../shared/frame.ts';
import { stepState, type Coverage, type PartCoverage } from '../../shared/result.ts';
import { timeColumnOf } from './clip.ts';
import type { JsonObject } from '../decode/envelope.ts';
import { parseInstant } from '../time/instant.ts';
import type { Span } from '../range/resolveRange.ts';
import { serviceMeta } from '../query/serviceMeta.ts';

/** Maximum number of intervals without rows that a coverage lists. */
export const listedIntervals = 5;

/** Facts about the intervals of a range besides their rows. */
export interface StepFacts {
  /** The current time in UTC milliseconds, from the service's clock if it is known. */
  readonly now: number;
  /** Spans whose request failed. */
  readonly failed?: readonly Span[];
  /** When each interval was last requested; 0 if never. */
  readonly askedAt?: Float64Array;
  /** 1 for each interval that came from the archive. */
  readonly archived?: Uint8Array;
  /** The envelope of the response, which reports delayed data. */
  readonly meta?: JsonObject;
}

/**
 * Computes the state of each interval of the range. An interval counts as published once it has ended. A published interval without a
 * row is missing, unless its request failed, it was never requested, or the service reports delayed data. Undefined without a time
 * column or a known interval length.
 */
export function coverageOf(
  frame: Frame,
  span: Span,
  stepMs: number | undefined,
  facts: StepFacts,
): Coverage | undefined {
  const time = timeColumnOf(frame);
  if (stepMs === undefined || (!time && frame.rowCount > 0)) return undefined;
  const expected = Math.ceil((span.end - span.start) / stepMs);
  const states = stepsWithout(expected, span, stepMs, facts);
  const withRow = stepsWithRow(frame, span, stepMs);
  for (let step = 0; step < expected; step++) if (withRow[step] === 1) states[step] = stepState.present;
  return coverageIn(states, facts.archived ?? new Uint8Array(expected), span, stepMs);
}

/**
 * Creates the coverage of intervals in these states, starting at the start of the span. `archived`: 1 for each interval from the
 * archive.
 */
export function coverageIn(states: Uint8Array, archived: Uint8Array, span: Span, stepMs: number): Coverage {
  const missingStretches = intervalsOf(states, stepState.missing, span, stepMs, listedIntervals);
  return { expected: states.length, ...countStates(states), missingStretches, states, archived };
}

/** Counts the intervals in each state. */
export function countStates(states: Uint8Array): Record<keyof typeof stepState, number> {
  const counts = new Uint32Array(256);
  // Loops by index, because an iterator takes ten times as long.
  for (let step = 0; step < states.length; step++) counts[states[step] ?? 0] = (counts[states[step] ?? 0] ?? 0) + 1;
  const named = Object.entries(stepState).map(([name, state]) => [name, counts[state] ?? 0]);
  return Object.fromEntries(named) as Record<keyof typeof stepState, number>;
}

/** Returns 1 for each interval of the span that has a row. */
export function stepsWithRow(frame: Frame, span: Span, stepMs: number): Uint8Array {
  const steps = new Uint8Array(Math.ceil((span.end - span.start) / stepMs));
  const { values } = timeColumnOf(frame) ?? { values: new Float64Array() };
  for (let row = 0; row < values.length; row++) {
    const step = Math.floor(((values[row] ?? NaN) - span.start) / stepMs);
    if (step >= 0 && step < steps.length) steps[step] = 1;
  }
  return steps;
}

/** Merges adjacent intervals in one state and returns the first `maxCount` ranges [start, end), in UTC milliseconds and in order. */
export function intervalsOf(
  states: Uint8Array,
  wanted: number,
  span: Span,
  stepMs: number,
  most = Infinity,
): [number, number][] {
  const intervals: [number, number][] = [];
  for (let step = states.indexOf(wanted); step !== -1 && intervals.length < most;) {
    let end = step + 1;
    while (states[end] === wanted) end++;
    intervals.push([span.start + step * stepMs, span.start + end * stepMs]);
    step = states.indexOf(wanted, end);
  }
  return intervals;
}

/** Counts the ranges of adjacent intervals in one state. */
export function countIntervals(states: Uint8Array, wanted: number): number {
  let count = 0;
  for (let step = 0; step < states.length; step++) if (states[step] === wanted && states[step - 1] !== wanted) count++;
  return count;
}

/** Returns the states of the intervals as if none had a row. */
function stepsWithout(expected: number, span: Span, stepMs: number, facts: StepFacts): Uint8Array {
  const { now, failed = [], askedAt, meta } = facts;
  const lateFrom = lateAfter(meta ?? {});
  const states = new Uint8Array(expected);
  for (let step = 0; step < expected; step++) {
    const start = span.start + step * stepMs;
    if (start + stepMs > now) states[step] = stepState.notPublished;
    else if (askedAt?.[step] === 0) states[step] = stepState.notAsked;
    else states[step] = start > lateFrom ? stepState.late : stepState.missing;
  }
  for (const part of failed) {
    const from = Math.max(0, Math.ceil((part.start - span.start) / stepMs));
    const end = Math.min(expected, Math.ceil((part.end - span.start) / stepMs));
    // An interval that is not published yet has not failed.
    for (let step = from; step < end; step++)
      if (states[step] !== stepState.notPublished) states[step] = stepState.failed;
  }
  return states;
}

/** Returns the last instant with data if the service reports that later data is delayed (`meta.data_delay`); otherwise Infinity. */
export function lateAfter(envelope: JsonObject): number {
  const meta = serviceMeta(envelope);
  const last = meta['last_available'];
  if (meta['data_delay'] !== true) return Infinity;
  return (typeof last === 'string' ? parseInstant(last) : undefined) ?? -Infinity;
}

/** The states of an interval, the most serious first. */
const bySeriousness: readonly number[] = [
  stepState.failed,
  stepState.missing,
  stepState.late,
  stepState.notAsked,
  stepState.notPublished,
  stepState.present,
];

/** Combines the coverage of joined datasets with the same intervals (see `Coverage.parts`). Undefined if there are none. */
export function joinedCoverage(parts: readonly PartCoverage[], span: Span, stepMs: number): Coverage | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const states = first.coverage.states.slice();
  const archived = first.coverage.archived.slice();
  for (const { coverage } of parts)
    for (let step = 0; step < states.length; step++) {
      const [one, other] = [states[step] ?? 0, coverage.states[step] ?? 0];
      if (other !== one && bySeriousness.indexOf(other) < bySeriousness.indexOf(one)) states[step] = other;
      archived[step] = Math.min(archived[step] ?? 0, coverage.archived[step] ?? 0);
    }
  return { ...coverageIn(states, archived, span, stepMs), parts };
}
