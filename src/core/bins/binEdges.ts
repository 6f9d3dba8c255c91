import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { mostSteps, type BinSize, type RowLength, type StepSpan } from '../../shared/resampling.ts';
import type { Span } from '../range/resolveRange.ts';
import { countUpTo } from '../statistics/sorted.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/** The day of the first Monday, 5 January 1970, counted from 1 January. */
export const firstMonday = 4;

/**
 * Returns the starts of a time zone's bins that overlap a span, and the end of the last one: sorted UTC milliseconds, one more than
 * there are bins. A bin whose nominal start a clock change skips begins with the change; a bin that the zone skipped entirely is
 * omitted.
 */
export function binEdges({ start, end }: Span, size: BinSize, timeZone: string): Float64Array {
  const offsets = new ZoneOffsets(timeZone);
  const edges: number[] = [];
  const wallAt = wallEdges(size, start + offsets.at(start) - dayMs);
  for (let at = 0; ; at++) {
    const edge = offsets.firstInstantFrom(wallAt(at));
    const next = edges.at(-1);
    if (next !== undefined && edge <= next) continue;
    // The bins before have ended when the span begins.
    if (edge <= start) edges.length = 0;
    edges.push(edge);
    if (edge >= end) break;
    if (edges.length > mostSteps) throw new RangeError('A span has too many bins.');
  }
  return Float64Array.from(edges);
}

/** Returns a function for the local time at the start of each bin, beginning at `from`, in milliseconds as if the clocks showed UTC. */
function wallEdges(size: BinSize, from: number): WallAt {
  const date = new Date(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (size) {
    case '3h':
      return multiples(from, 3 * hourMs, 0);
    case 'day':
      return multiples(from, dayMs, 0);
    case 'week':
      return multiples(from, weekMs, firstMonday * dayMs);
    case 'month':
      return months(year, month, 1);
    case 'quarter':
      return months(year, month - (month % 3), 3);
    case 'year':
      return months(year, 0, 12);
  }
}

/** Returns the local time at the start of the bin with this index. */
type WallAt = (at: number) => number;

/** Returns the multiples of a length counted from `origin`, starting with the last one not after `from`. */
export function multiples(from: number, length: number, origin: number): WallAt {
  const first = Math.floor((from - origin) / length);
  return at => origin + (first + at) * length;
}

/** Returns the first day of every `length`-th month. */
export function months(year: number, month: number, length: number): WallAt {
  return at => Date.UTC(year, month + at * length);
}

/** Rows of different lengths: calendar bins of a time zone, or rows with explicit lengths. */
type UnlikeRows = Pick<StepSpan, 'bins' | 'lengths'>;

/** Returns the edges of rows with different lengths, like `computeBinEdges`; undefined for rows of equal length. */
export function rowEdges(span: Span, { bins, lengths }: UnlikeRows): Float64Array | undefined {
  return bins ? binEdges(span, bins.size, bins.timeZone) : lengths && lengthEdges(span, lengths);
}

/** Returns the maximum row length in milliseconds. */
export function greatestLength(lengths: readonly RowLength[]): number {
  return lengths.reduce((greatest, { stepMs }) => Math.max(greatest, stepMs), 0);
}

/**
 * Returns the edges of rows with explicit lengths. The last row of a length ends where the next length begins, even if that shortens it.
 */
function lengthEdges({ start, end }: Span, lengths: readonly RowLength[]): Float64Array {
  const edges: number[] = [];
  for (const [at, { start: from, stepMs }] of lengths.entries()) {
    const next = lengths[at + 1]?.start ?? Infinity;
    if (next <= start) continue;
    const first = from + Math.floor(((at === 0 ? start : Math.max(start, from)) - from) / stepMs) * stepMs;
    for (let edge = first; edge < next; edge += stepMs) {
      edges.push(edge);
      if (edge >= end) return Float64Array.from(edges);
      if (edges.length > mostSteps) throw new RangeError('A span has too many rows.');
    }
  }
  return Float64Array.from(edges);
}

/**
 * Returns a function for the end of the row that contains an instant of the span, in UTC milliseconds; NaN for other instants. Undefined
 * for rows of equal length.
 */
export function rowEnds(span: Span, rows: UnlikeRows): ((ms: number) => number) | undefined {
  const edges = rowEdges(span, rows);
  return (
    edges &&
    (ms => {
      const bin = binAt(edges, ms);
      return bin < 0 ? NaN : (edges[bin + 1] ?? NaN);
    })
  );
}

/** Returns the index of the bin that contains an instant; -1 if none does. `edges` must be sorted. */
export function binAt(edges: Float64Array, ms: number): number {
  const bin = countUpTo(edges, ms) - 1;
  return bin < edges.length - 1 ? bin : -1;
}
