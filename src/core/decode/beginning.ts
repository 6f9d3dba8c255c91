import { parseJson } from '../json/json.ts';
import { isObject, type JsonObject } from './envelope.ts';

/** The first records of a body, and the offset at which they end in its text. */
interface Beginning {
  readonly records: readonly JsonObject[];
  readonly end: number;
}

const space = /[ \t\n\r]*/y;
const key = /"(?:[^"\\]|\\.)*"/y;
const scalar = /[^\s,:"[\]{}]+/y;
/** The name that takes precedence over all others that may hold the rows (see envelope.ts): what follows it doesn't matter. */
const rowsName = '"data"';

/**
 * The first `count` records of a JSON text that may be incomplete: of an array of objects, alone or under `data`. Undefined where there
 * are fewer, where the rows are elsewhere, and in any case of doubt. Later rows may still change the meaning of these (one that is not an
 * object; a string in a column of numbers), so they are only a preview of the answer.
 */
export function beginningOf(text: string, count: number): Beginning | undefined {
  const start = rowsStart(text);
  if (start === undefined) return undefined;
  let at = start;
  for (let found = 0; found < count; found++) {
    if (found > 0) {
      at = after(space, text, at);
      if (text[at] !== ',') return undefined;
      at = after(space, text, at + 1);
    }
    const end = text[at] === '{' ? nestedEnd(text, at) : undefined;
    if (end === undefined) return undefined;
    at = end;
  }
  const json = parseJson(`[${text.slice(start, at)}]`);
  if (!json.ok || !Array.isArray(json.value) || json.value.length !== count || !json.value.every(isObject))
    return undefined;
  return { records: json.value, end: at };
}

/** The offset of the first record. */
function rowsStart(text: string): number | undefined {
  let at = after(space, text, 0);
  if (text[at] === '[') return after(space, text, at + 1);
  if (text[at] !== '{') return undefined;
  for (;;) {
    const name = after(space, text, at + 1);
    const nameEnd = after(key, text, name);
    const colon = after(space, text, nameEnd);
    if (nameEnd === name || text[colon] !== ':') return undefined;
    const value = after(space, text, colon + 1);
    if (text.slice(name, nameEnd) === rowsName) return text[value] === '[' ? after(space, text, value + 1) : undefined;
    const end = valueEnd(text, value);
    if (end === undefined) return undefined;
    at = after(space, text, end);
    if (text[at] !== ',') return undefined;
  }
}

function valueEnd(text: string, at: number): number | undefined {
  const first = text[at];
  if (first === '{' || first === '[') return nestedEnd(text, at);
  const end = after(first === '"' ? key : scalar, text, at);
  return end === at ? undefined : end;
}

const [quote, backslash, openList, closeList, open, close] = [34, 92, 91, 93, 123, 125];

/** The offset after the bracket that closes the one at `at`, ignoring brackets in strings; undefined where the text ends before. */
function nestedEnd(text: string, at: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let place = at; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (inString) {
      if (code === backslash) place++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === open || code === openList) depth++;
    else if ((code === close || code === closeList) && --depth === 0) return place + 1;
  }
  return undefined;
}

/** The offset after the match of a sticky pattern at `at`; `at` itself without a match. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
