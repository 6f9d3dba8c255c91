import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { maxIntervals, type BinSize, type RowLength, type ElapsedRange } from '../../shared/resampling.ts';
import type { Span } from '../range/resolveRange.ts';
import { countAtMost } from '../statistics/quantile.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/** The number of days from 1 January 1970 to the first Monday, 5 January. */
export const firstMondayDay = 4;

/**
 * Computes the edges of the bins of a time zone that overlap a span: the start of each bin, and the end of the last bin. The edges are
 * sorted UTC milliseconds. If a clock change skips the nominal start of a bin, the bin begins at the clock change. A bin that the zone
 * skips entirely, such as a missing day, is omitted.
 */
export function computeBinEdges({ start, end }: Span, size: BinSize, timeZone: string): Float64Array {
  const offsets = new ZoneOffsets(timeZone);
  const edges: number[] = [];
  const getLocalTime = createLocalTimeLookup(size, start + offsets.at(start) - dayMs);
  for (let index = 0; ; index++) {
    const edgeMs = offsets.firstInstantFrom(getLocalTime(index));
    const previous = edges.at(-1);
    if (previous !== undefined && edgeMs <= previous) continue;
    // Discards the previous bins, which end before the span begins.
    if (edgeMs <= start) edges.length = 0;
    edges.push(edgeMs);
    if (edgeMs >= end) break;
    if (edges.length > maxIntervals) throw new RangeError('A span has too many bins.');
  }
  return Float64Array.from(edges);
}

/**
 * Creates a function that returns the local time at the start of a bin. Bin 0 contains the local time `from`. Local times are written as
 * the UTC milliseconds at which clocks in UTC show them.
 */
function createLocalTimeLookup(size: BinSize, from: number): LocalTimeLookup {
  const date = new Date(from);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  switch (size) {
    case '3h':
      return createFixedBinLookup(from, 3 * hourMs, 0);
    case 'day':
      return createFixedBinLookup(from, dayMs, 0);
    case 'week':
      return createFixedBinLookup(from, weekMs, firstMondayDay * dayMs);
    case 'month':
      return createMonthBinLookup(year, month, 1);
    case 'quarter':
      return createMonthBinLookup(year, month - (month % 3), 3);
    case 'year':
      return createMonthBinLookup(year, 0, 12);
  }
}

/** Returns the local time at the start of the bin with this index. */
type LocalTimeLookup = (index: number) => number;

/**
 * Creates a function that returns the start of a bin of fixed length. Bins are counted from `origin`, and bin 0 is the one that contains
 * `from`.
 */
export function createFixedBinLookup(from: number, length: number, origin: number): LocalTimeLookup {
  const first = Math.floor((from - origin) / length);
  return index => origin + (first + index) * length;
}

/** Creates a function that returns the start of a bin of `length` months. Bin 0 begins with the given month. */
export function createMonthBinLookup(year: number, month: number, length: number): LocalTimeLookup {
  return index => Date.UTC(year, month + index * length);
}

/** Rows of different lengths: calendar bins of a time zone, or rows with explicit lengths. */
type UnequalRows = Pick<ElapsedRange, 'bins' | 'lengths'>;

/** Returns the start of each row, and the end of the last row, if the rows have different lengths. Returns undefined for rows of equal length. */
export function getRowEdges(span: Span, { bins, lengths }: UnequalRows): Float64Array | undefined {
  return bins ? computeBinEdges(span, bins.size, bins.timeZone) : lengths && computeLengthEdges(span, lengths);
}

/** Returns the length of the longest rows, in milliseconds. */
export function getMaxRowLength(lengths: readonly RowLength[]): number {
  return lengths.reduce((max, { intervalMs }) => Math.max(max, intervalMs), 0);
}

/**
 * Computes the edges of rows with explicit lengths. The last row of a length ends where the next length begins, which may make this row
 * shorter.
 */
function computeLengthEdges({ start, end }: Span, lengths: readonly RowLength[]): Float64Array {
  const edges: number[] = [];
  for (const [index, { start: from, intervalMs }] of lengths.entries()) {
    const next = lengths[index + 1]?.start ?? Infinity;
    if (next <= start) continue;
    const first = from + Math.floor(((index === 0 ? start : Math.max(start, from)) - from) / intervalMs) * intervalMs;
    for (let edge = first; edge < next; edge += intervalMs) {
      edges.push(edge);
      if (edge >= end) return Float64Array.from(edges);
      if (edges.length > maxIntervals) throw new RangeError('A span has too many rows.');
    }
  }
  return Float64Array.from(edges);
}

/**
 * Creates a function that returns the end of the row that contains an instant, in UTC milliseconds. The function returns NaN for an instant
 * outside the span. The result is undefined for rows of equal length.
 */
export function createRowEndLookup(span: Span, rows: UnequalRows): ((ms: number) => number) | undefined {
  const edges = getRowEdges(span, rows);
  return (
    edges &&
    (ms => {
      const bin = findBin(edges, ms);
      return bin < 0 ? NaN : (edges[bin + 1] ?? NaN);
    })
  );
}

/** Returns the index of the bin that contains an instant, or -1 if no bin contains it. `edges` must be sorted. */
export function findBin(edges: Float64Array, ms: number): number {
  const bin = countAtMost(edges, ms) - 1;
  return bin < edges.length - 1 ? bin : -1;
}
