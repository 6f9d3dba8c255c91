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

export type BaseUrlResult =
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
