import { ZoneOffsets } from '../compare/zoneOffsets.ts';
import type { Span } from '../range/resolveRange.ts';

const dayMs = 86_400_000;

/**
 * The beginnings of the days of a zone that touch a span, and the end of the last: ascending UTC milliseconds, one more than
 * there are days. A day whose midnight a clock change skips begins with the change; a date that the zone never had is no day.
 */
export function dayEdges({ start, end }: Span, timeZone: string): Float64Array {
  const offsets = new ZoneOffsets(timeZone, start - 3 * dayMs, end + 3 * dayMs);
  const first = Math.floor((start + offsets.at(start)) / dayMs);
  const last = Math.ceil((end + offsets.at(end)) / dayMs) + 1;
  const edges: number[] = [];
  for (let day = first; day <= last; day++) {
    const edge = offsets.firstInstantFrom(day * dayMs);
    const next = edges.at(-1);
    if (next !== undefined && edge <= next) continue;
    // The day after it begins no later than the span.
    if (edge <= start) edges.length = 0;
    edges.push(edge);
    if (edge >= end) break;
  }
  return Float64Array.from(edges);
}

/** The end of the day of a zone that an instant lies in, UTC milliseconds; for instants of a span, NaN for others. */
export function dayEnds(span: Span, timeZone: string): (ms: number) => number {
  const edges = dayEdges(span, timeZone);
  return ms => {
    const day = binAt(edges, ms);
    return day < 0 ? NaN : (edges[day + 1] ?? NaN);
  };
}

/** The place of the bin that holds an instant, in ascending edges; -1 for an instant before or after all. */
export function binAt(edges: Float64Array, ms: number): number {
  const count = edges.length - 1;
  if (!(ms >= (edges[0] ?? NaN)) || ms >= (edges[count] ?? NaN)) return -1;
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((edges[middle] ?? Infinity) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}
