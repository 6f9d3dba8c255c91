import type { Frame } from '../../shared/frame.ts';
import { stepState, type Coverage, type Result, type StepHours } from '../../shared/result.ts';
import { coverageIn } from '../frame/coverage.ts';
import type { RequestedDays } from '../query/query.ts';
import { binFrame, stepBounds } from './binFrame.ts';

/** States of a day without a row: it has the first of these states that one of its hours has. */
const reasons = [stepState.failed, stepState.notAsked, stepState.late, stepState.missing, stepState.notPublished];

/**
 * Aggregates a result of hours to the requested days. Cost, failures and revisions remain those of the hours. A result without a table
 * gets only its provenance changed.
 */
export function daysOfResult(result: Result, days: RequestedDays, stepMs: number): Result {
  const { interval, zone, edges } = days;
  const { frame, coverage } = result;
  const [start, end] = [edges[0] ?? NaN, edges.at(-1) ?? NaN];
  const provenance = { ...result.provenance, interval, days: zone, start, end };
  if (!frame) return { ...result, provenance };
  const made: Frame = binFrame(frame, { edges, stepMs, zone });
  return { ...result, frame: made, coverage: coverage && daysOfCoverage(coverage, edges, stepMs), provenance };
}

/** Derives the coverage of days from that of their hours: a day with at least one hour is present. */
function daysOfCoverage(coverage: Coverage, edges: Float64Array, stepMs: number): Coverage {
  const bounds = stepBounds({ edges, stepMs });
  const count = edges.length - 1;
  const states = new Uint8Array(count);
  const archived = new Uint8Array(count);
  const hours = hoursOfDays(coverage.states, bounds);
  for (let day = 0; day < count; day++) {
    const [from, to] = [bounds[day] ?? 0, bounds[day + 1] ?? 0];
    const own = coverage.states.subarray(from, to);
    const isFetched = own.some((state, step) => state === stepState.present && coverage.archived[from + step] === 0);
    const isPresent = (hours.present[day] ?? 0) > 0;
    states[day] = isPresent ? stepState.present : (reasons.find(reason => own.includes(reason)) ?? stepState.missing);
    archived[day] = isPresent && !isFetched ? 1 : 0;
  }
  const parts = coverage.parts?.map(part => ({ ...part, coverage: daysOfCoverage(part.coverage, edges, stepMs) }));
  const { missing, notPublished, failed, notAsked, late, present, expected } = coverage;
  const made = coverageIn(states, archived, { start: 0, end: count }, 1);
  return {
    ...made,
    missingStretches: made.missingStretches.map(([from, to]) => [edges[from] ?? NaN, edges[to] ?? NaN]),
    edges,
    hours: { ...hours, counts: { present, missing, notPublished, failed, notAsked, late, expected } },
    ...(parts && { parts }),
  };
}

/** Counts the present and expected hours of each day. `bounds`: from `getIntervalBounds`. */
function hoursOfDays(states: Uint8Array, bounds: Int32Array): StepHours {
  const days = new Uint8Array(bounds.length - 1);
  const stepsOf = (day: number): Uint8Array => states.subarray(bounds[day], bounds[day + 1]);
  return {
    present: days.map((_, day) => stepsOf(day).filter(state => state === stepState.present).length),
    expected: days.map((_, day) => stepsOf(day).length),
  };
}
