import { readTime } from './writtenTime.ts';

/** `YYYY-MM-DDThh:mm:ssZ`, as the specification requires, without fractions of a second. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

const plain = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const iso = /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Milliseconds of an ISO 8601 instant with a zone (`Z` or an offset); undefined for any other text, also without a zone, and for a date or
 * time that doesn't exist.
 */
export function parseInstant(text: string): number | undefined {
  const time = iso.test(text) ? readTime(text) : undefined;
  return time && time.wall - (time.offset ?? 0);
}

/** Whether a text is `YYYY-MM-DDThh:mm:ssZ`, which can be restored from the instant. */
export function isPlainInstant(text: string): boolean {
  return plain.test(text);
}
