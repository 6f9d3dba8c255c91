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

const minBlockMs = 1_000;
const maxBlockMs = 120_000;

/** How long a scope is blocked: what the service says, from 1 s up to 120 s or the window if that is longer. */
export function boundedBlockMs(saidMs: number, windowMs: number): number {
  return Math.min(Math.max(maxBlockMs, windowMs), Math.max(minBlockMs, saidMs));
}

/** A header longer than this is not read. */
const maxLength = 1_000;

/**
 * Milliseconds until the service allows another request, where its rate limit headers say that none remains; undefined where they
 * do not. Only that is taken from them: a larger limit than the one that is set is never used. `windowMs`: where they name no time.
 */
export function resetMs(headers: Readonly<Record<string, unknown>>, now: number, windowMs: number): number | undefined {
  const text = (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' && value.length <= maxLength ? value : '';
  };
  const sentAt = parseHttpDate(text('date')) ?? now;
  const quotas = [
    // "name";r=0;t=30 of the current draft (draft-ietf-httpapi-ratelimit-headers), its window in a header beside it
    ...text('ratelimit')
      .split(',')
      .map(quota => [parameter(quota, 'r'), parameter(quota, 't') ?? windowOf(quota, text('ratelimit-policy'))]),
    // limit=10, remaining=0, reset=30 of the one before it
    [parameter(text('ratelimit'), 'remaining'), parameter(text('ratelimit'), 'reset')],
    ...['ratelimit', 'x-ratelimit'].map(name => [text(`${name}-remaining`), text(`${name}-reset`)]),
  ];
  const waits = quotas
    .filter(([remaining = '']) => /^0+$/.test(remaining.trim()))
    .map(([, reset = '']) => (/^\d{1,15}(\.\d+)?$/.test(reset.trim()) ? secondsAsMs(Number(reset), sentAt) : windowMs));
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

function parameter(text: string, name: string): string | undefined {
  return new RegExp(`(?:^|[;,\\s])${name}=([\\d.]+)`).exec(text)?.[1];
}

/** The window of the policy of the same name. */
function windowOf(quota: string, policies: string): string | undefined {
  const name = (item: string): string | undefined => item.split(';')[0]?.trim();
  const policy = policies.split(',').find(one => name(one) === name(quota));
  return policy && parameter(policy, 'w');
}

/** Seconds from now, or an instant in seconds or milliseconds since 1970, which GitHub and others send: no wait is that long. */
function secondsAsMs(reset: number, now: number): number {
  if (reset < 1e9) return Math.ceil(reset * 1000);
  return Math.max(0, (reset < 1e11 ? reset * 1000 : reset) - now);
}
