import { beginningOf } from '../../core/decode/beginning.ts';
import type { JsonObject } from '../../core/decode/envelope.ts';
import type { Steps } from '../../core/time/steps.ts';
import { redactKeySteps } from '../connections/redact.ts';

/** More rows than fit on any screen, and few enough to be read and sent at once. */
const headRows = 200;
/** A body that is less than so many times as long as its head is read as soon. */
const leastRatio = 10;
/** Rows of more than 1.3 kB are not read ahead. */
const mostBytes = 256 * 1024;
/** Bytes of white space at either end that are skipped. */
const mostSpace = 1024;
const [openList, closeList, open, close] = [91, 93, 123, 125];

/**
 * The first rows of a long body, read before the rest of it. Undefined for a body that is short, cut off, has the key among
 * these rows (it is redacted in the whole), or whose rows cannot be told from its beginning. In steps of a few
 * milliseconds: text with many escapes takes ten times as long to search.
 */
export function* firstRecordsSteps(bytes: Uint8Array, key: string): Steps<readonly JsonObject[] | undefined> {
  if (!isClosed(bytes)) return undefined;
  const text = textOf(bytes.subarray(0, mostBytes));
  const beginning = text === undefined ? undefined : beginningOf(text, headRows);
  if (text === undefined || !beginning || beginning.end * leastRatio > bytes.length) return undefined;
  yield;
  // A key that begins in the last row and ends after it counts, too.
  const head = text.slice(0, beginning.end + key.length);
  return (yield* redactKeySteps(head, key)) === head ? beginning.records : undefined;
}

/** Whether the last bracket may close the first: few bodies that are cut off end so. */
function isClosed(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, mostSpace).find(code => code === openList || code === open);
  return bytes.subarray(-mostSpace).findLast(code => code > 32) === (first === open ? close : closeList);
}

/** Without a character that is cut in two at the end. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
