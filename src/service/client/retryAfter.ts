const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date ("Sun, 06 Nov 1994 08:49:37 GMT") as UTC milliseconds; undefined for any other text. */
export function parseHttpDate(text: unknown): number | undefined {
  if (typeof text !== 'string' || !httpDate.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/**
 * A Retry-After header as milliseconds, never below 0; undefined for anything but whole seconds or an HTTP date.
 * `now` is the sender's clock where its Date header is known, else ours.
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}
