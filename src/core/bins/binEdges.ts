import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { mostSteps, type BinSize } from '../../shared/resampling.ts';
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
  for (const wall of wallEdges(size, start + offsets.at(start) - dayMs)) {
    const edge = offsets.firstInstantFrom(wall);
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

/** What clocks show at the beginnings of bins, from the bin of a time on: milliseconds as if the clocks were of UTC. */
function* wallEdges(size: BinSize, from: number): Generator<number, never> {
  const date = new Date(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (size) {
    case '3h':
      return yield* multiples(from, 3 * hourMs, 0);
    case 'day':
      return yield* multiples(from, dayMs, 0);
    case 'week':
      return yield* multiples(from, weekMs, firstMonday * dayMs);
    case 'month':
      return yield* months(year, month, 1);
    case 'quarter':
      return yield* months(year, month - (month % 3), 3);
    case 'year':
      return yield* months(year, 0, 12);
  }
}

/** Of a length from an origin on, from the one at or before a time. */
export function* multiples(from: number, length: number, origin: number): Generator<number, never> {
  for (let at = Math.floor((from - origin) / length); ; at++) yield origin + at * length;
}

/** The first of every so many months. */
export function* months(year: number, month: number, length: number): Generator<number, never> {
  for (let at = month; ; at += length) yield Date.UTC(year, at);
}

/** Returns the end of the bin of a zone that contains an instant of the span, UTC milliseconds; NaN for other instants. */
export function binEnds(span: Span, size: BinSize, timeZone: string): (ms: number) => number {
  const edges = binEdges(span, size, timeZone);
  return ms => {
    const bin = binAt(edges, ms);
    return bin < 0 ? NaN : (edges[bin + 1] ?? NaN);
  };
}

/** The index of the bin that contains an instant, given ascending edges; -1 for an instant outside all. */
export function binAt(edges: Float64Array, ms: number): number {
  const bin = countUpTo(edges, ms) - 1;
  return bin < edges.length - 1 ? bin : -1;
}
