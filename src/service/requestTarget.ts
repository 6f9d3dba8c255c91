import { parseBaseUrl } from '../core/baseUrl.ts';
import { GridError } from '../core/errors.ts';

/** Where a request goes, checked. */
export interface RequestTarget {
  readonly baseUrl: string;
  readonly origin: string;
  /** Plain http to the name "localhost": the name must not be resolved by anything but us. */
  readonly pinLoopback: boolean;
}

/**
 * Checks that base URL and path together stay on the base URL's own origin and below its path.
 * Throws a GridError: noConnection for a base URL no key may go to, badRequest for a path that leads away.
 */
export function requestTarget(baseUrl: string, path: string): RequestTarget {
  const base = parseBaseUrl(baseUrl);
  if (!base.ok) throw new GridError('noConnection', { detail: `base URL: ${base.why}`, requestsSpent: 0 });
  if (!/^\/(?!\/)[^\s\\?#]*$/.test(path) || /\p{C}/u.test(path)) throw leadsAway();
  const url = new URL(base.baseUrl + path);
  if (url.origin !== base.origin || !url.href.startsWith(`${base.baseUrl}/`)) throw leadsAway();
  return {
    baseUrl: base.baseUrl,
    origin: base.origin,
    pinLoopback: url.protocol === 'http:' && url.hostname === 'localhost',
  };
}

function leadsAway(): GridError {
  return new GridError('badRequest', { detail: 'the path leads away from the base URL', requestsSpent: 0 });
}
