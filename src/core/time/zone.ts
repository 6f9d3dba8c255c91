import { Temporal } from 'temporal-polyfill';
import type { DisplayZone } from '../../shared/protocol.ts';

/** South African Standard Time. */
export const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
export const utc: DisplayZone = { timeZone: 'UTC', label: 'UTC' };

/**
 * The zone of a name in the settings: "UTC", "SAST" (South African Standard Time, UTC+2 without daylight saving) or an IANA name, which is
 * not replaced by another name of the same zone (Asia/Kolkata, CET, GMT). Undefined for an unknown name.
 */
export function zoneNamed(name: string): DisplayZone | undefined {
  const plain = name.trim();
  if (/^(utc|z)$/i.test(plain)) return utc;
  if (/^sast$/i.test(plain)) return sast;
  // Intl also accepts offsets ("+02:00"), which have no name to show.
  if (!/^[A-Za-z]/.test(plain)) return undefined;
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(plain);
    return { timeZone: /^(gmt|etc\/utc)$/i.test(plain) ? utc.timeZone : timeZoneId, label: timeZoneId };
  } catch {
    return undefined;
  }
}

/** Whether two names that Intl knows are of the same zone, such as Asia/Calcutta and Asia/Kolkata. */
export function sameZone(a: DisplayZone, b: DisplayZone): boolean {
  return a.timeZone === b.timeZone || nameInIntl(a) === nameInIntl(b);
}

/** A cache by name: Intl takes about a millisecond for each, and the toolbar compares zones on each rendering. */
const namesInIntl = new Map<string, string>();

function nameInIntl({ timeZone }: DisplayZone): string {
  const name = namesInIntl.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  namesInIntl.set(timeZone, name);
  return name;
}

/** "SAST" of "SAST (UTC+2)": for use in parentheses, or where there is little room. */
export function shortZone({ label }: Pick<DisplayZone, 'label'>): string {
  return label.replace(/ \(.*\)$/, '');
}
