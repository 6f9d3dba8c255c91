import { beginningOf } from '../../core/decode/beginning.ts';
import type { JsonObject } from '../../core/decode/envelope.ts';
import type { Steps } from '../../core/time/steps.ts';
import { redactKeySteps } from '../connections/redact.ts';

/** More rows than fit on any screen, and few enough to be read and sent in no time. */
const headRows = 200;
/** In a shorter body than so many times the head, the rest is there as soon. */
const worthIt = 10;
/** Rows of more than 1.3 kB are not read ahead. */
const mostBytes = 256 * 1024;
/** Bytes of white space at either end that are looked past. */
const mostSpace = 1024;
const [openList, closeList, open, close] = [91, 93, 123, 125];

/**
 * The first rows of a long body, read before the rest of it. Undefined for a short body, one that is cut off, one in which the key
 * stands among these rows (the whole is shown without it), and one whose rows are not clear from its beginning. In steps
 * of a few milliseconds: what many escapes hide takes ten times as long to look through.
 */
export function* firstRecordsSteps(bytes: Uint8Array, key: string): Steps<readonly JsonObject[] | undefined> {
  if (!isClosed(bytes)) return undefined;
  const text = textOf(bytes.subarray(0, mostBytes));
  const beginning = text === undefined ? undefined : beginningOf(text, headRows);
  if (text === undefined || !beginning || beginning.end * worthIt > bytes.length) return undefined;
  yield;
  // A key that begins in the last of them and ends behind counts too.
  const head = text.slice(0, beginning.end + key.length);
  return (yield* redactKeySteps(head, key)) === head ? beginning.records : undefined;
}

/** Whether the last bracket may close the first: most bodies that are cut off end elsewhere. */
function isClosed(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, mostSpace).find(code => code === openList || code === open);
  return bytes.subarray(-mostSpace).findLast(code => code > 32) === (first === open ? close : closeList);
}

/** Characters that the cut goes through are left out. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
