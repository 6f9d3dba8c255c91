import { decode, type Decoded } from '../../core/decode/decode.ts';
import { isObject } from '../../core/decode/envelope.ts';
import type { FailureDetail } from '../../core/errors.ts';
import { parseJson } from '../../core/json/json.ts';
import type { TableProblem } from '../../shared/tableLimits.ts';
import { redactKey } from '../connections/redact.ts';

/** The content of the bodies of a response. */
export type ResponseContent =
  | {
      readonly ok: true;
      readonly decoded: Decoded;
      /** The link to the page after the last body. */
      readonly next: NextLink;
      /** The last body with the key removed; undefined if the key was not in it. */
      readonly cleaned?: Uint8Array;
    }
  | Extract<DecodedBody, { ok: false }>;

/** The link to the next page; `null` if there is none, `false` if it is not a string or too long. */
export type NextLink = string | null | false;

const maxLinkLength = 10_000;

/** Reads the pages of a response as one table of at most `maxCells` cells. Takes seconds for many megabytes, and for millions of cells. */
export function readResponse(bodies: readonly Uint8Array[], key: string, maxCells?: number): ResponseContent {
  const values: unknown[] = [];
  let next: NextLink = null;
  let cleaned: Uint8Array | undefined;
  let problem: Decoded['problem'];
  for (const body of bodies) {
    const page = decodeResponseBody(body, key, maxCells);
    if (!page.ok) return page;
    values.push(page.value);
    next = readNextLink(page.value);
    cleaned = page.isRedacted ? Buffer.from(page.text) : undefined;
    problem ??= page.problem;
  }
  const decoded = problem ? { frame: undefined, problem, meta: {} } : decode(values, maxCells);
  return { ok: true, decoded, next, ...(cleaned && { cleaned }) };
}

/** Reads the `next` of Django REST framework. */
export function readNextLink(body: unknown): NextLink {
  const link = isObject(body) ? body['next'] : undefined;
  if (link == null || link === '' || link === false) return null;
  return typeof link === 'string' && link.length <= maxLinkLength ? link : false;
}

type DecodedBody =
  | {
      readonly ok: true;
      readonly text: string;
      /** Whether the key was in the bytes and was removed from the text. */
      readonly isRedacted: boolean;
      /** Undefined if it is nested too deep; its numbers are rounded if there is another `problem`. */
      readonly value: unknown;
      readonly problem?: TableProblem;
    }
  | { readonly ok: false; readonly why: FailureDetail | `${FailureDetail} at character ${string}` };

/**
 * Decodes bytes to text and JSON, strictly: an HTML page, an empty body, half a gzip stream or a broken character may all come with status 200
 * and without an error of the HTTP library. `maxCells` limits the table.
 */
export function decodeResponseBody(bytes: Uint8Array, key: string, maxCells?: number): DecodedBody {
  const received = decodeUtf8(bytes);
  if (received === undefined) return { ok: false, why: 'the response is not UTF-8 text' };
  // A service may echo the key, which must not get into tables, files and pages.
  const text = redactKey(received, key);
  if (text.trim() === '') return { ok: false, why: 'the response is empty' };
  const isRedacted = text !== received;
  let problem: TableProblem | undefined;
  const json = parseJson(text, rounded => {
    const tableProblem = decode([rounded], maxCells).problem;
    if (tableProblem !== 'notRecords') problem = tableProblem;
    return problem === undefined;
  });
  if (json.ok) return { ok: true, text, isRedacted, value: json.value, ...(problem && { problem }) };
  if (json.why === 'nested too deep') return { ok: true, text, isRedacted, value: undefined, problem: 'nestedTooDeep' };
  return { ok: false, why: `the response is ${json.why}` };
}

/** Decodes UTF-8 without its byte order mark; undefined if a byte sequence is invalid. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
