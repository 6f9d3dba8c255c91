import type { DisplayZone } from '../../shared/protocol.ts';
import { shortZone, utc, zoneNamed } from '../zone.ts';

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
