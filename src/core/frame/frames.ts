import { cellState, type Column, type Dictionary, type Frame } from '../../shared/frame.ts';
import { canJoin } from '../../shared/tableLimits.ts';
import { assembleSteps, slotsOf, type Pieces } from './assembleFrames.ts';
import { takeRowsSteps, timeColumnOf } from './clip.ts';
import type { Span } from '../range/resolveRange.ts';
import { sortSteps } from '../statistics/sortSteps.ts';
import { runSteps, stepRows, type Steps } from '../time/steps.ts';

/** Rows [from, to) of a frame, as views on the same arrays: copy before sending them anywhere. */
export function viewRows(frame: Frame, from: number, to: number): Frame {
  const texts = ({ codes, entries }: Dictionary): Dictionary => ({ codes: codes.subarray(from, to), entries });
  const columns = frame.columns.map((column): Column => {
    const { gaps: all, ...rest } = column;
    const gaps = all?.subarray(from, to);
    const part = gaps?.some(state => state !== cellState.value) ? { gaps } : {};
    switch (rest.kind) {
      case 'time': {
        const received = rest.received && { received: texts(rest.received) };
        return { ...rest, ...part, ...received, values: rest.values.subarray(from, to) };
      }
      case 'number':
        return { ...rest, ...part, values: rest.values.subarray(from, to) };
      case 'boolean':
        return { ...rest, ...part, values: rest.values.subarray(from, to) };
      case 'text':
      case 'nested':
        return { ...rest, ...part, texts: texts(rest.texts) };
    }
  });
  return { rowCount: to - from, columns };
}

/** The rows within [start, end) of a frame that ascends by time, as views. */
export function rowsWithin(frame: Frame, { start, end }: Span): Frame {
  const times = instantsOf(frame);
  return viewRows(frame, firstFrom(times, start), firstFrom(times, end));
}

/** The rows ascending by time, those of one instant in their order, those without an instant last. */
export function sortByTime(frame: Frame): Frame {
  return runSteps(sortByTimeSteps(frame));
}

/** As `sortByTime`, in steps of a few milliseconds. */
export function* sortByTimeSteps(frame: Frame): Steps<Frame> {
  const times = instantsOf(frame);
  let ascending = true;
  for (let row = 1; ascending && row < times.length; row++) ascending = (times[row - 1] ?? 0) <= (times[row] ?? 0);
  yield;
  return ascending ? frame : yield* takeRowsSteps(frame, yield* ascendingRows(times));
}

/** The places of the numbers in ascending order, those of equal ones in theirs. Sorted by a function they take seconds. */
function* ascendingRows(times: Float64Array): Steps<Uint32Array> {
  const sorted = yield* sortSteps(times.slice());
  const rows = new Uint32Array(times.length);
  /** At the first place of each number: how many of it are there. */
  const counts = new Uint32Array(times.length);
  for (let row = 0; row < times.length; row++) {
    const first = firstFrom(sorted, times[row] ?? Infinity);
    const count = counts[first] ?? 0;
    rows[first + count] = row;
    counts[first] = count + 1;
    if (row % stepRows === stepRows - 1) yield;
  }
  return rows;
}

/** The first place of an ascending list at or after an instant. */
export function firstFrom(times: Float64Array, instant: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The rows of all frames, one frame after the other. Columns are matched by their way into the record; where a frame does
 * not have one, its rows have no such field; where kinds differ, all cells take the kind that loses nothing. In steps of a few
 * milliseconds.
 */
export function concatSteps(frames: readonly Frame[]): Steps<Frame> {
  const pieces = {
    sources: Uint32Array.from(frames, (_, source) => source),
    from: new Uint32Array(frames.length),
    to: Uint32Array.from(frames, ({ rowCount }) => rowCount),
  };
  return assembleSteps(frames, pieces);
}

/**
 * The rows of both frames ascending by time. An instant that `newer` has is taken from it alone, with all its rows of that
 * instant. Rows without an instant are all kept, at the end.
 */
export function mergeByTime(kept: Frame, newer: Frame): Frame {
  return runSteps(mergeByTimeSteps(kept, newer));
}

/** Whether the frames make one table within the limits: those of many answers may have names of their own each. */
export function fitTogether(frames: readonly Frame[]): boolean {
  const rowCount = frames.reduce((sum, frame) => sum + frame.rowCount, 0);
  return canJoin(slotsOf(frames).size, rowCount);
}

/**
 * As `mergeByTimeSteps`, and the kept rows of the instants in `replaced` are gone, whether `newer` has others or none: what the
 * service no longer has is not there.
 */
export function* replaceByTimeSteps(kept: Frame, newer: Frame, replaced: Span): Steps<Frame> {
  const rest = yield* withoutSpanSteps(kept, replaced);
  // A copy of all would be the same.
  return newer.rowCount === 0 && rest.columns.length > 0 ? rest : yield* mergeByTimeSteps(rest, newer);
}

/** The rows outside [start, end) ascending by time, in the columns that they have. */
function* withoutSpanSteps(frame: Frame, { start, end }: Span): Steps<Frame> {
  const sorted = yield* sortByTimeSteps(frame);
  const times = instantsOf(sorted);
  const [from, to] = [firstFrom(times, start), firstFrom(times, end)];
  if (to <= from) return sorted;
  yield;
  const rest = yield* concatSteps([viewRows(sorted, 0, from), viewRows(sorted, to, sorted.rowCount)]);
  // A field that only the rows taken away had is gone with them.
  const hasCells = ({ gaps }: Column): boolean =>
    rest.rowCount > 0 && !gaps?.every(state => state === cellState.absent);
  return { ...rest, columns: rest.columns.filter(hasCells) };
}

/** As `mergeByTime`, in steps of a few milliseconds. */
export function* mergeByTimeSteps(kept: Frame, newer: Frame): Steps<Frame> {
  if (kept.columns.length === 0) return yield* sortByTimeSteps(newer);
  const frames = [yield* sortByTimeSteps(kept), yield* sortByTimeSteps(newer)] as const;
  const instants = [instantsOf(frames[0]), instantsOf(frames[1])] as const;
  yield;
  return yield* assembleSteps(frames, yield* pieceSteps(instants));
}

/** The pieces that two ascending lists of instants make. */
function* pieceSteps(instants: readonly [Float64Array, Float64Array]): Steps<Pieces> {
  const [a, b] = instants;
  const most = a.length + b.length;
  const pieces = { sources: new Uint32Array(most), from: new Uint32Array(most), to: new Uint32Array(most) };
  let count = 0;
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    [i, j, count] = addPieces(pieces, count, instants, i, j);
    yield;
  }
  const { sources, from, to } = pieces;
  return { sources: sources.subarray(0, count), from: from.subarray(0, count), to: to.subarray(0, count) };
}

/** Adds the next pieces to the first `given`, from these rows on; returns the rows it has come to, and how many there are then. */
function addPieces(
  pieces: Pieces,
  given: number,
  [a, b]: readonly [Float64Array, Float64Array],
  startA: number,
  startB: number,
): [number, number, number] {
  let [i, j, count] = [startA, startB, given];
  const take = (source: number, from: number, to: number): void => {
    if (to === from) return;
    const isNext = count > 0 && pieces.sources[count - 1] === source && pieces.to[count - 1] === from;
    if (!isNext) {
      pieces.sources[count] = source;
      pieces.from[count++] = from;
    }
    pieces.to[count - 1] = to;
  };
  for (let turn = 0; turn < stepRows && (i < a.length || j < b.length); turn++) {
    const [keptAt, newAt] = [a[i] ?? Infinity, b[j] ?? Infinity];
    // Of rows without an instant, the kept ones come first.
    if (i < a.length && (keptAt < newAt || (keptAt === Infinity && newAt === Infinity))) {
      const from = i;
      i = keptAt === Infinity ? a.length : endOf(a, i, newAt);
      take(0, from, i);
    } else {
      const from = j;
      j = newAt === Infinity ? b.length : endOf(b, j, keptAt === newAt ? nextAfter(b, j) : keptAt);
      take(1, from, j);
      while (keptAt === newAt && a[i] === keptAt) i++;
    }
  }
  return [i, j, count];
}

/** The first row at or after `row` that is not before `until`. */
function endOf(times: Float64Array, row: number, until: number): number {
  let end = row;
  while (end < times.length && (times[end] ?? 0) < until) end++;
  return end;
}

function nextAfter(times: Float64Array, row: number): number {
  let next = row;
  while (next < times.length && times[next] === times[row]) next++;
  return times[next] ?? Infinity;
}

/** Of each row; Infinity where it has none. */
export function instantsOf(frame: Frame): Float64Array {
  const time = timeColumnOf(frame);
  if (!time) return new Float64Array(frame.rowCount).fill(Infinity);
  if (!time.gaps) return time.values;
  return time.values.map((ms, row) => (time.gaps?.[row] === cellState.value ? ms : Infinity));
}
