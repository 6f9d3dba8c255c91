import { minuteMs } from '../../shared/durations.ts';

/** `YYYY-MM-DDThh:mm:ssZ`, as the specification requires, without fractions of a second. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d\d):?(\d\d))$/i;

/**
 * Milliseconds of an ISO 8601 instant with a zone (`Z` or an offset); undefined for any other text, also without a zone, and for a date or
 * time that doesn't exist.
 */
export function parseInstant(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const millis = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const local = Date.UTC(year, month - 1, day, hour, minute, second, millis);
  const back = new Date(local);
  // Date.UTC turns 31 February into a day of March, and years 0 to 99 into 1900 to 1999: such texts are refused.
  if (back.getUTCFullYear() !== year || back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [offsetHours, offsetMinutes] = [Number(match[10] ?? 0), Number(match[11] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * minuteMs;
  return local - (match[9] === '-' ? -offset : offset);
}
