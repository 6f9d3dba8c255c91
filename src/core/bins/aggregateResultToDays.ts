import type { Frame } from '../../shared/frame.ts';
import { intervalState, type Coverage, type Result, type DayHours } from '../../shared/result.ts';
import { createCoverage } from '../frame/coverage.ts';
import type { RequestedDays } from '../query/query.ts';
import { aggregateDays, getIntervalBounds } from './binFrame.ts';

/** The possible states of a day without a row, by priority: the first state that occurs among its hours applies. */
const missingReasons = [
  intervalState.failed,
  intervalState.notRequested,
  intervalState.late,
  intervalState.missing,
  intervalState.notPublished,
];

/**
 * Aggregates a result of hours to the requested days. Cost, failures and revisions still refer to the hours. For a result without a table,
 * only the provenance changes.
 */
export function aggregateResultToDays(result: Result, days: RequestedDays, intervalMs: number): Result {
  const { interval, zone, edges } = days;
  const { frame, coverage } = result;
  const start = edges[0] ?? NaN;
  const end = edges.at(-1) ?? NaN;
  const provenance = { ...result.provenance, interval, days: zone, start, end };
  if (!frame) return { ...result, provenance };
  const dayFrame: Frame = aggregateDays(frame, { edges, intervalMs, zone });
  return {
    ...result,
    frame: dayFrame,
    coverage: coverage && aggregateCoverageToDays(coverage, edges, intervalMs),
    provenance,
  };
}

/** Derives the coverage of days from the coverage of their hours. A day is present if at least one of its hours is present. */
function aggregateCoverageToDays(coverage: Coverage, edges: Float64Array, intervalMs: number): Coverage {
  const bounds = getIntervalBounds({ edges, intervalMs });
  const count = edges.length - 1;
  const states = new Uint8Array(count);
  const archived = new Uint8Array(count);
  const hours = countHoursOfDays(coverage.states, bounds);
  for (let day = 0; day < count; day++) {
    const from = bounds[day] ?? 0;
    const to = bounds[day + 1] ?? 0;
    const hourStates = coverage.states.subarray(from, to);
    const isFetched = hourStates.some(
      (state, index) => state === intervalState.present && coverage.archived[from + index] === 0,
    );
    const isPresent = (hours.present[day] ?? 0) > 0;
    states[day] = isPresent
      ? intervalState.present
      : (missingReasons.find(reason => hourStates.includes(reason)) ?? intervalState.missing);
    archived[day] = isPresent && !isFetched ? 1 : 0;
  }
  const parts = coverage.parts?.map(part => ({
    ...part,
    coverage: aggregateCoverageToDays(part.coverage, edges, intervalMs),
  }));
  const { missing, notPublished, failed, notRequested, late, present, expected } = coverage;
  const dayCoverage = createCoverage(states, archived, { start: 0, end: count }, 1);
  return {
    ...dayCoverage,
    missingRanges: dayCoverage.missingRanges.map(([from, to]) => [edges[from] ?? NaN, edges[to] ?? NaN]),
    edges,
    hours: { ...hours, counts: { present, missing, notPublished, failed, notRequested, late, expected } },
    ...(parts && { parts }),
  };
}

/** Counts the present and expected hours of each day. `bounds`: from `getIntervalBounds`. */
function countHoursOfDays(states: Uint8Array, bounds: Int32Array): DayHours {
  const days = new Uint8Array(bounds.length - 1);
  const getHourStates = (day: number): Uint8Array => states.subarray(bounds[day], bounds[day + 1]);
  return {
    present: days.map((_, day) => getHourStates(day).filter(state => state === intervalState.present).length),
    expected: days.map((_, day) => getHourStates(day).length),
  };
}
