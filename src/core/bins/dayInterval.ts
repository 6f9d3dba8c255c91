import type { DisplayZone } from '../../shared/protocol.ts';
import { formatShortZone, utc, findZone } from '../time/zone.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

const dayIntervalPattern = /^1d@([a-z][\w+/-]{0,63})$/i;

/**
 * Returns the time zone of an interval such as "1d@SAST" or "1d@Europe/Berlin", whose days are aggregated from hours; undefined for any
 * other interval.
 */
export function parseDayZone(interval: string): DisplayZone | undefined {
  const name = dayIntervalPattern.exec(interval)?.[1];
  return name === undefined ? undefined : findZone(name);
}

/** Returns the time zone for the times of rows: the zone of their days, or else the display zone. The service's own days are UTC days. */
export function getZoneOfRows(interval: string, displayZone: DisplayZone): DisplayZone {
  return parseDayZone(interval) ?? (interval === '1d' ? utc : displayZone);
}

/** Formats the interval for days of a time zone: "1d@SAST". */
export function formatDayInterval(zone: DisplayZone): string {
  return `1d@${formatShortZone(zone)}`;
}

/** Returns the canonical spelling of an interval: "1d@Europe/Berlin" for "1d@europe/berlin". */
export function normalizeInterval(interval: string): string {
  const zone = parseDayZone(interval);
  return zone ? formatDayInterval(zone) : interval;
}

/** Returns a formatter for the date of an instant (UTC milliseconds) in a time zone: `2026-11-16`; `-` for an invalid instant. */
export function createIsoDateFormatter(timeZone: string): (ms: number) => string {
  const offsets = new ZoneOffsets(timeZone);
  return ms => {
    const localDate = new Date(ms + offsets.at(ms));
    return Number.isNaN(localDate.getTime()) ? '-' : (localDate.toISOString().split('T', 1)[0] ?? '');
  };
}
