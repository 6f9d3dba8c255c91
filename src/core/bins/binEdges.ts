import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { mostSteps, type BinSize, type RowLength, type StepSpan } from '../../shared/resampling.ts';
import type { Span } from '../range/resolveRange.ts';
import { countUpTo } from '../statistics/sorted.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/** 5 January 1970, in days since the first of it. */
export const firstMonday = 4;

/**
 * The beginnings of the bins of a zone that overlap a span, and the end of the last: ascending UTC milliseconds, one more than there are
 * bins. A bin whose first moment a clock change skips begins with the change; one that the zone skipped whole is not among them.
 */
export function binEdges({ start, end }: Span, size: BinSize, timeZone: string): Float64Array {
  const offsets = new ZoneOffsets(timeZone);
  const edges: number[] = [];
  const wallAt = wallEdges(size, start + offsets.at(start) - dayMs);
  for (let at = 0; ; at++) {
    const edge = offsets.firstInstantFrom(wallAt(at));
    const next = edges.at(-1);
    if (next !== undefined && edge <= next) continue;
    // The bins before are over when the span begins.
    if (edge <= start) edges.length = 0;
    edges.push(edge);
    if (edge >= end) break;
    if (edges.length > mostSteps) throw new RangeError('A span has too many bins.');
  }
  return Float64Array.from(edges);
}

/** Tells what clocks show at the beginning of each bin, from that of a time on: milliseconds as if the clocks were of UTC. */
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

/** What clocks show at the beginning of the bin with this index. */
type WallAt = (at: number) => number;

/** Of a length from an origin on, from the one at or before a time. */
export function multiples(from: number, length: number, origin: number): WallAt {
  const first = Math.floor((from - origin) / length);
  return at => origin + (first + at) * length;
}

/** The first of every so many months. */
export function months(year: number, month: number, length: number): WallAt {
  return at => Date.UTC(year, month + at * length);
}

/** Rows that are not all equally long: bins of a zone, or rows of several lengths. */
type UnlikeRows = Pick<StepSpan, 'bins' | 'lengths'>;

/** As `binEdges`, of rows that are not all equally long; undefined for rows that are. */
export function rowEdges(span: Span, { bins, lengths }: UnlikeRows): Float64Array | undefined {
  return bins ? binEdges(span, bins.size, bins.timeZone) : lengths && lengthEdges(span, lengths);
}

/** In milliseconds. */
export function greatestLength(lengths: readonly RowLength[]): number {
  return lengths.reduce((greatest, { stepMs }) => Math.max(greatest, stepMs), 0);
}

/** The last row before another length begins where that one begins, also where it would last longer. */
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
 * Returns the end of the row that contains an instant of the span, UTC milliseconds, NaN for other instants; undefined for rows that are all
 * equally long.
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

/** The index of the bin that contains an instant, given ascending edges; -1 for an instant outside all. */
export function binAt(edges: Float64Array, ms: number): number {
  const bin = countUpTo(edges, ms) - 1;
  return bin < edges.length - 1 ? bin : -1;
}
