import type { Frame } from '../../shared/frame.ts';
import { stepState, type Coverage, type PartCoverage } from '../../shared/result.ts';
import { timeColumnOf } from './clip.ts';
import type { JsonObject } from '../decode/envelope.ts';
import { parseInstant } from '../time/instant.ts';
import type { Span } from '../range/resolveRange.ts';
import { serviceMeta } from '../query/serviceMeta.ts';

/** How many intervals without rows a coverage lists. */
export const listedIntervals = 5;

/** Facts about steps besides their rows. */
export interface StepFacts {
  /** The present: by the service's clock where it is known, UTC milliseconds. */
  readonly now: number;
  /** Parts for which the request failed. */
  readonly failed?: readonly Span[];
  /** For each step when it was last requested; 0 for never. */
  readonly askedAt?: Float64Array;
  /** 1 for each step that came from the archive. */
  readonly archived?: Uint8Array;
  /** The envelope of the answer: it says where data is late. */
  readonly meta?: JsonObject;
}

/**
 * The state of each step of the range. A step counts as published once it is over; one that is over and has no row is missing, unless the
 * request for it failed, it was never requested, or the service reports that its data is late. Undefined without a time column or a known
 * step.
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

/** The coverage of steps in these states, from the start of the span on. `archived`: 1 for each step from the archive. */
export function coverageIn(states: Uint8Array, archived: Uint8Array, span: Span, stepMs: number): Coverage {
  const missingStretches = intervalsOf(states, stepState.missing, span, stepMs, listedIntervals);
  return { expected: states.length, ...countStates(states), missingStretches, states, archived };
}

/** How many steps are in each state. */
export function countStates(states: Uint8Array): Record<keyof typeof stepState, number> {
  const counts = new Uint32Array(256);
  // By index, since an iterator takes ten times as long.
  for (let step = 0; step < states.length; step++) counts[states[step] ?? 0] = (counts[states[step] ?? 0] ?? 0) + 1;
  const named = Object.entries(stepState).map(([name, state]) => [name, counts[state] ?? 0]);
  return Object.fromEntries(named) as Record<keyof typeof stepState, number>;
}

/** 1 for each step of the span that has a row. */
export function stepsWithRow(frame: Frame, span: Span, stepMs: number): Uint8Array {
  const steps = new Uint8Array(Math.ceil((span.end - span.start) / stepMs));
  const { values } = timeColumnOf(frame) ?? { values: new Float64Array() };
  for (let row = 0; row < values.length; row++) {
    const step = Math.floor(((values[row] ?? NaN) - span.start) / stepMs);
    if (step >= 0 && step < steps.length) steps[step] = 1;
  }
  return steps;
}

/** The intervals [start, end) of steps in one state, UTC milliseconds, in order: the first `most` of them. */
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

/** How many intervals of steps in one state there are. */
export function countIntervals(states: Uint8Array, wanted: number): number {
  let count = 0;
  for (let step = 0; step < states.length; step++) if (states[step] === wanted && states[step - 1] !== wanted) count++;
  return count;
}

/** The states of steps as if none had a row. */
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
    // A step that is not published yet has not failed.
    for (let step = from; step < end; step++)
      if (states[step] !== stepState.notPublished) states[step] = stepState.failed;
  }
  return states;
}

/** The last instant with data, where the service reports that later data is late (`meta.data_delay`); else Infinity. */
export function lateAfter(envelope: JsonObject): number {
  const meta = serviceMeta(envelope);
  const last = meta['last_available'];
  if (meta['data_delay'] !== true) return Infinity;
  return (typeof last === 'string' ? parseInstant(last) : undefined) ?? -Infinity;
}

/** The states of a step, the most serious first. */
const bySeriousness: readonly number[] = [
  stepState.failed,
  stepState.missing,
  stepState.late,
  stepState.notAsked,
  stepState.notPublished,
  stepState.present,
];

/** The coverage of joined datasets, all of the same steps: see `Coverage.parts`. Undefined for none. */
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
