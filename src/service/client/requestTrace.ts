import type { AxiosResponse } from 'axios';
import { isKeyName, isKeyText } from '../../core/savedQueries/keyLike.ts';
import type { RequestTrace } from '../../shared/result.ts';
import type { CompletedRequest } from './requestLog.ts';
import { redactKey } from '../connections/redact.ts';
import { parseBaseUrl } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';

/** The trace of a sent request, without its range of hours, which the caller adds. */
export type WireTrace = Omit<RequestTrace, 'start' | 'end'>;

/** Matches headers that may contain credentials. */
const secretHeaders =
  /^(?:set-cookie2?|cookie|proxy-auth.*|authentication-info|x-auth.*)$|api[-_]?key|access[-_]?key|session/i;

/** Creates the trace that the user can see. It must not contain the key, so `key` is redacted wherever the service returns it. */
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

/** The address of a request after it was checked. */
export interface RequestTarget {
  readonly baseUrl: string;
  readonly origin: string;
  /** Set for http: to "localhost", so that the name resolves to this machine. */
  readonly lookup?: typeof lookUpLoopback;
}

/**
 * Checks that the URL of base URL and path has the origin of the base URL and is below its path. Throws a GridError: `noConnection` if the
 * key must not be sent to the base URL, and `badRequest` if the path leads away from it.
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

/** Resolves every name to this machine. A hosts file could map "localhost" to another one. */
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
