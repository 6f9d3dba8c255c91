import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { maxIntervals, type BinSize, type RowLength, type ElapsedRange } from '../../shared/resampling.ts';
import type { Span } from '../range/resolveRange.ts';
import { countAtMost } from '../statistics/quantile.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/** The day of the first Monday, 5 January 1970, counted from 1 January. */
export const firstMondayDay = 4;

/**
 * Returns the edges of a time zone's bins that overlap a span, in sorted UTC milliseconds: the start of each bin, and the end of the last
 * bin. If a clock change skips the nominal start of a bin, the bin begins at the clock change. A bin that the zone skips entirely, such as a
 * missing day, is omitted.
 */
export function computeBinEdges({ start, end }: Span, size: BinSize, timeZone: string): Float64Array {
  const offsets = new ZoneOffsets(timeZone);
  const edges: number[] = [];
  const getLocalTime = createLocalTimes(size, start + offsets.at(start) - dayMs);
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

/** Returns a function for the local time at the start of each bin, beginning at `from`, in milliseconds as if the clocks showed UTC. */
function createLocalTimes(size: BinSize, from: number): GetLocalTime {
  const date = new Date(from);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  switch (size) {
    case '3h':
      return createMultiples(from, 3 * hourMs, 0);
    case 'day':
      return createMultiples(from, dayMs, 0);
    case 'week':
      return createMultiples(from, weekMs, firstMondayDay * dayMs);
    case 'month':
      return createMonths(year, month, 1);
    case 'quarter':
      return createMonths(year, month - (month % 3), 3);
    case 'year':
      return createMonths(year, 0, 12);
  }
}

/** Returns the local time at the start of the bin with this index. */
type GetLocalTime = (index: number) => number;

/** Returns a function for the multiples of a length counted from `origin`, starting with the last multiple that is not after `from`. */
export function createMultiples(from: number, length: number, origin: number): GetLocalTime {
  const first = Math.floor((from - origin) / length);
  return index => origin + (first + index) * length;
}

/** Returns a function for the first day of every `length`-th month. */
export function createMonths(year: number, month: number, length: number): GetLocalTime {
  return index => Date.UTC(year, month + index * length);
}

/** Rows of different lengths: calendar bins of a time zone, or rows with explicit lengths. */
type UnequalRows = Pick<ElapsedRange, 'bins' | 'lengths'>;

/** Returns the edges of rows with different lengths, like `computeBinEdges`; undefined for rows of equal length. */
export function getRowEdges(span: Span, { bins, lengths }: UnequalRows): Float64Array | undefined {
  return bins ? computeBinEdges(span, bins.size, bins.timeZone) : lengths && getLengthEdges(span, lengths);
}

/** Returns the maximum row length in milliseconds. */
export function getMaxRowLength(lengths: readonly RowLength[]): number {
  return lengths.reduce((max, { intervalMs }) => Math.max(max, intervalMs), 0);
}

/**
 * Returns the edges of rows with explicit lengths. The last row of a length ends where the next length begins, even if the row is
 * shorter then.
 */
function getLengthEdges({ start, end }: Span, lengths: readonly RowLength[]): Float64Array {
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
 * Returns a function for the end of the row that contains an instant of the span, in UTC milliseconds; NaN for other instants. Undefined
 * for rows of equal length.
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

/** Returns the index of the bin that contains an instant; -1 for an instant outside all bins. `edges` must be sorted. */
export function findBin(edges: Float64Array, ms: number): number {
  const bin = countAtMost(edges, ms) - 1;
  return bin < edges.length - 1 ? bin : -1;
}
