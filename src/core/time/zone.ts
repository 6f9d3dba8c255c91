import { Temporal } from 'temporal-polyfill';
import type { DisplayZone } from '../../shared/protocol.ts';

/** South African Standard Time. */
export const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
export const utc: DisplayZone = { timeZone: 'UTC', label: 'UTC' };

/**
 * Finds the zone with a name from the settings: "UTC", "SAST" (South African Standard Time, UTC+2 without daylight saving) or an IANA name.
 * An IANA name is kept even if Intl prefers another name for the zone (Asia/Kolkata, CET, GMT). Returns undefined for an unknown name.
 */
export function findZone(name: string): DisplayZone | undefined {
  const trimmed = name.trim();
  if (/^(utc|z)$/i.test(trimmed)) return utc;
  if (/^sast$/i.test(trimmed)) return sast;
  // Intl also accepts offsets ("+02:00"), which have no name to show.
  if (!/^[A-Za-z]/.test(trimmed)) return undefined;
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(trimmed);
    return { timeZone: /^(gmt|etc\/utc)$/i.test(trimmed) ? utc.timeZone : timeZoneId, label: timeZoneId };
  } catch {
    return undefined;
  }
}

/** Whether two names, such as Asia/Calcutta and Asia/Kolkata, belong to the same zone. */
export function isSameZone(a: DisplayZone, b: DisplayZone): boolean {
  return a.timeZone === b.timeZone || getIntlName(a) === getIntlName(b);
}

/** A cache by name, since Intl takes about a millisecond for each and the toolbar compares zones on each rendering. */
const intlNames = new Map<string, string>();

function getIntlName({ timeZone }: DisplayZone): string {
  const name = intlNames.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  intlNames.set(timeZone, name);
  return name;
}

/** Shortens "SAST (UTC+2)" to "SAST", for use in parentheses or in narrow places. */
export function formatShortZone({ label }: Pick<DisplayZone, 'label'>): string {
  return label.replace(/ \(.*\)$/, '');
}
