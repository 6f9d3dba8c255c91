import { parseRange } from './parseRange.ts';
import { printRange } from './printRange.ts';
import { ordinalSuffix } from './rangeEnd.ts';
import { tokensOf, weekdaysOf, type Token } from './tokens.ts';

/** The usual hours of parts of a day. They are proposed and never taken: each person means others. */
export const hoursOf: ReadonlyMap<string, string> = new Map([
  ['morning', '06:00-12:00'],
  ['afternoon', '12:00-18:00'],
  ['evening', '18:00-24:00'],
  ['night', '22:00-06:00'],
]);

/** Every run of them is tried: in a longer text that would take some 100 ms. */
const mostTokens = 11;

/**
 * A valid range made of what a text that is none has in it: its longest run of words that is one, if need be of yesterday, of last year or
 * the last such period. “end of May 2023” gives 2023-05, “6-8pm” gives yesterday 18:00..yesterday 20:00, “last 90 minutes” last 2 hours.
 */
export function exampleRange(text: string): string | undefined {
  const hours = text.replace(
    /(\d{1,6})\s*(?:m|mins?|minutes?|minuut|minute)(?!\p{L})/giu,
    (_, minutes: string) => `${Math.ceil(Number(minutes) / 60)} hours`,
  );
  const tokens = tokensOf(hours.replace(/[^\p{L}\d\s:.…,/+'’–—‐‑−-]/gu, ' ')) ?? [];
  if (tokens.length > mostTokens) return undefined;
  const words = tokens.map((token, index) => wordOf(token, tokens[index - 1]));
  const isWhole = (at: number): boolean => {
    const sides = [tokens[at - 1]?.text ?? '-', tokens[at]?.text ?? '-'];
    // The 5 of “week 5” is no month, and the 18h of 18h00 no length.
    if (sides[0] === 'week' && tokens[at]?.kind === 'number') return false;
    return words[at]?.startsWith(' ') === true || sides.some(text => /^[-/.,]$/.test(text));
  };
  const parts = words.flatMap((_, less) =>
    words.slice(0, less + 1).flatMap((__, at) => {
      const end = at + words.length - less;
      return isWhole(at) && isWhole(end) ? [words.slice(at, end).join('').trim()] : [];
    }),
  );
  const completed = parts.flatMap(part => [
    ...(/^\d/.test(part) ? [`yesterday ${part}`] : []),
    // A number alone says nothing of a month or a length.
    ...(/[a-z]{3}|q/.test(part) ? [`last ${part}`, `${part} last year`] : []),
  ]);
  for (const part of [...parts, ...completed]) {
    const example = rangeOf(part);
    if (example !== undefined) return example;
  }
  return undefined;
}

function rangeOf(text: string): string | undefined {
  const range = parseRange(text.replace(/^this (?=\d)/, 'today ').replace(/^last (?=\d\d:)/, 'yesterday '));
  if (range.ok) return printRange(range.value);
  // A clock time alone is its hour rather than the time since; a season is that of the southern hemisphere.
  return range.problem === 'ambiguous' ? range.readings.at(/:|[ap]m|\dh\d/.test(text) ? -1 : 0) : undefined;
}

/** A token as it is typed in English, with the blank before it. */
function wordOf({ kind, text, at }: Token, before: Token | undefined): string {
  if (kind === 'to' || text === 'and') return ' to ';
  if (kind === 'word' && /^\d/.test(text)) return ' ';
  const weekday = weekdaysOf(text) === undefined ? text : text.replace(/s$/, '').replace(/dae$/, 'dag');
  const isJoined = before?.at.end === at.start || (before?.at.start === at.start && ordinalSuffix.test(text));
  return `${isJoined ? '' : ' '}${hoursOf.get(text) ?? weekday}`;
}
