import type { AxiosResponse } from 'axios';
import { isKeyName, isKeyText } from '../../core/savedQueries/keyLike.ts';
import type { RequestTrace } from '../../shared/result.ts';
import type { CompletedRequest } from './requestLog.ts';
import { redactKey } from '../connections/redact.ts';
import { parseBaseUrl } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';

/** A request as it was sent; the caller adds its hours. */
export type WireTrace = Omit<RequestTrace, 'start' | 'end'>;

/** Headers that hold, or may hold, credentials. */
const secretHeaders =
  /^(?:set-cookie2?|cookie|proxy-auth.*|authentication-info|x-auth.*)$|api[-_]?key|access[-_]?key|session/i;

/** Creates the displayed trace of a request. The key is passed only to be redacted, since the service may echo it. */
export function createTrace(
  response: AxiosResponse<unknown>,
  { baseUrl }: Pick<RequestTarget, 'baseUrl'>,
  { path, query, sentAt, headAt, ms, bytes, attempt }: CompletedRequest,
  key: string,
): WireTrace {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  const url = `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
  const headers = Object.entries(response.headers)
    .map(([name, value]) => [redactKey(name.toLowerCase(), key), redactKey(String(value), key)] as const)
    .filter(([name, value]) => !secretHeaders.test(name) && !isKeyName(name) && !isKeyText(value));
  return {
    url: redactKey(url, key),
    status: response.status,
    headers: headers.sort(([a], [b]) => (a < b ? -1 : 1)),
    sentAt,
    firstByteMs: Math.max(0, headAt - sentAt),
    totalMs: ms,
    bytes,
    attempt,
  };
}

/** The checked address of a request. */
export interface RequestTarget {
  readonly baseUrl: string;
  readonly origin: string;
  /** Set for plain http to "localhost", which must resolve to this machine. */
  readonly lookup?: typeof lookUpLoopback;
}

/**
 * Checks that base URL and path together stay on the base URL's own origin and below its path.
 * Throws a GridError: noConnection for a base URL that no key may be sent to, badRequest for a path that leads away.
 */
export function resolveTarget(baseUrl: string, path: string): RequestTarget {
  const base = parseBaseUrl(baseUrl);
  if (!base.ok) throw new GridError('noConnection', { detail: `base URL: ${base.problem}`, requestsSpent: 0 });
  if (!/^\/(?!\/)[^\s\\?#]*$/.test(path) || /\p{C}/u.test(path)) throw createPathError();
  const url = new URL(base.baseUrl + path);
  if (url.origin !== base.origin || !url.href.startsWith(`${base.baseUrl}/`)) throw createPathError();
  const isLocal = url.protocol === 'http:' && url.hostname === 'localhost';
  return { baseUrl: base.baseUrl, origin: base.origin, ...(isLocal && { lookup: lookUpLoopback }) };
}

function createPathError(): GridError {
  return new GridError('badRequest', { detail: 'the path leads away from the base URL', requestsSpent: 0 });
}

/** Resolves any name to this machine, since a hosts file may map "localhost" elsewhere. */
function lookUpLoopback(
  _hostname: string,
  _options: object,
  done: (error: null, addresses: { address: string; family: 4 | 6 }[]) => void,
): void {
  done(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
}
