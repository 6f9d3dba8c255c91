import { cellState, type Column, type Frame } from '../../shared/frame.ts';
import { canJoinRows } from '../../shared/tableLimits.ts';
import { assembleFrames, type Pieces, groupColumnsByPath } from './assembleFrames.ts';
import { mapCells, takeRows, findTimeColumn } from './clip.ts';
import type { Span } from '../range/resolveRange.ts';
import { sortedIndexesOfNumbers } from '../sort/radixSort.ts';
import { countBelow } from '../statistics/quantile.ts';
import { type Coverage, getIntervalStart, intervalState } from '../../shared/result.ts';
import { findBin } from '../bins/binEdges.ts';
import { formatInstant } from '../time/instant.ts';

/** Returns the rows [from, to) as views on the same arrays. Copy them before sending them anywhere. */
export function viewRows(frame: Frame, from: number, to: number): Frame {
  const view = {
    numbers: (values: Float64Array) => values.subarray(from, to),
    bytes: (values: Uint8Array) => values.subarray(from, to),
    codes: (codes: Uint32Array) => codes.subarray(from, to),
  };
  const columns = frame.columns.map((column): Column => {
    const { gaps, ...rest } = mapCells(column, view);
    return gaps?.some(state => state !== cellState.value) ? { ...rest, gaps } : rest;
  });
  return { rowCount: to - from, columns };
}

/** Returns the rows within [start, end) of a frame sorted by time, as views. */
export function sliceByTime(frame: Frame, { start, end }: Span): Frame {
  const times = getInstants(frame);
  return viewRows(frame, countBelow(times, start), countBelow(times, end));
}

/** Sorts the rows by time. Rows with the same instant keep their order; rows without an instant come last. */
export function sortByTime(frame: Frame): Frame {
  const rows = sortedRowOrder(getInstants(frame));
  return rows ? takeRows(frame, rows) : frame;
}

/** Returns the row order that sorts these instants, stably; undefined if they are sorted already. */
export function sortedRowOrder(times: Float64Array): Uint32Array | undefined {
  let ascending = true;
  for (let row = 1; ascending && row < times.length; row++) ascending = (times[row - 1] ?? 0) <= (times[row] ?? 0);
  return ascending ? undefined : sortedIndexesOfNumbers(times.slice(), false);
}

/**
 * Concatenates the rows of all frames. Columns are matched by their JSON path. Where a frame lacks a column, its cells are absent; where
 * kinds differ, all cells take the kind that loses nothing.
 */
export function concatFrames(frames: readonly Frame[]): Frame {
  const pieces = {
    sources: Uint32Array.from(frames, (_, source) => source),
    from: new Uint32Array(frames.length),
    to: Uint32Array.from(frames, ({ rowCount }) => rowCount),
  };
  return assembleFrames(frames, pieces);
}

/** Whether the frames form one table within the limits. Each may have columns that the others lack. */
export function canConcatenate(frames: readonly Frame[]): boolean {
  const rowCount = frames.reduce((sum, frame) => sum + frame.rowCount, 0);
  return canJoinRows(groupColumnsByPath(frames).size, rowCount);
}

/**
 * Merges like `mergeByTime`, but also removes the earlier rows in `replaced` for which `newer` has none: the service has withdrawn them.
 */
export function replaceByTime(earlier: Frame, newer: Frame, replaced: Span): Frame {
  const remaining = removeSpan(earlier, replaced);
  // Avoids copying all rows.
  return newer.rowCount === 0 && remaining.columns.length > 0 ? remaining : mergeByTime(remaining, newer);
}

/** Returns the rows outside [start, end), sorted by time, with the columns that still have cells. */
function removeSpan(frame: Frame, { start, end }: Span): Frame {
  const sorted = sortByTime(frame);
  const times = getInstants(sorted);
  const from = countBelow(times, start);
  const to = countBelow(times, end);
  if (to <= from) return sorted;
  const remaining = concatFrames([viewRows(sorted, 0, from), viewRows(sorted, to, sorted.rowCount)]);
  // A field that only the removed rows had is removed with them.
  const hasCells = ({ gaps }: Column): boolean =>
    remaining.rowCount > 0 && !gaps?.every(state => state === cellState.absent);
  return { ...remaining, columns: remaining.columns.filter(hasCells) };
}

/**
 * Merges the rows of both frames by time. If both have rows with the same instant, only those of `newer` remain. All rows without an instant
 * remain, at the end.
 */
export function mergeByTime(earlier: Frame, newer: Frame): Frame {
  if (earlier.columns.length === 0) return sortByTime(newer);
  const frames = [sortByTime(earlier), sortByTime(newer)] as const;
  const instants = [getInstants(frames[0]), getInstants(frames[1])] as const;
  return assembleFrames(frames, mergePieces(instants));
}

/** Splits two sorted lists of instants into pieces, in the order of the merged rows. */
function mergePieces([a, b]: readonly [Float64Array, Float64Array]): Pieces {
  const maxPieces = a.length + b.length;
  const pieces = {
    sources: new Uint32Array(maxPieces),
    from: new Uint32Array(maxPieces),
    to: new Uint32Array(maxPieces),
  };
  let count = 0;
  const addPiece = (source: number, from: number, to: number): void => {
    if (to === from) return;
    const isNext = count > 0 && pieces.sources[count - 1] === source && pieces.to[count - 1] === from;
    if (!isNext) {
      pieces.sources[count] = source;
      pieces.from[count++] = from;
    }
    pieces.to[count - 1] = to;
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const earlierMs = a[i] ?? Infinity;
    const newMs = b[j] ?? Infinity;
    // Rows without an instant: the earlier ones come first.
    if (i < a.length && (earlierMs < newMs || (earlierMs === Infinity && newMs === Infinity))) {
      const from = i;
      i = earlierMs === Infinity ? a.length : findEnd(a, i, newMs);
      addPiece(0, from, i);
    } else {
      const from = j;
      j = newMs === Infinity ? b.length : findEnd(b, j, earlierMs === newMs ? findNextInstant(b, j) : earlierMs);
      addPiece(1, from, j);
      while (earlierMs === newMs && a[i] === earlierMs) i++;
    }
  }
  const { sources, from, to } = pieces;
  return { sources: sources.subarray(0, count), from: from.subarray(0, count), to: to.subarray(0, count) };
}

/** Returns the first row at or after `row` whose time is not before `until`. */
function findEnd(times: Float64Array, row: number, until: number): number {
  let end = row;
  while (end < times.length && (times[end] ?? 0) < until) end++;
  return end;
}

function findNextInstant(times: Float64Array, row: number): number {
  let next = row;
  while (next < times.length && times[next] === times[row]) next++;
  return times[next] ?? Infinity;
}

/** Returns the instant of each row; Infinity if it has none. */
export function getInstants(frame: Frame): Float64Array {
  const time = findTimeColumn(frame);
  if (!time) return new Float64Array(frame.rowCount).fill(Infinity);
  if (!time.gaps) return time.values;
  return time.values.map((ms, row) => (time.gaps?.[row] === cellState.value ? ms : Infinity));
}

export interface FrameWithMissingRows {
  readonly frame: Frame;
  /** One `intervalState` per row: `present` for received rows, else the reason why the interval has none. */
  readonly rowStates: Uint8Array;
  /** Intervals without a row that were not added because of the table limits. */
  readonly omitted: number;
}

/**
 * Adds a row for each interval that has none, and sorts the frame by time. An added row has the start of its interval as time (UTC
 * milliseconds, like `start`); its other cells are absent. Received rows do not change; those without an instant come last. The frame
 * stays as it is without a time column, or if the table would exceed the limits.
 */
export function addMissingRows(
  frame: Frame,
  coverage: Pick<Coverage, 'states' | 'edges'>,
  start: number,
  intervalMs: number,
): FrameWithMissingRows {
  const time = findTimeColumn(frame);
  const states = coverage.states.slice();
  const { edges } = coverage;
  const findInterval = (ms: number): number => (edges ? findBin(edges, ms) : Math.floor((ms - start) / intervalMs));
  // An interval with a row is present regardless of the coverage: a received row is never replaced.
  for (let row = 0; row < frame.rowCount; row++) {
    const interval = findInterval(time?.values[row] ?? NaN);
    if (interval >= 0 && interval < states.length) states[interval] = intervalState.present;
  }
  let added = 0;
  for (let interval = 0; interval < states.length; interval++) if (states[interval] !== intervalState.present) added++;
  const hasRoom = canJoinRows(frame.columns.length, frame.rowCount + added);
  if (!time || added === 0 || !hasRoom)
    return { frame, rowStates: new Uint8Array(frame.rowCount), omitted: time && !hasRoom ? added : 0 };

  const rowCount = frame.rowCount + added;
  const sorted = sortByTime(frame);
  const times = getInstants(sorted);
  // The source row of each row. Added rows may use any, because none of its cells remain.
  const rows = new Uint32Array(rowCount);
  const instants = new Float64Array(rowCount).fill(NaN);
  const rowStates = new Uint8Array(rowCount).fill(intervalState.present);
  let row = 0;
  let interval = -1;
  const findNextMissing = (): number => {
    do interval++;
    while (interval < states.length && states[interval] === intervalState.present);
    return interval < states.length ? getIntervalStart(coverage, start, intervalMs, interval) : Infinity;
  };
  let missingMs = findNextMissing();
  for (let position = 0; position < rowCount; position++) {
    // Rows without an instant come last.
    if (row < frame.rowCount && ((times[row] ?? NaN) <= missingMs || interval >= states.length)) rows[position] = row++;
    else {
      instants[position] = missingMs;
      rowStates[position] = states[interval] ?? intervalState.present;
      missingMs = findNextMissing();
    }
  }
  const columns = takeRows(sorted, rows).columns.map(column =>
    column.name === time.name ? setInstants(column, instants) : clearCells(column, instants),
  );
  return { frame: { rowCount, columns }, rowStates, omitted: 0 };
}

/** Writes these instants into the rows that have one. Changes the column's arrays. */
function setInstants(column: Column, instants: Float64Array): Column {
  if (column.kind !== 'time') return column;
  const { values, gaps, received } = column;
  const added: string[] = [];
  for (let row = 0; row < instants.length; row++) {
    const ms = instants[row] ?? NaN;
    if (Number.isNaN(ms)) continue;
    values[row] = ms;
    if (gaps) gaps[row] = cellState.value;
    if (received) received.codes[row] = received.entries.length + added.push(formatInstant(ms)) - 1;
  }
  return received ? { ...column, received: { ...received, entries: received.entries.concat(added) } } : column;
}

/** Clears the cells of the rows that have one of these instants. Changes the column's arrays. */
function clearCells(column: Column, instants: Float64Array): Column {
  const gaps = column.gaps ?? new Uint8Array(instants.length);
  for (let row = 0; row < instants.length; row++) if (!Number.isNaN(instants[row])) gaps[row] = cellState.absent;
  return { ...column, gaps };
}
