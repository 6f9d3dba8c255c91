import { cellState, stateAt, textAt, type Column, type Frame } from '../../shared/frame.ts';
import type { Revisions } from '../../shared/result.ts';
import { slotsOf } from '../frame/assembleFrames.ts';
import { takeRows, timeColumnOf } from '../frame/clip.ts';
import { cellJson } from '../frame/columnKinds.ts';
import { instantsOf, mergeByTime, rowsWithin, sortByTime } from '../frame/frames.ts';
import type { Span } from '../range/resolveRange.ts';
import { countBelow } from '../statistics/sorted.ts';

/** Maximum number of instants with revised rows in a result: more than anybody reads, and few enough to show quickly. */
const mostInstants = 1000;

/** When the intervals were requested before the response. */
interface Before {
  /** The start of the first interval, in UTC milliseconds. */
  readonly start: number;
  readonly stepMs: number;
  /** When each interval was last requested; 0 if never. */
  readonly askedAt: Float64Array;
}

/** The requested span, and the part of it in which missing rows count as withdrawn. */
interface Spans {
  readonly asked: Span;
  readonly replaced: Span;
}

const kinds = { none: 0, withdrawn: 1, revised: 2 } as const;

/**
 * Finds the earlier rows that a response changed; undefined if there are none. Ignores intervals that had not ended at their last
 * request, because they were incomplete, and fields that a row lacked.
 */
export function findRevisions(
  known: Frame,
  newer: Frame,
  { asked, replaced }: Spans,
  { start, stepMs, askedAt }: Before,
): Revisions | undefined {
  const earlier = rowsWithin(sortByTime(known), asked);
  const later = sortByTime(newer);
  const [times, newTimes] = [instantsOf(earlier), instantsOf(later)];
  const stepAt = (row: number): number => Math.floor(((times[row] ?? NaN) - start) / stepMs);
  const wasOver = (step: number): boolean => start + (step + 1) * stepMs <= (askedAt[step] ?? 0);
  const changes = markChanges(earlier, later);
  const steps = new Uint8Array(askedAt.length);
  const instants: number[] = [];
  let since = Infinity;
  for (let row = 0; row < changes.length; row++) {
    const [change, step, instant] = [changes[row] ?? kinds.none, stepAt(row), times[row] ?? NaN];
    const isLost = change === kinds.withdrawn && instant >= replaced.end;
    if (change === kinds.none || isLost || !wasOver(step)) continue;
    steps[step] = Math.max(steps[step] ?? 0, change);
    since = Math.min(since, askedAt[step] ?? Infinity);
    if (instants.at(-1) !== instant && instants.length < mostInstants) instants.push(instant);
  }
  if (instants.length === 0) return undefined;
  const [revised, withdrawn] = [countOf(steps, kinds.revised), countOf(steps, kinds.withdrawn)];
  const before = takeRowsAt(earlier, times, instants);
  return { revised, withdrawn, since, before, after: takeRowsAt(later, newTimes, instants) };
}

/**
 * Joins the revisions by two responses of one run, which cover different intervals. Adds the rows of the second only if the first has
 * few.
 */
export function joinRevisions(one: Revisions, other: Revisions): Revisions {
  const hasRoom = one.before.rowCount < mostInstants;
  return {
    revised: one.revised + other.revised,
    withdrawn: one.withdrawn + other.withdrawn,
    since: Math.min(one.since, other.since),
    // Adds both or neither: a row that is only in `before` would look withdrawn.
    before: hasRoom ? mergeByTime(one.before, other.before) : one.before,
    after: hasRoom ? mergeByTime(one.after, other.after) : one.after,
  };
}

/** Returns one of `kinds` for each row of `earlier`. Both frames must be sorted by time. Rows with the same instant are paired in order. */
function markChanges(earlier: Frame, later: Frame): Uint8Array {
  const [times, newTimes] = [instantsOf(earlier), instantsOf(later)];
  const changes = new Uint8Array(earlier.rowCount);
  /** The row of `later` that is paired with each row. */
  const partners = new Int32Array(earlier.rowCount).fill(-1);
  for (let [row, other] = [0, 0]; row < changes.length; row++) {
    const instant = times[row] ?? NaN;
    while (other < newTimes.length && (newTimes[other] ?? NaN) < instant) other++;
    if (newTimes[other] === instant) partners[row] = other++;
    else changes[row] = newTimes[other - 1] === instant ? kinds.revised : kinds.withdrawn;
    const isLast = times[row + 1] !== instant;
    if (isLast && newTimes[other] === instant) changes[row] = kinds.revised;
  }
  const time = timeColumnOf(earlier);
  for (const [column, newer] of slotsOf([earlier, later]).values()) {
    if (!column || column === time) continue;
    const isOther = cellsDiffer(column, newer);
    for (let row = 0; row < partners.length; row++) {
      const partner = partners[row] ?? -1;
      if (partner >= 0 && changes[row] === kinds.none && isOther(row, partner)) changes[row] = kinds.revised;
    }
  }
  return changes;
}

/** Returns a function that tells whether a cell of the earlier column differs from one of the later column. */
export function cellsDiffer(earlier: Column, later: Column | undefined): (row: number, other: number) => boolean {
  const isOtherValue = comparingValues(earlier, later);
  return (row, other) => {
    const state = stateAt(earlier, row);
    const hasValue = later !== undefined && stateAt(later, other) === cellState.value;
    if (state === cellState.absent) return false;
    if (state === cellState.null || !hasValue) return (state === cellState.value) !== hasValue;
    return isOtherValue(row, other);
  };
}

function comparingValues(earlier: Column, later: Column | undefined): (row: number, other: number) => boolean {
  if (!later) return () => false;
  if ('values' in earlier && earlier.kind === later.kind) {
    const [a, b] = [earlier.values, later.values];
    return (row, other) => a[row] !== b[other];
  }
  if ('texts' in earlier && 'texts' in later && earlier.kind === later.kind)
    return (row, other) => textAt(earlier.texts, row) !== textAt(later.texts, other);
  return (row, other) => cellJson(earlier, row) !== cellJson(later, other);
}

/** Takes all rows with these instants. Times and instants must be sorted. */
function takeRowsAt(frame: Frame, times: Float64Array, instants: readonly number[]): Frame {
  const rows: number[] = [];
  for (const instant of instants)
    for (let row = countBelow(times, instant); times[row] === instant; row++) rows.push(row);
  return takeRows(frame, Uint32Array.from(rows));
}

function countOf(steps: Uint8Array, kind: number): number {
  let count = 0;
  for (let step = 0; step < steps.length; step++) if (steps[step] === kind) count++;
  return count;
}
