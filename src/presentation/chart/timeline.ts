import { createRowEndLookup } from '../../core/bins/binEdges.ts';
import { aggregateShare, type WeightedShareParts } from '../../core/bins/binSums.ts';
import { findComparedTimeOfColumn } from '../../core/compare/compareFrames.ts';
import { sortIntoBins } from '../../core/bins/resampleFrame.ts';
import { countBelow } from '../../core/statistics/quantile.ts';
import { hourMs } from '../../shared/durations.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { cellState, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { ChartModel } from './chartModel.ts';

/** Instants in ascending order. If the next row is further away than an interval, a point without a row breaks the line between them. */
export interface Timeline {
  /** Milliseconds UTC, ascending. */
  readonly x: Float64Array;
  /** The data row of each point, or -1 if the point only breaks the line; undefined if point p is row p. */
  readonly rows: Int32Array | undefined;
  /** The interval of the rows in milliseconds, the shortest one if they differ; undefined for fewer than two rows. */
  readonly intervalMs: number | undefined;
  /** Returns the end of the row at an instant, UTC milliseconds, if the rows differ in length. */
  readonly endOf?: (instant: number) => number;
}

/** The typical distance of rows is inexact, so only a clearly larger distance is a gap. */
const gapTolerance = 1.5;
/** The maximum length of bins, including the hour that a clock change may add. */
const maxBinLengths: Readonly<Record<BinSize, number>> = {
  '3h': 4.5 * hourMs,
  day: 25.5 * hourMs,
  week: 169.5 * hourMs,
  month: 746 * hourMs,
  quarter: 2210 * hourMs,
  year: 8786 * hourMs,
};
const noRow = -1;
/** A few years before the end of a Date's range, which leaves room for calendar computations. */
const maxInstant = 8.6e15;

/** Returns the middle of the interval that starts at a point. */
export function getMiddle(
  { x, intervalMs = 0, endOf = instant => instant + intervalMs }: Timeline,
  point: number,
): number {
  const start = x[point] ?? NaN;
  return (start + Math.min(endOf(start), x[point + 1] ?? Infinity)) / 2;
}

/**
 * Sorts the rows by time. `requestedMs` is the requested interval; the typical distance of the rows replaces it if that is smaller. Rows without an instant
 * are omitted.
 */
export function createTimeline(time: TimeColumn, rowCount: number, rows?: Uint32Array, requestedMs?: number): Timeline {
  const sortedRows = sortRows(time, rowCount, rows);
  const count = sortedRows?.length ?? rowCount;
  const getInstant = (point: number): number => time.values[sortedRows ? (sortedRows[point] ?? 0) : point] ?? NaN;
  const typicalMs = computeTypicalDistance(getInstant, count);
  const { bins, lengths } = time;
  const hasBothIntervals = requestedMs !== undefined && typicalMs !== undefined;
  const minLength = lengths && Math.min(...lengths.map(({ intervalMs }) => intervalMs));
  const intervalMs =
    minLength ?? (hasBothIntervals && !bins ? Math.min(requestedMs, typicalMs) : (requestedMs ?? typicalMs));
  const start = getInstant(0);
  const end = getInstant(count - 1) + 1;
  const findRowEnd = count > 0 && lengths ? createRowEndLookup({ start, end }, { lengths }) : undefined;
  const maxDistance = bins
    ? maxBinLengths[bins.size]
    : intervalMs === undefined
      ? Infinity
      : intervalMs === requestedMs
        ? intervalMs
        : intervalMs * gapTolerance;
  const orderedInstants = sortedRows
    ? Float64Array.from(sortedRows, row => time.values[row] ?? NaN)
    : time.values.subarray(0, rowCount);
  const isBreak = (from: number, to: number): boolean => (findRowEnd ? to > findRowEnd(from) : to - from > maxDistance);
  const breakCount = countBreaks(orderedInstants, isBreak);
  const intervals = { intervalMs, ...(findRowEnd && { endOf: findRowEnd }) };
  if (breakCount === 0) return { x: orderedInstants, rows: sortedRows, ...intervals };
  const x = new Float64Array(count + breakCount);
  const endOf = createRowEndLookup({ start, end }, time) ?? ((instant: number) => instant + (intervalMs ?? 0));
  const rowsWithBreaks = new Int32Array(count + breakCount);
  let target = 0;
  for (let point = 0; point < count; point++) {
    if (point > 0 && isBreak(getInstant(point - 1), getInstant(point))) {
      x[target] = endOf(getInstant(point - 1));
      rowsWithBreaks[target++] = noRow;
    }
    x[target] = getInstant(point);
    rowsWithBreaks[target++] = sortedRows ? (sortedRows[point] ?? 0) : point;
  }
  return { x, rows: rowsWithBreaks, ...intervals };
}

/**
 * Splits rows of different lengths into points of one length, the greatest common divisor of the lengths. Charts that count rows or sort them by
 * the clock need this. Other timelines are returned unchanged.
 */
export function toEvenTimeline(timeline: Timeline): Timeline {
  const { x, intervalMs, endOf } = timeline;
  if (intervalMs === undefined || !endOf) return timeline;
  const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
  const lengths = x.map(begin => endOf(begin) - begin);
  const partMs = lengths.reduce(commonDivisor, intervalMs);
  const counts = lengths.map((length, point) => (getRow(timeline, point) === undefined ? 1 : length / partMs));
  const points = new Int32Array(counts.reduce((sum, count) => sum + count, 0));
  const evenInstants = new Float64Array(points.length);
  let target = 0;
  for (let point = 0; point < x.length; point++)
    for (let partIndex = 0; partIndex < (counts[point] ?? 0); partIndex++) {
      evenInstants[target] = (x[point] ?? NaN) + partIndex * partMs;
      points[target++] = getRow(timeline, point) ?? noRow;
    }
  return { x: evenInstants, rows: points, intervalMs: partMs };
}

/**
 * Removes the hours of a share's parts, because the points of an even timeline are only parts of rows. Amounts of rows become amounts per
 * hour.
 */
export function omitPartHours(
  timeline: Timeline,
  parts: WeightedShareParts | undefined,
): WeightedShareParts | undefined {
  const { x, endOf } = timeline;
  if (!parts || !endOf) return parts;
  const { hours: _, areAmounts, ...partsWithoutHours } = parts;
  if (!areAmounts) return partsWithoutHours;
  const perHour = (amounts: Float64Array): Float64Array => {
    const values = amounts.slice().fill(NaN);
    for (const [point, begin] of x.entries()) {
      const row = getRow(timeline, point);
      if (row !== undefined) values[row] = ((amounts[row] ?? NaN) * hourMs) / (endOf(begin) - begin);
    }
    return values;
  };
  return { ...partsWithoutHours, part: perHour(parts.part), whole: perHour(parts.whole) };
}

/** Returns the timeline of a column. A column of a compared period has its own. */
export function getColumnTimeline(
  column: NumberColumn,
  received: Timeline,
  { frame, rows, intervalMs }: ChartModel,
): Timeline {
  const time = findComparedTimeOfColumn(frame, column);
  return time ? createTimeline(time, frame.rowCount, rows, intervalMs) : received;
}

/** Returns the values of a column at the points of a timeline. A missing value is NaN. Shares the column's memory if possible. */
export function getTimelineValues(timeline: Timeline, column: NumberColumn | TimeColumn): Float64Array {
  const { values, gaps } = column;
  const { rows, x } = timeline;
  if (!rows && !gaps && areAllFinite(values)) return values.subarray(0, x.length);
  const timelineValues = new Float64Array(x.length);
  for (let point = 0; point < timelineValues.length; point++) {
    const row = rows ? (rows[point] ?? noRow) : point;
    const value = values[row] ?? NaN;
    timelineValues[point] =
      row !== noRow && (!gaps || gaps[row] === cellState.value) && isFiniteNumber(value) ? value : NaN;
  }
  return timelineValues;
}

/**
 * Computes the share of the energies of the points at each of `count` positions, in percent; NaN if there is none. `positions` has the position of each
 * point, or -1 if it has none.
 */
export function computeShares(
  { x, rows, intervalMs = hourMs }: Timeline,
  parts: WeightedShareParts,
  positions: Int32Array,
  count: number,
): Float64Array {
  const sorted = sortIntoBins(rows ?? Int32Array.from(x.keys()), positions, count);
  const bins = Uint32Array.from({ length: count }, (_, position) => position);
  const { means, gaps } = aggregateShare(parts, { ...sorted, intervalMs }, bins);
  return means.map((share, position) => (gaps[position] === cellState.value ? share : NaN));
}

/** Returns the data row of a point; undefined if the point only breaks the line. */
export function getRow(timeline: Timeline, point: number): number | undefined {
  const row = timeline.rows ? timeline.rows[point] : point;
  return row === noRow ? undefined : row;
}

/** Sorts rows by time; undefined if every row has an instant and they are already sorted. */
function sortRows(time: TimeColumn, rowCount: number, rows: Uint32Array | undefined): Int32Array | undefined {
  const { values, gaps } = time;
  const isUsable = (row: number): boolean =>
    Math.abs(values[row] ?? NaN) < maxInstant && (!gaps || (gaps[row] ?? cellState.value) === cellState.value);
  if (!rows) {
    let row = 0;
    let previous = -Infinity;
    // A result may have millions of rows, so this loop only compares.
    for (; row < rowCount; row++) {
      const value = values[row] as number;
      if (!(value >= previous && value < maxInstant && value > -maxInstant) || (gaps && gaps[row] !== cellState.value))
        break;
      previous = value;
    }
    if (row === rowCount) return undefined;
  }
  const usableRows = (rows ? Int32Array.from(rows) : Int32Array.from({ length: rowCount }, (_, row) => row)).filter(
    isUsable,
  );
  const isOrdered = usableRows.every(
    (row, index) => index === 0 || (values[row] ?? 0) >= (values[usableRows[index - 1] ?? 0] ?? 0),
  );
  return isOrdered ? usableRows : usableRows.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
}

/** Returns the median distance of neighbors, from a sample if there are many. */
function computeTypicalDistance(getInstant: (point: number) => number, count: number): number | undefined {
  const stride = Math.max(1, Math.floor(count / 10_000));
  const distances: number[] = [];
  for (let point = 1; point < count; point += stride) {
    const distance = getInstant(point) - getInstant(point - 1);
    if (distance > 0) distances.push(distance);
  }
  return distances.sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)];
}

/** Counts the gaps between neighboring instants. */
function countBreaks(instants: Float64Array, isBreak: (from: number, to: number) => boolean): number {
  let breakCount = 0;
  for (let point = 1; point < instants.length; point++)
    if (isBreak(instants[point - 1] as number, instants[point] as number)) breakCount++;
  return breakCount;
}

/** Whether all values are finite. Uses a loop, because `every` would call a function for each of millions of rows. */
function areAllFinite(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) if (!isFiniteNumber(values[row] as number)) return false;
  return true;
}

/** Whether a value is neither NaN nor infinite. */
function isFiniteNumber(value: number): boolean {
  return value - value === 0;
}

/** Finds the index of the value nearest to `target` in ascending values. Returns -1 if there are no values. */
export function findNearest(values: Float64Array, target: number): number {
  const next = countBelow(values, target);
  if (next === 0) return values.length === 0 ? -1 : 0;
  const previous = next - 1;
  if (next === values.length) return previous;
  return target - (values[previous] ?? 0) <= (values[next] ?? 0) - target ? previous : next;
}
