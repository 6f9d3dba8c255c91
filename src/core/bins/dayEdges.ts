import type { Span } from '../range/resolveRange.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import { shortZone, utc, zoneNamed } from '../time/zone.ts';

const dayMs = 86_400_000;

/**
 * The beginnings of the days of a zone that touch a span, and the end of the last: ascending UTC milliseconds, one more than
 * there are days. A day whose midnight a clock change skips begins with the change; a date that the zone never had is no day.
 */
export function dayEdges({ start, end }: Span, timeZone: string): Float64Array {
  const offsets = new ZoneOffsets(timeZone);
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

const form = /^1d@([a-z][\w+/-]{0,63})$/i;

/** The zone of an interval such as "1d@SAST" or "1d@Europe/Berlin": its days, made from hours. Undefined for any other interval. */
export function zoneOfDays(interval: string): DisplayZone | undefined {
  const name = form.exec(interval)?.[1];
  return name === undefined ? undefined : zoneNamed(name);
}

/** The zone in which the rows of an interval are named: that of their days, whichever is shown. The service's own days are days of UTC. */
export function zoneOfRows(interval: string, shown: DisplayZone): DisplayZone {
  return zoneOfDays(interval) ?? (interval === '1d' ? utc : shown);
}

/** The interval of days of a zone: "1d@SAST". */
export function dayIntervalOf(zone: DisplayZone): string {
  return `1d@${shortZone(zone)}`;
}

/** One text for each interval: "1d@europe/berlin" is "1d@Europe/Berlin". */
export function normalInterval(interval: string): string {
  const zone = zoneOfDays(interval);
  return zone ? dayIntervalOf(zone) : interval;
}
