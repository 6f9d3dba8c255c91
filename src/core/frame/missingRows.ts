import type { Frame } from '../../shared/frame.ts';
import { stepStart, stepState, type Coverage } from '../../shared/result.ts';
import { canJoin } from '../../shared/tableLimits.ts';
import { binAt } from '../bins/binEdges.ts';
import { timeColumnOf } from './clip.ts';
import { mergeByTimeSteps } from './frames.ts';
import type { Steps } from '../time/steps.ts';

export interface WithMissingRows {
  readonly frame: Frame;
  /** One `stepState` a row: `present` for received rows, else why the step has none. */
  readonly notes: Uint8Array;
  /** Steps without a row that are not added because of the limits. */
  readonly leftOut: number;
}

/**
 * The frame, ascending by time, with a row for each step that has none: its time is the beginning of the step (UTC milliseconds, as
 * `start`), its other cells are absent. Received rows stay as they are; those without an instant come last. Without a time column, and
 * where the table would be beyond the limits, the frame stays as it is. In steps of a few milliseconds.
 */
export function* withMissingRowsSteps(
  frame: Frame,
  coverage: Pick<Coverage, 'states' | 'edges'>,
  start: number,
  stepMs: number,
): Steps<WithMissingRows> {
  const time = timeColumnOf(frame);
  const states = coverage.states.slice();
  const { edges } = coverage;
  const stepOf = (ms: number): number => (edges ? binAt(edges, ms) : Math.floor((ms - start) / stepMs));
  // A step with a row is present, whatever the coverage says: a received row is never replaced.
  for (let row = 0; row < frame.rowCount; row++) {
    const step = stepOf(time?.values[row] ?? NaN);
    if (step >= 0 && step < states.length) states[step] = stepState.present;
  }
  yield;
  let added = 0;
  for (let step = 0; step < states.length; step++) if (states[step] !== stepState.present) added++;
  const hasRoom = canJoin(frame.columns.length, frame.rowCount + added);
  if (!time || added === 0 || !hasRoom)
    return { frame, notes: new Uint8Array(frame.rowCount), leftOut: time && !hasRoom ? added : 0 };

  const instants = new Float64Array(added);
  let filled = 0;
  for (let step = 0; step < states.length; step++)
    if (states[step] !== stepState.present) instants[filled++] = stepStart(coverage, start, stepMs, step);
  const { name, path } = time;
  const rows: Frame = { rowCount: added, columns: [{ kind: 'time', name, path, values: instants }] };
  yield;
  const merged = yield* mergeByTimeSteps(frame, rows);
  const times = timeColumnOf(merged)?.values ?? new Float64Array();
  const notes = new Uint8Array(times.length);
  for (let row = 0; row < notes.length; row++) notes[row] = states[stepOf(times[row] ?? NaN)] ?? stepState.present;
  return { frame: merged, notes, leftOut: 0 };
}
