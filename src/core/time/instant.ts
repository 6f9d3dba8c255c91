import { parseTime } from './writtenTime.ts';

/** Formats an instant as `YYYY-MM-DDThh:mm:ssZ`. The specification allows no fractions of a second. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

const plainPattern = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const isoPattern = /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Parses an ISO 8601 instant with a zone (`Z` or an offset) into UTC milliseconds. Returns undefined for any other text, such as one
 * without a zone, and for a date or time that doesn't exist.
 */
export function parseInstant(text: string): number | undefined {
  const time = isoPattern.test(text) ? parseTime(text) : undefined;
  return time && time.localTime - (time.offset ?? 0);
}

/** Whether a text has the form `YYYY-MM-DDThh:mm:ssZ`, which `formatInstant` restores from the milliseconds. */
export function isPlainInstant(text: string): boolean {
  return plainPattern.test(text);
}
