import * as v from 'valibot';
import { compareNumber, parse } from 'lossless-json';
import { tableLimits } from '../../shared/tableLimits.ts';
import { TableLimitError } from '../errors.ts';

/** A JSON number that no double represents exactly. `text` is the number as received. */
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
 * A double represents any number of at most 15 digits, unless its exponent has three digits or more. Therefore the text is searched for such
 * exponents, and for longer runs of digits and points, for which checking every 16th character is enough.
 */
const maxExactDigits = 15;
const bigExponentPattern = /\d[eE][+-]?\d{3}/;
const longNumberPattern = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE][+-]?\d{3,}/g;

/**
 * Matches a name with an escape. V8 13 compares the names of objects parsed earlier with text that is not unescaped yet: after an object
 * with a backslash as a name, JSON.parse mistakes the name "\n" for a backslash.
 */
const escapedNamePattern = /\\.[^"\\]{0,1000}"\s*:/;

/**
 * Parses a JSON text as JSON.parse does, except that a number which a double would change becomes an ExactNumber. `why` never quotes the
 * text, which could contain a secret. Because exact parsing takes several times as long, `needsExactNumbersIn` gets the result of JSON.parse
 * and returns false if that is sufficient.
 */
export function parseJson(text: string, needsExactNumbersIn?: (rounded: unknown) => boolean): JsonResult {
  try {
    // The backslash is searched first, which is fast, since most responses have none.
    const isExact = (text.includes('\\') && escapedNamePattern.test(text)) || needsExactNumbers(text);
    if (isExact && !needsExactNumbersIn) return { ok: true, value: parseExact(text) };
    const value: unknown = JSON.parse(text);
    return { ok: true, value: isExact && needsExactNumbersIn?.(value) ? parseExact(text) : value };
  } catch (error) {
    // Only the exact parser is recursive.
    if (error instanceof RangeError) return { ok: false, why: 'nested too deep' };
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return { ok: false, why: position === undefined ? 'not JSON' : `not JSON at character ${position}` };
  }
}

function needsExactNumbers(text: string): boolean {
  if (!bigExponentPattern.test(text)) return hasLongNumber(text);
  for (const [token] of text.matchAll(longNumberPattern)) if (!isExactDouble(token)) return true;
  return false;
}

/** Whether a double would change a number of many digits. Digits in a string also count, and only cause an unnecessary exact parse. */
function hasLongNumber(text: string): boolean {
  for (let position = maxExactDigits; position < text.length; position += maxExactDigits + 1) {
    if (!isDigitOrPoint(text.charCodeAt(position))) continue;
    let start = position;
    let end = position + 1;
    while (start > 0 && isDigitOrPoint(text.charCodeAt(start - 1))) start--;
    while (isDigitOrPoint(text.charCodeAt(end))) end++;
    while (text[start] === '.') start++;
    if (end - start > maxExactDigits && !isExactDouble(text.slice(start, findExponentEnd(text, end)))) return true;
    position = Math.max(position, end - maxExactDigits - 1);
  }
  return false;
}

/** Returns the end of a number including its exponent, given the end of its digits. */
function findExponentEnd(text: string, end: number): number {
  const letter = text[end];
  if (letter !== 'e' && letter !== 'E') return end;
  return end + (/^[eE][+-]?\d+/.exec(text.slice(end, end + maxExactDigits))?.[0].length ?? 0);
}

function isDigitOrPoint(code: number): boolean {
  return code >= 46 && code <= 57 && code !== 47;
}

function parseExact(text: string): unknown {
  return parse(text, null, {
    parseNumber: token => (isExactDouble(token) ? Number(token) : new ExactNumber(token)),
    // Uses the last value of a duplicate key, like JSON.parse.
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

function isExactDouble(token: string): boolean {
  const value = Number(token);
  // Most numbers are written exactly as JavaScript formats them.
  if (String(value) === token) return true;
  return Number.isFinite(value) && compareNumber(token, String(value)) === 0;
}

/**
 * Serializes a parsed value, with the digits of exact numbers as received, which JSON.stringify can't do. Throws TableLimitError for deep
 * nesting, well before the stack could overflow, whose size differs between threads.
 */
export function serializeJson(value: unknown, depth = 0): string {
  if (depth > tableLimits.nesting) throw new TableLimitError('nestedTooDeep');
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(item => serializeJson(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${serializeJson(member, depth + 1)}`,
    );
    return `{${members.join(',')}}`;
  }
  // JSON.stringify would drop the sign of -0.
  if (Object.is(value, -0)) return '-0';
  return JSON.stringify(value);
}

/** Parses a stored JSON text. Returns undefined if it isn't JSON or doesn't match the schema. */
export function parseStoredJson<T>(text: string, schema: v.GenericSchema<unknown, T>): T | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the entries of a stored object that match the schema. */
export function filterValidEntries<T>(stored: unknown, schema: v.GenericSchema<T>): Readonly<Record<string, T>> {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, T] => v.is(schema, entry[1])));
}
