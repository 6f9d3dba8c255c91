import { compareNumber, parse } from 'lossless-json';

/** A JSON number that no double holds; `text` is the number as it came. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type JsonResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

// Any other number has at most 15 digits and an exponent below 100: a double always gives those back.
const longNumbers = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE][+-]?\d{3,}/g;

/**
 * Reads a JSON text as JSON.parse does, except that a number which a double would change becomes an ExactNumber.
 * `why` never quotes the text: it could hold a secret.
 */
export function parseJson(text: string): JsonResult {
  try {
    return { ok: true, value: needsExactNumbers(text) ? parseExact(text) : (JSON.parse(text) as unknown) };
  } catch (error) {
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return { ok: false, why: position === undefined ? 'not JSON' : `not JSON at character ${position}` };
  }
}

function needsExactNumbers(text: string): boolean {
  for (const [token] of text.matchAll(longNumbers)) if (!survives(token)) return true;
  return false;
}

function parseExact(text: string): unknown {
  return parse(text, null, {
    parseNumber: token => (survives(token) ? Number(token) : new ExactNumber(token)),
    // The last one wins, as in JSON.parse.
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

function survives(token: string): boolean {
  const value = Number(token);
  return Number.isFinite(value) && compareNumber(token, String(value)) === 0;
}
