const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses an HTTP date ("Sun, 06 Nov 1994 08:49:37 GMT") to UTC milliseconds; undefined for any other text. */
export function parseHttpDate(text: unknown): number | undefined {
  if (typeof text !== 'string' || !httpDate.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/**
 * Parses a Retry-After header to milliseconds, at least 0; undefined for anything but whole seconds or an HTTP date.
 * `now` is by the sender's clock if its Date header is known, else by ours.
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

/** Limits how long a scope is blocked: at least 1 s, at most 120 s or the window if that is longer. */
export function clampBlockMs(requestedMs: number, windowMs: number): number {
  return Math.min(Math.max(maxBlockMs, windowMs), Math.max(minBlockMs, requestedMs));
}

/** The maximum length of a header. */
const maxLength = 1_000;

/**
 * Returns the milliseconds until the service allows another request if its rate limit headers report that none remains, else undefined. Nothing
 * else is read from them: the configured limit is never raised. `windowMs` is used if the headers have no time.
 */
export function readResetMs(
  headers: Readonly<Record<string, unknown>>,
  now: number,
  windowMs: number,
): number | undefined {
  const readHeader = (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' && value.length <= maxLength ? value : '';
  };
  const sentAt = parseHttpDate(readHeader('date')) ?? now;
  const quotas = [
    // The current draft (draft-ietf-httpapi-ratelimit-headers): "name";r=0;t=30, with the window in a second header.
    ...readHeader('ratelimit')
      .split(',')
      .map(quota => [
        findParameter(quota, 'r'),
        findParameter(quota, 't') ?? findWindow(quota, readHeader('ratelimit-policy')),
      ]),
    // The previous draft: limit=10, remaining=0, reset=30.
    [findParameter(readHeader('ratelimit'), 'remaining'), findParameter(readHeader('ratelimit'), 'reset')],
    ...['ratelimit', 'x-ratelimit'].map(name => [readHeader(`${name}-remaining`), readHeader(`${name}-reset`)]),
  ];
  const waits = quotas
    .filter(([remaining = '']) => /^0+$/.test(remaining.trim()))
    .map(([, reset = '']) => (/^\d{1,15}(\.\d+)?$/.test(reset.trim()) ? toWaitMs(Number(reset), sentAt) : windowMs));
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

function findParameter(text: string, name: string): string | undefined {
  return new RegExp(`(?:^|[;,\\s])${name}=([\\d.]+)`).exec(text)?.[1];
}

/** Returns the window of the policy with the same name. */
function findWindow(quota: string, policies: string): string | undefined {
  const policyName = (item: string): string | undefined => item.split(';')[0]?.trim();
  const policy = policies.split(',').find(candidate => policyName(candidate) === policyName(quota));
  return policy && findParameter(policy, 'w');
}

/** Converts a reset time: seconds from now, or, as GitHub and others send it, an instant in seconds or milliseconds since 1970. */
function toWaitMs(reset: number, now: number): number {
  if (reset < 1e9) return Math.ceil(reset * 1000);
  return Math.max(0, (reset < 1e11 ? reset * 1000 : reset) - now);
}
