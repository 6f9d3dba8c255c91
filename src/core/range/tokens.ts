import type { RangeUnit } from './rangeSpec.ts';

/** A number, a word or a sign of a text. */
export type Token =
  | { readonly kind: 'number'; readonly text: string; readonly at: Place }
  /** In English, also where it was written in Afrikaans; in lower case. */
  | { readonly kind: 'word'; readonly text: string; readonly at: Place }
  /** Its number: 1 is January or Monday. */
  | { readonly kind: 'month' | 'weekday'; readonly text: string; readonly value: number; readonly at: Place }
  /** `to` stands for “..”, “to” and every sign that means the same. */
  | { readonly kind: 'to'; readonly text: string; readonly at: Place }
  | { readonly kind: 'sign'; readonly text: string; readonly at: Place };

/** The position of a token, and whether a blank precedes it. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly apart: boolean;
}

const months = numbered([
  'january januarie jan',
  'february februarie feb',
  'march maart mar mrt',
  'april apr',
  'may mei',
  'june junie jun',
  'july julie jul',
  'august augustus aug',
  'september sept sep',
  'october oktober oct okt',
  'november nov',
  'december desember dec des',
]);

const weekdays = numbered([
  'monday maandag mon ma',
  'tuesday dinsdag tue tues di',
  'wednesday woensdag wed wo',
  'thursday donderdag thu thur thurs do',
  'friday vrydag fri vr',
  'saturday saterdag sat sa',
  'sunday sondag sun so',
]);

/** Afrikaans words and English synonyms, behind the words of the grammar. */
const english = firstOfLines([
  'to until tot',
  'from since sedert sinds vanaf',
  'today vandag',
  'yesterday gister',
  'tomorrow môre',
  'now nou',
  'ago gelede',
  'date datum',
  'the die',
  'last laaste verlede',
  'previous vorige',
  'past afgelope',
  'this hierdie',
  'hour uur',
  'hours ure',
  'day dag',
  'days dae',
  'weeks weke',
  'month maand',
  'months maande',
  'quarter kwartaal',
  'year jaar',
  'years jare',
  'fy boekjaar',
  'autumn fall herfs',
  'spring lente',
  'summer somer',
  'weekday weekdays weeksdag weeksdae',
  'weekend weekends naweek naweke',
  'public openbare',
  'holiday holidays vakansiedag vakansiedae',
  'peak piek spits spitstyd',
  'standard standaard',
  'off buite',
  'offpeak buitespits',
]);

const units = firstOfLines(['hours h hr hrs hour', 'days d day', 'weeks w week', 'months m month', 'years y year']);

/** The unit of a word: “h”, “hour” and “hours” are hours, “m” is months. */
export function rangeUnitOf(word: string | undefined): RangeUnit | undefined {
  return units.get(word ?? '') as RangeUnit | undefined;
}

/** The tokens of a text; undefined where it has a character that no range has. */
export function tokensOf(text: string): Token[] | undefined {
  const lexeme = /(\s*)(\d+|\p{L}+|\.{2,}|[…–—\-‐‑−/.:,+])/uy;
  const plain = text.trimEnd();
  const tokens: Token[] = [];
  while (lexeme.lastIndex < plain.length) {
    const match = lexeme.exec(plain);
    if (!match) return undefined;
    const [, blank = '', found = ''] = match;
    const [start, end] = [lexeme.lastIndex - found.length, lexeme.lastIndex];
    const isBefore = /\s/.test(plain.charAt(end));
    tokens.push(tokenOf(found.toLowerCase().replace(/^[‐‑−]$/, '-'), { start, end, apart: blank !== '' }, isBefore));
  }
  return (
    tokens
      .filter(saysSomething)
      // Consecutive signs mean one “to”.
      .filter(({ kind }, index, all) => kind !== 'to' || all[index - 1]?.kind !== 'to')
      .map((token, index, all) => (token.kind === 'to' ? (otherThanTo(token.at, index, all) ?? token) : token))
  );
}

/** The token instead of “to”, where it is a word as in “month to date”, or a minus as in “now - 7 days”. */
function otherThanTo(at: Place, index: number, tokens: readonly Token[]): Token | undefined {
  const [before, after, last] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
  if (after?.text === 'date') return { kind: 'word', text: 'to', at };
  const isMinus = at.end - at.start === 1 && before?.text === 'now' && rangeUnitOf(last?.text) !== undefined;
  return isMinus ? { kind: 'sign', text: '-', at } : undefined;
}

/** False for the points of “Sept.” and “1. May”, and for the “of” in “week 5 of 2023”. */
function saysSomething({ text, at }: Token, index: number, tokens: readonly Token[]): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (text === '.') return !at.apart && before?.kind === 'number' && after?.kind === 'number' && !after.at.apart;
  return !/^(?:of|on|in|at|op|om)$/.test(text) && (text !== 'van' || index === 0);
}

function tokenOf(found: string, at: Place, isBeforeBlank: boolean): Token {
  if (/^\d/.test(found)) return { kind: 'number', text: found, at };
  if (/^(?:\.\.|[…–—])/.test(found) || (found === '-' && at.apart && isBeforeBlank))
    return { kind: 'to', text: 'to', at };
  if (/^\P{L}/u.test(found)) return { kind: 'sign', text: found, at };
  const [month, weekday] = [months.get(found), weekdays.get(found)];
  if (month !== undefined) return { kind: 'month', text: found, value: month, at };
  if (weekday !== undefined) return { kind: 'weekday', text: found, value: weekday, at };
  const text = english.get(found) ?? found;
  return { kind: text === 'to' ? 'to' : 'word', text, at };
}

/** Maps each name to the number of its line. */
function numbered(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(lines.flatMap((line, index) => line.split(' ').map(name => [name, index + 1] as const)));
}

/** Maps each word to the first of its line. */
function firstOfLines(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(lines.flatMap(line => line.split(' ').map((word, _, [first = word]) => [word, first] as const)));
}
