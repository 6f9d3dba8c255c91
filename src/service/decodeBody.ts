import type { FailureDetail } from '../core/failureDetails.ts';
import { parseJson } from '../core/json.ts';
import { redactKey } from './redact.ts';

export type DecodedBody =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | { readonly ok: false; readonly why: FailureDetail | `${FailureDetail} at character ${string}` };

/**
 * Bytes to text and JSON value, strictly: an HTML page, an empty body, half a gzip stream or a broken character
 * all come with status 200 and without an error from the HTTP library.
 */
export function decodeBody(bytes: Uint8Array, key: string): DecodedBody {
  const received = decodeUtf8(bytes);
  // A service that repeats the key would put it into tables, files and pages.
  const text = received?.includes(key) ? redactKey(received, key) : received;
  if (text === undefined) return { ok: false, why: 'the answer is not UTF-8 text' };
  if (text.trim() === '') return { ok: false, why: 'the answer is empty' };
  const json = parseJson(text);
  return json.ok ? { ok: true, text, value: json.value } : { ok: false, why: `the answer is ${json.why}` };
}

/** Without a byte order mark; undefined where a byte sequence is no character. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
