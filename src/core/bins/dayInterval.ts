import type { DisplayZone } from '../../shared/protocol.ts';
import { shortZone, utc, zoneNamed } from '../time/zone.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

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

/** Writes the date of an instant, UTC milliseconds, in a zone: `2026-11-16`; `-` for none. */
export function isoDates(timeZone: string): (ms: number) => string {
  const offsets = new ZoneOffsets(timeZone);
  return ms => {
    const wall = new Date(ms + offsets.at(ms));
    return Number.isNaN(wall.getTime()) ? '-' : (wall.toISOString().split('T', 1)[0] ?? '');
  };
}
