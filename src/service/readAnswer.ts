import { decode, type Decoded } from '../core/decode/decode.ts';
import { isObject } from '../core/decode/envelope.ts';
import { decodeBody, type DecodedBody } from './decodeBody.ts';

/** What the bodies of an answer say. */
export type ReadAnswer =
  | {
      readonly ok: true;
      readonly decoded: Decoded;
      /** The link to the page after the last of them. */
      readonly next: NextLink;
      /** The last body, where it is not kept as it came: the key stood in it. */
      readonly cleaned?: Uint8Array;
    }
  | Extract<DecodedBody, { ok: false }>;

/** A page's link to the next; `null` where there is none, `false` for one that is no text or too long for one. */
export type NextLink = string | null | false;

const longestLink = 10_000;

/** Reads the pages of an answer as one table, of at most `mostCells` cells. Takes seconds for many megabytes, and for millions of cells. */
export function readAnswer(bodies: readonly Uint8Array[], key: string, mostCells?: number): ReadAnswer {
  const values: unknown[] = [];
  let next: NextLink = null;
  let cleaned: Uint8Array | undefined;
  let problem: Decoded['problem'];
  for (const body of bodies) {
    const page = decodeBody(body, key, mostCells);
    if (!page.ok) return page;
    values.push(page.value);
    next = nextLink(page.value);
    cleaned = page.isRedacted ? Buffer.from(page.text) : undefined;
    problem ??= page.problem;
  }
  const decoded = problem ? { frame: undefined, problem, meta: {} } : decode(values, mostCells);
  return { ok: true, decoded, next, ...(cleaned && { cleaned }) };
}

/** The `next` of Django REST framework. */
export function nextLink(body: unknown): NextLink {
  const link = isObject(body) ? body['next'] : undefined;
  if (link == null || link === '' || link === false) return null;
  return typeof link === 'string' && link.length <= longestLink ? link : false;
}
