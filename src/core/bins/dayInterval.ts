import type { DisplayZone } from '../../shared/protocol.ts';
import { shortZone, utc, zoneNamed } from '../time/zone.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

const form = /^1d@([a-z][\w+/-]{0,63})$/i;

/**
 * Returns the time zone of an interval such as "1d@SAST" or "1d@Europe/Berlin", whose days are aggregated from hours; undefined for any
 * other interval.
 */
export function zoneOfDays(interval: string): DisplayZone | undefined {
  const name = form.exec(interval)?.[1];
  return name === undefined ? undefined : zoneNamed(name);
}

/** Returns the time zone for the times of rows: that of their days, else the display zone. The service's own days are UTC days. */
export function zoneOfRows(interval: string, shown: DisplayZone): DisplayZone {
  return zoneOfDays(interval) ?? (interval === '1d' ? utc : shown);
}

/** Formats the interval for days of a time zone: "1d@SAST". */
export function dayIntervalOf(zone: DisplayZone): string {
  return `1d@${shortZone(zone)}`;
}

/** Returns the canonical spelling of an interval: "1d@Europe/Berlin" for "1d@europe/berlin". */
export function normalInterval(interval: string): string {
  const zone = zoneOfDays(interval);
  return zone ? dayIntervalOf(zone) : interval;
}

/** Returns a formatter for the date of an instant (UTC milliseconds) in a time zone: `2026-11-16`; `-` if there is none. */
export function isoDates(timeZone: string): (ms: number) => string {
  const offsets = new ZoneOffsets(timeZone);
  return ms => {
    const wall = new Date(ms + offsets.at(ms));
    return Number.isNaN(wall.getTime()) ? '-' : (wall.toISOString().split('T', 1)[0] ?? '');
  };
}
