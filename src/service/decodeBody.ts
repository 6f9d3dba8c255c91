import { decode } from '../core/decode/decode.ts';
import type { FailureDetail } from '../core/failureDetails.ts';
import { parseJson } from '../core/json.ts';
import type { TableProblem } from '../shared/tableLimits.ts';
import { redactKey } from './redact.ts';

export type DecodedBody =
  | {
      readonly ok: true;
      readonly text: string;
      /** The text is not that of the bytes: the key stood there. */
      readonly isRedacted: boolean;
      /** Undefined where it is nested too deep; its numbers are rounded where there is another `problem`. */
      readonly value: unknown;
      readonly problem?: TableProblem;
    }
  | { readonly ok: false; readonly why: FailureDetail | `${FailureDetail} at character ${string}` };

/**
 * Bytes to text and JSON value, strictly: an HTML page, an empty body, half a gzip stream or a broken character
 * all come with status 200 and without an error from the HTTP library. `mostCells`: of the table that is made of it.
 */
export function decodeBody(bytes: Uint8Array, key: string, mostCells?: number): DecodedBody {
  const received = decodeUtf8(bytes);
  if (received === undefined) return { ok: false, why: 'the answer is not UTF-8 text' };
  // A service that repeats the key would put it into tables, files and pages.
  const text = redactKey(received, key);
  if (text.trim() === '') return { ok: false, why: 'the answer is empty' };
  const isRedacted = text !== received;
  let problem: TableProblem | undefined;
  const json = parseJson(text, rounded => {
    const found = decode([rounded], mostCells).problem;
    if (found !== 'notRecords') problem = found;
    return problem === undefined;
  });
  if (json.ok) return { ok: true, text, isRedacted, value: json.value, ...(problem && { problem }) };
  if (json.why === 'nested too deep') return { ok: true, text, isRedacted, value: undefined, problem: 'nestedTooDeep' };
  return { ok: false, why: `the answer is ${json.why}` };
}

/** Without a byte order mark; undefined where a byte sequence is no character. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
