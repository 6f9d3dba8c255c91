import { cellState, getCellState, getText, type Column, type Frame } from '../../shared/frame.ts';
import type { Revisions } from '../../shared/result.ts';
import { groupColumnsByPath } from '../frame/assembleFrames.ts';
import { takeRows, findTimeColumn } from '../frame/clip.ts';
import { cellJson } from '../frame/columnKinds.ts';
import { getInstants, mergeByTime, sliceByTime, sortByTime } from '../frame/frames.ts';
import type { Span } from '../range/resolveRange.ts';
import { countBelow } from '../statistics/quantile.ts';

/** Maximum number of instants with revised rows in a result: more than anybody reads, and few enough to show quickly. */
const maxInstants = 1000;

/** When the intervals were requested before the response. */
interface PreviousRequests {
  /** The start of the first interval, in UTC milliseconds. */
  readonly start: number;
  readonly intervalMs: number;
  /** When each interval was last requested; 0 if never. */
  readonly requestedAt: Float64Array;
}

/** The requested span, and the part of it in which missing rows are reported as withdrawn. */
interface RevisionSpans {
  readonly requested: Span;
  readonly replaced: Span;
}

const changeKinds = { none: 0, withdrawn: 1, revised: 2 } as const;

/**
 * Finds the earlier rows that a response changed; undefined if there are none. Ignores intervals that had not ended at their last
 * request, because they were incomplete, and fields that a row lacked.
 */
export function findRevisions(
  archived: Frame,
  newer: Frame,
  { requested, replaced }: RevisionSpans,
  { start, intervalMs, requestedAt }: PreviousRequests,
): Revisions | undefined {
  const earlier = sliceByTime(sortByTime(archived), requested);
  const later = sortByTime(newer);
  const times = getInstants(earlier);
  const newTimes = getInstants(later);
  const getInterval = (row: number): number => Math.floor(((times[row] ?? NaN) - start) / intervalMs);
  const hadEnded = (interval: number): boolean => start + (interval + 1) * intervalMs <= (requestedAt[interval] ?? 0);
  const changes = markChanges(earlier, later);
  const changedIntervals = new Uint8Array(requestedAt.length);
  const instants: number[] = [];
  let since = Infinity;
  for (let row = 0; row < changes.length; row++) {
    const change = changes[row] ?? changeKinds.none;
    const interval = getInterval(row);
    const instant = times[row] ?? NaN;
    const mayStillFollow = change === changeKinds.withdrawn && instant >= replaced.end;
    if (change === changeKinds.none || mayStillFollow || !hadEnded(interval)) continue;
    changedIntervals[interval] = Math.max(changedIntervals[interval] ?? 0, change);
    since = Math.min(since, requestedAt[interval] ?? Infinity);
    if (instants.at(-1) !== instant && instants.length < maxInstants) instants.push(instant);
  }
  if (instants.length === 0) return undefined;
  const revised = countIntervals(changedIntervals, changeKinds.revised);
  const withdrawn = countIntervals(changedIntervals, changeKinds.withdrawn);
  const before = takeRowsWithInstants(earlier, times, instants);
  return { revised, withdrawn, since, before, after: takeRowsWithInstants(later, newTimes, instants) };
}

/**
 * Joins the revisions by two responses of one run, which cover different intervals. Adds the rows of the second only if the first has
 * fewer than `maxInstants`.
 */
export function joinRevisions(first: Revisions, second: Revisions): Revisions {
  const hasRoom = first.before.rowCount < maxInstants;
  return {
    revised: first.revised + second.revised,
    withdrawn: first.withdrawn + second.withdrawn,
    since: Math.min(first.since, second.since),
    // Adds both or neither: a row that is only in `before` would look withdrawn.
    before: hasRoom ? mergeByTime(first.before, second.before) : first.before,
    after: hasRoom ? mergeByTime(first.after, second.after) : first.after,
  };
}

/** Returns one of `changeKinds` for each row of `earlier`. Both frames must be sorted by time. Rows with the same instant are paired in order. */
function markChanges(earlier: Frame, later: Frame): Uint8Array {
  const times = getInstants(earlier);
  const newTimes = getInstants(later);
  const changes = new Uint8Array(earlier.rowCount);
  /** The row of `later` that is paired with each row. */
  const pairedRows = new Int32Array(earlier.rowCount).fill(-1);
  let laterRow = 0;
  for (let row = 0; row < changes.length; row++) {
    const instant = times[row] ?? NaN;
    while (laterRow < newTimes.length && (newTimes[laterRow] ?? NaN) < instant) laterRow++;
    if (newTimes[laterRow] === instant) pairedRows[row] = laterRow++;
    else changes[row] = newTimes[laterRow - 1] === instant ? changeKinds.revised : changeKinds.withdrawn;
    const isLast = times[row + 1] !== instant;
    if (isLast && newTimes[laterRow] === instant) changes[row] = changeKinds.revised;
  }
  const time = findTimeColumn(earlier);
  for (const [column, newer] of groupColumnsByPath([earlier, later]).values()) {
    if (!column || column === time) continue;
    const isDifferent = createCellComparer(column, newer);
    for (let row = 0; row < pairedRows.length; row++) {
      const pairedRow = pairedRows[row] ?? -1;
      if (pairedRow >= 0 && changes[row] === changeKinds.none && isDifferent(row, pairedRow))
        changes[row] = changeKinds.revised;
    }
  }
  return changes;
}

/** Returns a function that compares a cell of the earlier column with one of the later column, and returns true if they differ. */
export function createCellComparer(
  earlier: Column,
  later: Column | undefined,
): (row: number, laterRow: number) => boolean {
  const isDifferentValue = createValueComparer(earlier, later);
  return (row, laterRow) => {
    const state = getCellState(earlier, row);
    const hasValue = later !== undefined && getCellState(later, laterRow) === cellState.value;
    if (state === cellState.absent) return false;
    if (state === cellState.null || !hasValue) return (state === cellState.value) !== hasValue;
    return isDifferentValue(row, laterRow);
  };
}

function createValueComparer(earlier: Column, later: Column | undefined): (row: number, laterRow: number) => boolean {
  if (!later) return () => false;
  if ('values' in earlier && earlier.kind === later.kind) {
    const { values } = earlier;
    const { values: laterValues } = later;
    return (row, laterRow) => values[row] !== laterValues[laterRow];
  }
  if ('texts' in earlier && 'texts' in later && earlier.kind === later.kind)
    return (row, laterRow) => getText(earlier.texts, row) !== getText(later.texts, laterRow);
  return (row, laterRow) => cellJson(earlier, row) !== cellJson(later, laterRow);
}

/** Takes all rows with these instants. Times and instants must be sorted. */
function takeRowsWithInstants(frame: Frame, times: Float64Array, instants: readonly number[]): Frame {
  const rows: number[] = [];
  for (const instant of instants)
    for (let row = countBelow(times, instant); times[row] === instant; row++) rows.push(row);
  return takeRows(frame, Uint32Array.from(rows));
}

function countIntervals(intervals: Uint8Array, kind: number): number {
  let count = 0;
  for (let index = 0; index < intervals.length; index++) if (intervals[index] === kind) count++;
  return count;
}
