import * as v from 'valibot';
import { compareNumber, parse } from 'lossless-json';
import { tableLimits } from '../../shared/tableLimits.ts';
import { TableLimitError } from '../errors.ts';

/** A JSON number that no double represents; `text` is the number as received. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: 'not JSON' | 'nested too deep' | `not JSON at character ${string}` };

/**
 * A double represents any number of at most 15 digits, unless its exponent has three digits or more. So the text is searched for such
 * exponents, and for longer runs of digits and points by looking at every 16th character.
 */
const longest = 15;
const bigExponent = /\d[eE][+-]?\d{3}/;
const allNumbers = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE][+-]?\d{3,}/g;

/**
 * A name with an escape in it. V8 13 compares the name that it expects, from objects parsed before, with text that is not unescaped yet:
 * once some object had a backslash as a name, JSON.parse mistakes the name "\n" for it.
 */
const escapedName = /\\.[^"\\]{0,1000}"\s*:/;

/**
 * Parses a JSON text as JSON.parse does, except that a number which a double would change becomes an ExactNumber. `why` never quotes the
 * text, which could hold a secret. Exact parsing takes several times as long: `isWorthIt` gets the result of JSON.parse, and returns
 * false where that will do.
 */
export function parseJson(text: string, isWorthIt?: (rounded: unknown) => boolean): JsonResult {
  try {
    // A backslash is looked for first, which is fast: most answers have none.
    const isExact = (text.includes('\\') && escapedName.test(text)) || needsExactNumbers(text);
    if (isExact && !isWorthIt) return { ok: true, value: parseExact(text) };
    const value: unknown = JSON.parse(text);
    return { ok: true, value: isExact && isWorthIt?.(value) ? parseExact(text) : value };
  } catch (error) {
    // Only the exact parser is recursive.
    if (error instanceof RangeError) return { ok: false, why: 'nested too deep' };
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return { ok: false, why: position === undefined ? 'not JSON' : `not JSON at character ${position}` };
  }
}

function needsExactNumbers(text: string): boolean {
  if (!bigExponent.test(text)) return hasLongNumber(text);
  for (const [token] of text.matchAll(allNumbers)) if (!survives(token)) return true;
  return false;
}

/** Whether a double changes a number of many digits. The digits may be part of a string: the text is then parsed exactly for nothing. */
function hasLongNumber(text: string): boolean {
  for (let at = longest; at < text.length; at += longest + 1) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    let [start, end] = [at, at + 1];
    while (start > 0 && isDigitOrPoint(text.charCodeAt(start - 1))) start--;
    while (isDigitOrPoint(text.charCodeAt(end))) end++;
    while (text[start] === '.') start++;
    if (end - start > longest && !survives(text.slice(start, exponentEnd(text, end)))) return true;
    at = Math.max(at, end - longest - 1);
  }
  return false;
}

/** Where a number ends whose digits end at `end`, its exponent included. */
function exponentEnd(text: string, end: number): number {
  const letter = text[end];
  if (letter !== 'e' && letter !== 'E') return end;
  return end + (/^[eE][+-]?\d+/.exec(text.slice(end, end + longest))?.[0].length ?? 0);
}

function isDigitOrPoint(code: number): boolean {
  return code >= 46 && code <= 57 && code !== 47;
}

function parseExact(text: string): unknown {
  return parse(text, null, {
    parseNumber: token => (survives(token) ? Number(token) : new ExactNumber(token)),
    // As in JSON.parse, the last one counts.
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

function survives(token: string): boolean {
  const value = Number(token);
  // The usual spelling of a double.
  if (String(value) === token) return true;
  return Number.isFinite(value) && compareNumber(token, String(value)) === 0;
}

/**
 * JSON text of a parsed value, with exact numbers as their own digits, which JSON.stringify cannot write. Throws TableLimitError where it
 * is nested too deep: well before the stack overflows, whose size differs between threads.
 */
export function jsonText(value: unknown, depth = 0): string {
  if (depth > tableLimits.nesting) throw new TableLimitError('nestedTooDeep');
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(item => jsonText(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${jsonText(member, depth + 1)}`,
    );
    return `{${members.join(',')}}`;
  }
  // JSON.stringify writes -0 as 0, without the sign that was received.
  if (Object.is(value, -0)) return '-0';
  return JSON.stringify(value);
}

/** The value of a JSON text that matches the schema; undefined for any other text. */
export function readableJson<T>(text: string, schema: v.GenericSchema<unknown, T>): T | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** The entries of a stored object that match the schema; invalid ones are left out. */
export function readableEntries<T>(stored: unknown, schema: v.GenericSchema<T>): Readonly<Record<string, T>> {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, T] => v.is(schema, entry[1])));
}
