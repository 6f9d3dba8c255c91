import type { AxiosResponse } from 'axios';
import { isKeyName, isKeyText } from '../core/saved/keyLike.ts';
import type { RequestTrace } from '../shared/result.ts';
import type { AnsweredRequest } from './attempt.ts';
import { redactKey } from './redact.ts';
import type { RequestTarget } from './requestTarget.ts';

/** A request as it went over the wire; which hours it was for, knows who asked. */
export type WireTrace = Omit<RequestTrace, 'start' | 'end'>;

/** Headers that hold, or may hold, what lets somebody in. */
const secretHeaders =
  /^(?:set-cookie2?|cookie|proxy-auth.*|authentication-info|x-auth.*)$|api[-_]?key|access[-_]?key|session/i;

/** What can be told of an answered request. The key is given only to be taken out, wherever the service repeats it. */
export function traceOf(
  response: AxiosResponse<unknown>,
  { baseUrl }: Pick<RequestTarget, 'baseUrl'>,
  { path, query, sentAt, headAt, ms, bytes, attempt }: AnsweredRequest,
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
    ...{ sentAt, firstByteMs: Math.max(0, headAt - sentAt), totalMs: ms, bytes, attempt },
  };
}
