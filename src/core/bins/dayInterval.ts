import type { Span } from '../range/resolveRange.ts';
import { countUpTo } from '../statistics/sorted.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import { shortZone, utc, zoneNamed } from '../time/zone.ts';

const dayMs = 86_400_000;

/**
 * The beginnings of the days of a zone that overlap a span, and the end of the last: ascending UTC milliseconds, one more than there are
 * days. A day whose midnight a clock change skips begins with the change; a date that the zone skipped is not among them.
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
    // The days before are over when the span begins.
    if (edge <= start) edges.length = 0;
    edges.push(edge);
    if (edge >= end) break;
  }
  return Float64Array.from(edges);
}

/** Returns the end of the day of a zone that contains an instant of the span, UTC milliseconds; NaN for other instants. */
export function dayEnds(span: Span, timeZone: string): (ms: number) => number {
  const edges = dayEdges(span, timeZone);
  return ms => {
    const day = binAt(edges, ms);
    return day < 0 ? NaN : (edges[day + 1] ?? NaN);
  };
}

/** The index of the bin that contains an instant, given ascending edges; -1 for an instant outside all. */
export function binAt(edges: Float64Array, ms: number): number {
  const bin = countUpTo(edges, ms) - 1;
  return bin < edges.length - 1 ? bin : -1;
}

const form = /^1d@([a-z][\w+/-]{0,63})$/i;

/** The zone of an interval such as "1d@SAST" or "1d@Europe/Berlin", whose days are made from hours. Undefined for any other interval. */
export function zoneOfDays(interval: string): DisplayZone | undefined {
  const name = form.exec(interval)?.[1];
  return name === undefined ? undefined : zoneNamed(name);
}

/** The zone in which the times of rows are written: that of their days, else `shown`. The service's own days are UTC days. */
export function zoneOfRows(interval: string, shown: DisplayZone): DisplayZone {
  return zoneOfDays(interval) ?? (interval === '1d' ? utc : shown);
}

/** The interval of days of a zone: "1d@SAST". */
export function dayIntervalOf(zone: DisplayZone): string {
  return `1d@${shortZone(zone)}`;
}

/** The normal spelling of an interval: "1d@Europe/Berlin" for "1d@europe/berlin". */
export function normalInterval(interval: string): string {
  const zone = zoneOfDays(interval);
  return zone ? dayIntervalOf(zone) : interval;
}
