import type { Span } from '../range/resolveRange.ts';
import { binAt } from '../bins/binEdges.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/** How to pair the instants of two ranges: see `partnerOf`. */
type Alignment = 'position' | 'hourOfWeek' | { readonly shiftMs: number };

/** Two ranges and how to pair them. Spans are [start, end), UTC milliseconds; `stepMs` is the interval of both. */
export interface Pairing {
  readonly align: Alignment;
  readonly base: Span;
  readonly other: Span;
  readonly stepMs: number;
  /** The IANA zone whose weekdays and hours count. */
  readonly timeZone: string;
  /** The beginnings of the steps of both, where these are days of the zone. */
  readonly edges?: { readonly base: Float64Array; readonly other: Float64Array };
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/**
 * Returns the instant of the other range that is paired with an instant of the base; undefined for none. Where the lengths of the ranges
 * differ, the excess of one has no partner.
 * - By position: the n-th step of one with the n-th step of the other, counted from the starts of the ranges, so that missing rows don't
 *   shift the pairs; clock changes don't matter.
 * - By a shift: `shiftMs` earlier.
 * - By hour of week: the same weekday and wall-clock time in the zone, always by the number of weeks that brings the ranges' first days
 *   nearest to each other. An hour that the clock skipped on the other day (23-hour day) has no partner. Of an hour that the other day has
 *   twice (25-hour day), the first is the partner; if both days have it twice, the second is paired with the second; if only the base has
 *   it twice, both are paired with the one hour. Steps of whole days are UTC days with UTC weekdays, unless `edges` has other days.
 */
export function partnerOf(pairing: Pairing): (ms: number) => number | undefined {
  const { other } = pairing;
  const pair = pairOf(pairing);
  return ms => {
    const partner = pair(ms);
    return partner !== undefined && partner >= other.start && partner < other.end ? partner : undefined;
  };
}

function pairOf(pairing: Pairing): (ms: number) => number | undefined {
  const { align, base, other, edges } = pairing;
  if (align === 'hourOfWeek') return byHourOfWeek(pairing);
  if (align === 'position' && edges)
    return ms => {
      const place = binAt(edges.base, ms);
      return place < 0 ? undefined : edges.other[place];
    };
  const shift = align === 'position' ? base.start - other.start : align.shiftMs;
  return ms => ms - shift;
}

function byHourOfWeek({ base, other, stepMs, timeZone, edges }: Pairing): (ms: number) => number | undefined {
  const zone = stepMs % dayMs === 0 && !edges ? 'UTC' : timeZone;
  const offsets = new ZoneOffsets(zone);
  const dayAt = (ms: number): number | undefined => edges?.other[binAt(edges.other, ms)];
  const firstDay = (ms: number): number => Math.floor((ms + offsets.at(ms)) / dayMs) * dayMs;
  const back = Math.round((firstDay(base.start) - firstDay(other.start)) / weekMs) * weekMs;
  return ms => {
    const wall = ms + offsets.at(ms) - back;
    if (edges) return dayAt(offsets.firstInstantFrom(wall));
    const [first, second] = offsets.instantsOf(wall);
    const isRepeat = offsets.instantsOf(ms + offsets.at(ms)).indexOf(ms) === 1;
    const partner = isRepeat ? (second ?? first) : first;
    // Rounds to steps: where clocks change by half an hour, wall-clock hours begin in the middle of a step.
    return partner === undefined ? undefined : ms + Math.round((partner - ms) / stepMs) * stepMs;
  };
}
