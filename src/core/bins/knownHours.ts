import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { stepState, type Coverage, type Result } from '../../shared/result.ts';
import { unitOf } from '../../shared/units.ts';
import { timeColumnOf } from '../clip.ts';
import type { Steps } from '../steps.ts';
import { rowOfStepSteps, stepBounds } from './binFrame.ts';
import { binSums } from './binSums.ts';
import { binAt } from './dayEdges.ts';
import { hoursOfDays } from './binResult.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The hours of the range of daily values, as far as they are known. */
export interface KnownHours {
  readonly frame: Frame;
  /** One `stepState` for each hour of the range. */
  readonly states: Uint8Array;
}

/**
 * The service's own daily values with how many hours each day has, where these are known: all that are over were asked for. A mean
 * power of such a day counts for the hours that have one, not for 24. In steps of a few milliseconds.
 */
export function* withKnownHoursSteps(result: Result, hours: KnownHours): Steps<Result> {
  const { frame, coverage, provenance } = result;
  const time = frame && timeColumnOf(frame);
  // Of several rows of one day none is known to be right.
  if (!time || !coverage || new Set(time.values).size < time.values.length) return result;
  const edges = Float64Array.from({ length: coverage.expected + 1 }, (_, day) => provenance.start + day * dayMs);
  const bins = { edges, stepMs: hourMs };
  const bounds = stepBounds(bins);
  const { present, expected } = hoursOfDays(hours.states, bounds);
  const known = expected.map((of, day) => {
    return hours.states.subarray(bounds[day], bounds[day + 1]).includes(stepState.notAsked) ? 0 : of;
  });
  if (!known.includes(dayMs / hourMs)) return result;
  const days = Float64Array.from(time.values, ms => binAt(edges, ms));
  const hoursTime = timeColumnOf(hours.frame);
  if (!hoursTime) return { ...result, coverage: { ...coverage, hours: { present, expected: known } } };
  const rows = yield* rowOfStepSteps(hoursTime, bins, bounds.at(-1) ?? 0);
  const all = Uint32Array.from(known.keys());
  const columns = [];
  for (const column of frame.columns) {
    const fine = hours.frame.columns.find(({ name }) => name === column.name);
    if (column.kind !== 'number' || fine?.kind !== 'number' || unitOf(column.field).mwhPerHour === undefined) {
      columns.push(column);
      continue;
    }
    const { counts } = yield* binSums(fine, rows, bounds, all);
    const lasting = days.map(day => ((known[day] ?? 0) > 0 ? (counts[day] ?? NaN) : dayMs / hourMs));
    columns.push({ ...column, hours: lasting } satisfies NumberColumn);
  }
  const withHours: Coverage = { ...coverage, hours: { present, expected: known } };
  return { ...result, frame: { ...frame, columns }, coverage: withHours };
}
