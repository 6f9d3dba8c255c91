import { parseRange } from './parseRange.ts';
import { printRange } from './printRange.ts';
import { ordinalSuffix } from './rangeEnd.ts';
import { tokenize, parsePluralWeekday, type Token } from './tokens.ts';

/** Typical hours of the parts of a day. They only appear in suggestions, since their meaning differs between people. */
export const typicalHours: ReadonlyMap<string, string> = new Map([
  ['morning', '06:00-12:00'],
  ['afternoon', '12:00-18:00'],
  ['evening', '18:00-24:00'],
  ['night', '22:00-06:00'],
]);

/** A limit, because every run of tokens is tried: a longer text would take some 100 ms. */
const maxTokens = 11;

/**
 * Suggests a valid range for an invalid text: the longest run of its words that is a range, if necessary completed with “yesterday”, “last”
 * or “last year”. “end of May 2023” becomes 2023-05, “6-8pm” becomes yesterday 18:00..yesterday 20:00, “last 90 minutes” becomes last 2 hours.
 */
export function suggestRange(text: string): string | undefined {
  const textInHours = text.replace(
    /(\d{1,6})\s*(?:m|mins?|minutes?|minuut|minute)(?!\p{L})/giu,
    (_, minutes: string) => `${Math.ceil(Number(minutes) / 60)} hours`,
  );
  const tokens = tokenize(textInHours.replace(/[^\p{L}\d\s:.…,/+'’–—‐‑−-]/gu, ' ')) ?? [];
  if (tokens.length > maxTokens) return undefined;
  const words = tokens.map((token, index) => formatToken(token, tokens[index - 1]));
  const isBoundary = (index: number): boolean => {
    const sides = [tokens[index - 1]?.text ?? '-', tokens[index]?.text ?? '-'];
    // The 5 of “week 5” isn't a month, and the 18h of 18h00 isn't a length of time.
    if (sides[0] === 'week' && tokens[index]?.kind === 'number') return false;
    return words[index]?.startsWith(' ') === true || sides.some(text => /^[-/.,]$/.test(text));
  };
  const parts = words.flatMap((_, removedCount) =>
    words.slice(0, removedCount + 1).flatMap((__, start) => {
      const end = start + words.length - removedCount;
      return isBoundary(start) && isBoundary(end) ? [words.slice(start, end).join('').trim()] : [];
    }),
  );
  const completed = parts.flatMap(part => [
    ...(/^\d/.test(part) ? [`yesterday ${part}`] : []),
    // A number alone is neither a month nor a length of time.
    ...(/[a-z]{3}|q/.test(part) ? [`last ${part}`, `${part} last year`] : []),
  ]);
  for (const part of [...parts, ...completed]) {
    const example = normalizeIfRange(part);
    if (example !== undefined) return example;
  }
  return undefined;
}

function normalizeIfRange(text: string): string | undefined {
  const range = parseRange(text.replace(/^this (?=\d)/, 'today ').replace(/^last (?=\d\d:)/, 'yesterday '));
  if (range.ok) return printRange(range.value);
  // A clock time alone means its hour rather than the time since then. Seasons are southern.
  return range.problem === 'ambiguous' ? range.readings.at(/:|[ap]m|\dh\d/.test(text) ? -1 : 0) : undefined;
}

/** Formats a token as it is typed in English, with the space before it. */
function formatToken({ kind, text, position }: Token, previous: Token | undefined): string {
  if (kind === 'to' || text === 'and') return ' to ';
  if (kind === 'word' && /^\d/.test(text)) return ' ';
  const weekday = parsePluralWeekday(text) === undefined ? text : text.replace(/s$/, '').replace(/dae$/, 'dag');
  const isJoined =
    previous?.position.end === position.start ||
    (previous?.position.start === position.start && ordinalSuffix.test(text));
  return `${isJoined ? '' : ' '}${typicalHours.get(text) ?? weekday}`;
}
