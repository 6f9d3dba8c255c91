import { createRowEndLookup } from '../../core/bins/binEdges.ts';
import { aggregateShare, type WeightedShareParts } from '../../core/bins/binSums.ts';
import { findComparedTimeOfColumn } from '../../core/compare/compareFrames.ts';
import { sortIntoBins } from '../../core/bins/resampleFrame.ts';
import { countBelow } from '../../core/statistics/quantile.ts';
import { hourMs } from '../../shared/durations.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { cellState, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { ChartModel } from './chartModel.ts';

/** Instants in order. A point without a row breaks the line wherever the next row is further away than an interval. */
export interface Timeline {
  /** Milliseconds UTC, ascending. */
  readonly x: Float64Array;
  /** The data row of each point, or -1 where the point only breaks the line; undefined if point p is row p. */
  readonly rows: Int32Array | undefined;
  /** The interval of the rows in milliseconds, the shortest one if they differ; undefined for fewer than two rows. */
  readonly step: number | undefined;
  /** Returns the end of the row at an instant, UTC milliseconds, if the rows differ in length. */
  readonly endOf?: (instant: number) => number;
}

// The typical distance of rows is inexact, so only a clearly larger distance is a gap.
const looseStep = 1.5;
// The maximum length of bins in a zone whose clocks change by an hour at most.
const longest: Readonly<Record<BinSize, number>> = {
  '3h': 4.5 * hourMs,
  day: 25.5 * hourMs,
  week: 169.5 * hourMs,
  month: 746 * hourMs,
  quarter: 2210 * hourMs,
  year: 8786 * hourMs,
};
const noRow = -1;
/** A few years before the end of a Date's range, which leaves room for calendar computations. */
const latest = 8.6e15;

/** Returns the middle of the interval that starts at a point. */
export function middleOf({ x, step = 0, endOf = instant => instant + step }: Timeline, point: number): number {
  const begin = x[point] ?? NaN;
  return (begin + Math.min(endOf(begin), x[point + 1] ?? Infinity)) / 2;
}

/**
 * Sorts the rows by time. `asked` is the requested interval; the typical distance of the rows replaces it if smaller. Rows without an instant
 * are omitted.
 */
export function timelineOf(time: TimeColumn, rowCount: number, rows?: Uint32Array, asked?: number): Timeline {
  const picked = orderedRows(time, rowCount, rows);
  const count = picked?.length ?? rowCount;
  const at = (point: number): number => time.values[picked ? (picked[point] ?? 0) : point] ?? NaN;
  const usual = usualDistance(at, count);
  const { bins, lengths } = time;
  const isKnown = asked !== undefined && usual !== undefined;
  const least = lengths && Math.min(...lengths.map(({ stepMs }) => stepMs));
  const step = least ?? (isKnown && !bins ? Math.min(asked, usual) : (asked ?? usual));
  const [start, end] = [at(0), at(count - 1) + 1];
  const ofLengths = count > 0 && lengths ? createRowEndLookup({ start, end }, { lengths }) : undefined;
  const limit = bins ? longest[bins.size] : step === undefined ? Infinity : step === asked ? step : step * looseStep;
  const ordered = picked
    ? Float64Array.from(picked, row => time.values[row] ?? NaN)
    : time.values.subarray(0, rowCount);
  const isBreak = (from: number, to: number): boolean => (ofLengths ? to > ofLengths(from) : to - from > limit);
  const breaks = breaksIn(ordered, isBreak);
  const known = { step, ...(ofLengths && { endOf: ofLengths }) };
  if (breaks === 0) return { x: ordered, rows: picked, ...known };
  const x = new Float64Array(count + breaks);
  const endOf = createRowEndLookup({ start, end }, time) ?? ((instant: number) => instant + (step ?? 0));
  const withBreaks = new Int32Array(count + breaks);
  let target = 0;
  for (let point = 0; point < count; point++) {
    if (point > 0 && isBreak(at(point - 1), at(point))) {
      x[target] = endOf(at(point - 1));
      withBreaks[target++] = noRow;
    }
    x[target] = at(point);
    withBreaks[target++] = picked ? (picked[point] ?? 0) : point;
  }
  return { x, rows: withBreaks, ...known };
}

/**
 * Splits rows of different lengths into points of one length, the greatest common divisor of the lengths. Charts that count rows or sort them by
 * the clock need this. Other timelines are returned unchanged.
 */
export function evenTimeline(timeline: Timeline): Timeline {
  const { x, step, endOf } = timeline;
  if (step === undefined || !endOf) return timeline;
  const partOf = (a: number, b: number): number => (b === 0 ? a : partOf(b, a % b));
  const lengths = x.map(begin => endOf(begin) - begin);
  const part = lengths.reduce(partOf, step);
  const counts = lengths.map((length, point) => (rowOf(timeline, point) === undefined ? 1 : length / part));
  const points = new Int32Array(counts.reduce((sum, count) => sum + count, 0));
  const even = new Float64Array(points.length);
  let at = 0;
  for (let point = 0; point < x.length; point++)
    for (let within = 0; within < (counts[point] ?? 0); within++) {
      even[at] = (x[point] ?? NaN) + within * part;
      points[at++] = rowOf(timeline, point) ?? noRow;
    }
  return { x: even, rows: points, step: part };
}

/** Omits the hours of a share's parts for such a timeline, whose points are only parts of rows. */
export function evenParts({ endOf }: Timeline, parts: WeightedShareParts | undefined): WeightedShareParts | undefined {
  if (!parts || !endOf) return parts;
  const { hours: _, ...even } = parts;
  return even;
}

/** Returns the timeline of a column. A column of a compared period has its own. */
export function timelineOfColumn(
  column: NumberColumn,
  received: Timeline,
  { frame, rows, step }: ChartModel,
): Timeline {
  const time = findComparedTimeOfColumn(frame, column);
  return time ? timelineOf(time, frame.rowCount, rows, step) : received;
}

/** Returns the values of a column at the points of a timeline; NaN for none. Shares the column's memory if possible. */
export function valuesAlong(timeline: Timeline, column: NumberColumn | TimeColumn): Float64Array {
  const { values, gaps } = column;
  const { rows, x } = timeline;
  if (!rows && !gaps && areNumbers(values)) return values.subarray(0, x.length);
  const along = new Float64Array(x.length);
  for (let point = 0; point < along.length; point++) {
    const row = rows ? (rows[point] ?? noRow) : point;
    const value = values[row] ?? NaN;
    along[point] = row !== noRow && (!gaps || gaps[row] === cellState.value) && isNumber(value) ? value : NaN;
  }
  return along;
}

/**
 * Computes the share of the energies of the points at each of `count` positions, in percent; NaN for none. `places` has the position of each
 * point, -1 for none.
 */
export function sharesOfPlaces(
  { x, rows, step = hourMs }: Timeline,
  parts: WeightedShareParts,
  places: Int32Array,
  count: number,
): Float64Array {
  const sorted = sortIntoBins(rows ?? Int32Array.from(x.keys()), places, count);
  const bins = Uint32Array.from({ length: count }, (_, place) => place);
  const { means, gaps } = aggregateShare(parts, { ...sorted, stepMs: step }, bins);
  return means.map((share, place) => (gaps[place] === cellState.value ? share : NaN));
}

/** Returns the data row of a point; undefined if the point only breaks the line. */
export function rowOf(timeline: Timeline, point: number): number | undefined {
  const row = timeline.rows ? timeline.rows[point] : point;
  return row === noRow ? undefined : row;
}

/** Sorts rows by time; undefined if every row has an instant and they are already sorted. */
function orderedRows(time: TimeColumn, rowCount: number, rows: Uint32Array | undefined): Int32Array | undefined {
  const { values, gaps } = time;
  const usable = (row: number): boolean =>
    Math.abs(values[row] ?? NaN) < latest && (!gaps || (gaps[row] ?? cellState.value) === cellState.value);
  if (!rows) {
    let row = 0;
    let before = -Infinity;
    // A result may have millions of rows, so this loop only compares.
    for (; row < rowCount; row++) {
      const value = values[row] as number;
      if (!(value >= before && value < latest && value > -latest) || (gaps && gaps[row] !== cellState.value)) break;
      before = value;
    }
    if (row === rowCount) return undefined;
  }
  const picked = (rows ? Int32Array.from(rows) : Int32Array.from({ length: rowCount }, (_, row) => row)).filter(usable);
  const ordered = picked.every(
    (row, index) => index === 0 || (values[row] ?? 0) >= (values[picked[index - 1] ?? 0] ?? 0),
  );
  return ordered ? picked : picked.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
}

/** Returns the median distance of neighbours, from a sample if there are many. */
function usualDistance(at: (point: number) => number, count: number): number | undefined {
  const stride = Math.max(1, Math.floor(count / 10_000));
  const distances: number[] = [];
  for (let point = 1; point < count; point += stride) {
    const distance = at(point) - at(point - 1);
    if (distance > 0) distances.push(distance);
  }
  return distances.sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)];
}

/** Counts the gaps between neighbouring instants. */
function breaksIn(instants: Float64Array, isBreak: (from: number, to: number) => boolean): number {
  let breaks = 0;
  for (let point = 1; point < instants.length; point++)
    if (isBreak(instants[point - 1] as number, instants[point] as number)) breaks++;
  return breaks;
}

/** Uses a plain loop, since `every` would call a function for each of millions of rows. */
function areNumbers(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) if (!isNumber(values[row] as number)) return false;
  return true;
}

/** Neither NaN nor infinite. */
function isNumber(value: number): boolean {
  return value - value === 0;
}

/** Finds the index of the value nearest to `wanted` in ascending values; -1 if there are none. */
export function nearest(values: Float64Array, wanted: number): number {
  const after = countBelow(values, wanted);
  if (after === 0) return values.length === 0 ? -1 : 0;
  const before = after - 1;
  if (after === values.length) return before;
  return wanted - (values[before] ?? 0) <= (values[after] ?? 0) - wanted ? before : after;
}
