import { Temporal } from 'temporal-polyfill';
import type { DisplayZone } from '../../shared/protocol.ts';

const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
export const utc: DisplayZone = { timeZone: 'UTC', label: 'UTC' };

/**
 * The zone a setting names: "UTC", "SAST" (South African Standard Time, UTC+2 without daylight saving) or an IANA name, which keeps
 * its name where the zone has another one, too (Asia/Kolkata, CET, GMT for UTC). Undefined for a name nobody knows.
 */
export function zoneNamed(name: string): DisplayZone | undefined {
  const plain = name.trim();
  if (/^(utc|z)$/i.test(plain)) return utc;
  if (/^sast$/i.test(plain)) return sast;
  // Intl also takes raw offsets ("+02:00"); they are refused because a bare offset has no name to show.
  if (!/^[A-Za-z]/.test(plain)) return undefined;
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(plain);
    return { timeZone: /^(gmt|etc\/utc)$/i.test(plain) ? utc.timeZone : timeZoneId, label: timeZoneId };
  } catch {
    return undefined;
  }
}

/** Whether two names are of one zone: Asia/Calcutta is Asia/Kolkata. Both are known to Intl. */
export function sameZone(a: DisplayZone, b: DisplayZone): boolean {
  return a.timeZone === b.timeZone || nameInIntl(a) === nameInIntl(b);
}

/** By the names of zones that were asked for: Intl takes about a millisecond for each, and a toolbar asks at each drawing. */
const namesInIntl = new Map<string, string>();

function nameInIntl({ timeZone }: DisplayZone): string {
  const name = namesInIntl.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  namesInIntl.set(timeZone, name);
  return name;
}

/** "SAST" of "SAST (UTC+2)": for where parentheses stand around it, or no room is. */
export function shortZone({ label }: Pick<DisplayZone, 'label'>): string {
  return label.replace(/ \(.*\)$/, '');
}
