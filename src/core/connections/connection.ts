import * as v from 'valibot';

/** What is known of a key from the last answer to it. `rejected`: 401; `forbidden`: 403. */
const connectionStates = ['unchecked', 'works', 'rejected', 'forbidden'] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const limitSchema = v.object({
  requests: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
  seconds: v.pipe(v.number(), v.minValue(1), v.maxValue(86_400)),
});

/** A service and a name for it. The key is not in here: it lives in the secret store, under the service's origin. */
export const connectionSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty()),
  /** `sandbox` is the embedded service: its address is known only while it runs. */
  service: v.picklist(['sandbox', 'powerSignals', 'other']),
  /** Base address without a trailing slash; empty for the sandbox. */
  baseUrl: v.string(),
  /** What may be shown of the key. */
  keyPrefix: v.string(),
  state: v.picklist(connectionStates),
  /** Its last answer said that it is Sample Data: a sandbox that was added by its address. */
  isSample: v.optional(v.literal(true)),
  /** What the provider granted beyond the documented limits, by scope. */
  limits: v.optional(v.record(v.string(), limitSchema)),
});
export type Connection = v.InferOutput<typeof connectionSchema>;

/** Whether its data is Sample Data, as far as is known: of the embedded service, or as its answers said. */
export function isSampleConnection({ service, isSample }: Pick<Connection, 'service' | 'isSample'>): boolean {
  return service === 'sandbox' || isSample === true;
}

/** The services a person can pick by name. `dashboard` is where keys are made. */
export const powerSignals = {
  name: 'Power Signals',
  baseUrl: 'https://api.powersignals.co.za',
  dashboard: 'https://powersignals.co.za',
} as const;

/** Why a text is no API key; the host has one sentence for each. */
export const keyProblems = ['empty', 'tooShort', 'tooLong', 'characters'] as const;
export type KeyProblem = (typeof keyProblems)[number];

type KeyResult = { readonly ok: true; readonly key: string } | { readonly ok: false; readonly why: KeyProblem };

/** Trims a pasted key and checks that it can go into a header unchanged: an HTTP library would repair it silently. */
export function normaliseKey(text: string): KeyResult {
  const key = text.trim();
  if (key === '') return { ok: false, why: 'empty' };
  if (!/^[\x21-\x7e]+$/.test(key)) return { ok: false, why: 'characters' };
  if (key.length < 8) return { ok: false, why: 'tooShort' };
  if (key.length > 256) return { ok: false, why: 'tooLong' };
  return { ok: true, key };
}

/** The part of a key that may be shown, "ps_live_3f8a…": its public segments and four characters, at most a third of it. */
export function keyPrefix(key: string): string {
  const segments = /^(?:[A-Za-z0-9]{1,12}_){0,2}/.exec(key)?.[0] ?? '';
  return `${key.slice(0, Math.min(segments.length + 4, Math.floor(key.length / 3)))}…`;
}

/** Why a text is no base URL; the host has one sentence for each. */
export const baseUrlProblems = [
  'empty',
  'notUrl',
  'scheme',
  'plainHttp',
  'credentials',
  'queryOrFragment',
  'tooLong',
] as const;
export type BaseUrlProblem = (typeof baseUrlProblems)[number];

type BaseUrlResult =
  /** `baseUrl` has no trailing slash; `origin` is what a key is bound to. */
  | { readonly ok: true; readonly baseUrl: string; readonly origin: string }
  | { readonly ok: false; readonly why: BaseUrlProblem };

const maxLength = 2048;
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads the address of a service: https, or plain http where the host, once normalised, is exactly this machine.
 * What URL would silently repair or ignore (backslashes, blanks, user names) is refused: it is how one host poses as another.
 */
export function parseBaseUrl(text: string): BaseUrlResult {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, why: 'empty' };
  if (trimmed.length > maxLength) return { ok: false, why: 'tooLong' };
  const url = parseUrl(trimmed);
  if (!url) return { ok: false, why: 'notUrl' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, why: 'scheme' };
  if (!/^https?:\/\/[^/]/i.test(trimmed)) return { ok: false, why: 'notUrl' };
  // On the text, for URL drops an empty user name, query or fragment without a trace.
  if (/[?#]/.test(trimmed)) return { ok: false, why: 'queryOrFragment' };
  if (/^[^/]*\/\/[^/]*@/.test(trimmed)) return { ok: false, why: 'credentials' };
  if (url.protocol === 'http:' && !isLoopback(url)) return { ok: false, why: 'plainHttp' };
  return { ok: true, baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
}

/** Whether a key that was entered for one address may go to the other. */
export function isSameOrigin(one: string, other: string): boolean {
  const [a, b] = [parseBaseUrl(one), parseBaseUrl(other)];
  return a.ok && b.ok && a.origin === b.origin;
}

/** Whether the host is exactly this machine: names that merely resolve to it, or end in its name, are not. */
export function isLoopback(url: URL): boolean {
  return loopbackHosts.includes(url.hostname);
}

function parseUrl(text: string): URL | undefined {
  return /[\s\\]|\p{C}/u.test(text) || !URL.canParse(text) ? undefined : new URL(text);
}
