import type { Frame } from '../../shared/frame.ts';
import { stepState, type Coverage, type Result, type StepHours } from '../../shared/result.ts';
import { countStates, stretchesOf } from '../coverage.ts';
import type { AskedDays } from '../query.ts';
import type { Steps } from '../steps.ts';
import { binFrameSteps, stepBounds } from './binFrame.ts';

const shownStretches = 5;

/** What a day without a row is, by its hours: the first of these that one of them is. */
const reasons = [stepState.failed, stepState.notAsked, stepState.late, stepState.missing, stepState.notPublished];

/**
 * The answer of hours as the days it was asked for. What it cost, what failed and what the service changed stay said of the hours; an
 * answer that is no table stays as it is. In steps of a few milliseconds.
 */
export function* daysOfResultSteps(result: Result, days: AskedDays, stepMs: number): Steps<Result> {
  const { interval, zone, edges } = days;
  const { frame, coverage } = result;
  const provenance = {
    ...result.provenance,
    ...{ interval, days: zone, start: edges[0] ?? NaN, end: edges.at(-1) ?? NaN },
  };
  if (!frame) return { ...result, provenance };
  const made: Frame = yield* binFrameSteps(frame, { edges, stepMs, zone });
  return { ...result, frame: made, coverage: coverage && daysOfCoverage(coverage, edges, stepMs), provenance };
}

/** What is there of each day, by what is there of its hours. A day of which an hour has a row is there. */
function daysOfCoverage(coverage: Coverage, edges: Float64Array, stepMs: number): Coverage {
  const bounds = stepBounds({ edges, stepMs });
  const count = edges.length - 1;
  const states = new Uint8Array(count);
  const kept = new Uint8Array(count);
  const hours = hoursOfDays(coverage.states, bounds);
  for (let day = 0; day < count; day++) {
    const [from, to] = [bounds[day] ?? 0, bounds[day + 1] ?? 0];
    const own = coverage.states.subarray(from, to);
    const there = own.filter((state, step) => state === stepState.present && coverage.kept[from + step] === 0).length;
    const isThere = (hours.present[day] ?? 0) > 0;
    states[day] = isThere ? stepState.present : (reasons.find(reason => own.includes(reason)) ?? stepState.missing);
    kept[day] = isThere && there === 0 ? 1 : 0;
  }
  const { missing, notPublished, failed, notAsked, late, present, expected } = coverage;
  const stretches = stretchesOf(states, stepState.missing, { start: 0, end: count }, 1, shownStretches);
  return {
    expected: count,
    ...countStates(states),
    missingStretches: stretches.map(([from, to]) => [edges[from] ?? NaN, edges[to] ?? NaN]),
    ...{ states, kept, edges },
    hours: { ...hours, counts: { present, missing, notPublished, failed, notAsked, late, expected } },
  };
}

/** How many hours of each day are there. `bounds` as `stepBounds` gives them. */
export function hoursOfDays(states: Uint8Array, bounds: Int32Array): StepHours {
  const days = new Uint8Array(bounds.length - 1);
  const stepsOf = (day: number): Uint8Array => states.subarray(bounds[day], bounds[day + 1]);
  return {
    present: days.map((_, day) => stepsOf(day).filter(state => state === stepState.present).length),
    expected: days.map((_, day) => stepsOf(day).length),
  };
}
