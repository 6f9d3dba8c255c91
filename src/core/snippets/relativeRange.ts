import { ZoneOffsets } from '../compare/zoneOffsets.ts';
import type { ResolvedQuery } from '../query.ts';
import { parseRange } from '../range/parseRange.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** 1 January 1970 was a Thursday. */
const mondayShiftMs = 3 * dayMs;

/**
 * A range that moves with the present, as arithmetic that every language has: it ends at
 * floor((now + shift) / grid) × grid − shift and is `lengthMs` long. All in milliseconds.
 */
export interface RelativeRange {
  readonly gridMs: number;
  readonly shiftMs: number;
  readonly lengthMs: number;
}

/**
 * The range of a query as one that moves with the present; undefined where it is fixed, or where calendars and clock changes
 * make it more than arithmetic.
 */
export function relativeRange(query: ResolvedQuery, timeZone: string): RelativeRange | undefined {
  const { start, end } = query;
  const range = arithmetic(query, timeZone);
  const fits = range && end - start === range.lengthMs && (end + range.shiftMs) % range.gridMs === 0;
  return fits ? range : undefined;
}

function arithmetic({ range, stepMs, start, days }: ResolvedQuery, timeZone: string): RelativeRange | undefined {
  const spec = parseRange(range);
  if (!spec.ok) return undefined;
  const gridMs = Math.min(stepMs ?? 1000, dayMs);
  const offset = fixedOffset(timeZone, start);
  switch (spec.value.kind) {
    case 'last': {
      const { unit, count } = spec.value;
      // Whole days of a zone do not roll by the hour.
      if (days) return undefined;
      if (unit === 'months' || unit === 'years' || (unit !== 'hours' && offset === undefined)) return undefined;
      const unitMs = { hours: hourMs, days: dayMs, weeks: weekMs }[unit];
      return { gridMs, shiftMs: 0, lengthMs: Math.ceil((count * unitMs) / gridMs) * gridMs };
    }
    case 'previous': {
      const { period } = spec.value;
      if ((period !== 'day' && period !== 'week') || offset === undefined || offset % gridMs !== 0) return undefined;
      return period === 'day'
        ? { gridMs: dayMs, shiftMs: offset, lengthMs: dayMs }
        : { gridMs: weekMs, shiftMs: offset + mondayShiftMs, lengthMs: weekMs };
    }
    case 'toDate':
    case 'between':
      return undefined;
  }
}

/** Milliseconds to add to UTC, where the zone's clock was not changed for a year and will not be for another; else undefined. */
function fixedOffset(timeZone: string, around: number): number | undefined {
  const [from, to] = [around - 366 * dayMs, around + 366 * dayMs];
  const offsets = new ZoneOffsets(timeZone, from, to);
  for (let at = from; at <= to; at += weekMs) if (offsets.at(at) !== offsets.at(from)) return undefined;
  return offsets.at(from);
}
