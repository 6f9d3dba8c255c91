import * as v from 'valibot';

/** The state of a key after the last response. `rejected` stands for status 401, `forbidden` for 403. */
const connectionStates = ['unchecked', 'works', 'rejected', 'forbidden'] as const;
export type ConnectionState = (typeof connectionStates)[number];

export const limitSchema = v.object({
  requests: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
  seconds: v.pipe(v.number(), v.minValue(1), v.maxValue(86_400)),
});

/** A connection to a service. The secret store has its key, bound to the origin of the service. */
export const connectionSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty()),
  /** `sandbox` is the embedded service. Its address is known only while it runs. */
  service: v.picklist(['sandbox', 'powerSignals', 'other']),
  /** Base URL without a trailing slash; empty for the sandbox. */
  baseUrl: v.string(),
  /** The part of the key that may be displayed. */
  keyPrefix: v.string(),
  state: v.picklist(connectionStates),
  /** For a sandbox that the user added by its URL: the kind of data according to the last response. */
  data: v.optional(v.picklist(['synthetic', 'replay'])),
  /** Limits that the provider grants beyond its documented limits, by scope. */
  limits: v.optional(v.record(v.string(), limitSchema)),
});
export type Connection = v.InferOutput<typeof connectionSchema>;

/**
 * Creates a placeholder for the connection of a link, for use when there is no connection. It has no archived rows, and no request
 * is sent.
 */
export function createAbsentConnection(name: string): Connection {
  // The name is limited, since a link may contain a name of any length.
  return { id: 'absent', name: name.slice(0, 100), service: 'other', baseUrl: '', keyPrefix: '', state: 'unchecked' };
}

export function isAbsent({ id }: Pick<Connection, 'id'>): boolean {
  return id === 'absent';
}

/** Returns whether the connection's rows are generated or replayed; undefined for a real service. */
export function getConnectionData({ service, data }: Pick<Connection, 'service' | 'data'>): Connection['data'] {
  return service === 'sandbox' ? 'synthetic' : data;
}

/** Whether the service has a page for creating keys. Of the services added by URL, only a local sandbox has one. */
export function hasDashboard({ service, baseUrl, data }: Pick<Connection, 'service' | 'baseUrl' | 'data'>): boolean {
  return service !== 'other' || (data !== undefined && isLoopback(new URL(baseUrl)));
}

/** The service that users can select by name. They create keys at `dashboard`. */
export const powerSignals = {
  name: 'Power Signals',
  baseUrl: 'https://api.powersignals.co.za',
  dashboard: 'https://powersignals.co.za',
} as const;

/** Why a text is not a valid API key. The host has a message for each. */
export const keyProblems = ['empty', 'tooShort', 'tooLong', 'characters'] as const;
export type KeyProblem = (typeof keyProblems)[number];

type KeyResult = { readonly ok: true; readonly key: string } | { readonly ok: false; readonly problem: KeyProblem };

/** Trims a pasted key and checks that it is a valid header value. An HTTP library would silently change an invalid one. */
export function normalizeKey(text: string): KeyResult {
  const key = text.trim();
  if (key === '') return { ok: false, problem: 'empty' };
  if (!/^[\x21-\x7e]+$/.test(key)) return { ok: false, problem: 'characters' };
  if (key.length < 8) return { ok: false, problem: 'tooShort' };
  if (key.length > 256) return { ok: false, problem: 'tooLong' };
  return { ok: true, key };
}

/** Returns the part of a key that may be displayed, such as "ps_live_3f8a…": its public segments and four more characters, but at most a third of the key. */
export function getKeyPrefix(key: string): string {
  const segments = /^(?:[A-Za-z0-9]{1,12}_){0,2}/.exec(key)?.[0] ?? '';
  return `${key.slice(0, Math.min(segments.length + 4, Math.floor(key.length / 3)))}…`;
}

/** Why a text is not a valid base URL. The host has a message for each. */
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
  /** `baseUrl` has no trailing slash; a key is bound to `origin`. */
  | { readonly ok: true; readonly baseUrl: string; readonly origin: string }
  | { readonly ok: false; readonly problem: BaseUrlProblem };

const maxLength = 2048;
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Parses the base URL of a service. Accepts https, and http only for this machine. Rejects backslashes, spaces and user names: `URL`
 * silently repairs or ignores them, so they can disguise the host.
 */
export function parseBaseUrl(text: string): BaseUrlResult {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, problem: 'empty' };
  if (trimmed.length > maxLength) return { ok: false, problem: 'tooLong' };
  const isUrl = !/[\s\\]|\p{C}/u.test(trimmed) && URL.canParse(trimmed);
  const url = isUrl ? new URL(trimmed) : undefined;
  if (!url) return { ok: false, problem: 'notUrl' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'scheme' };
  if (!/^https?:\/\/[^/]/i.test(trimmed)) return { ok: false, problem: 'notUrl' };
  // Tests the text, because `URL` drops an empty query, fragment or user name.
  if (/[?#]/.test(trimmed)) return { ok: false, problem: 'queryOrFragment' };
  if (/^[^/]*\/\/[^/]*@/.test(trimmed)) return { ok: false, problem: 'credentials' };
  if (url.protocol === 'http:' && !isLoopback(url)) return { ok: false, problem: 'plainHttp' };
  return { ok: true, baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
}

/** Whether a key that was entered for one URL may be sent to the second URL. */
export function isSameOrigin(first: string, second: string): boolean {
  const a = parseBaseUrl(first);
  const b = parseBaseUrl(second);
  return a.ok && b.ok && a.origin === b.origin;
}

/** Whether the host is a loopback address or "localhost". Other names that resolve to this machine do not count. */
export function isLoopback(url: URL): boolean {
  return loopbackHosts.includes(url.hostname);
}
