import type { RangeUnit } from './rangeSpec.ts';

/** A number, a word or a sign in the text of a range. */
export type Token =
  | { readonly kind: 'number'; readonly text: string; readonly position: TokenPosition }
  /** A year such as '23, with `text` in four digits. */
  | { readonly kind: 'year'; readonly text: string; readonly position: TokenPosition }
  /** A word in lower case, translated to English if it was written in Afrikaans. */
  | { readonly kind: 'word'; readonly text: string; readonly position: TokenPosition }
  /** The name of a month or weekday; `value` is 1 for January and Monday. */
  | {
      readonly kind: 'month' | 'weekday';
      readonly text: string;
      readonly value: number;
      readonly position: TokenPosition;
    }
  /** The token for “..”, “to” and every sign that means the same. */
  | { readonly kind: 'to'; readonly text: string; readonly position: TokenPosition }
  | { readonly kind: 'sign'; readonly text: string; readonly position: TokenPosition };

/** The position of a token in the text, and whether a space precedes it. */
interface TokenPosition {
  readonly start: number;
  readonly end: number;
  readonly isSpaced: boolean;
}

const months = createNumberByWord([
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

const weekdays = createNumberByWord([
  'monday maandag mon ma',
  'tuesday dinsdag tue tues di',
  'wednesday woensdag wed wo',
  'thursday donderdag thu thur thurs do',
  'friday vrydag fri vr',
  'saturday saterdag sat sa',
  'sunday sondag sun so',
]);

/** The words of the grammar, each followed by its synonyms in English and Afrikaans. */
const englishWords = createFirstWordByWord([
  'to until tot till through thru onwards',
  'between tussen',
  'and en',
  'before voor',
  'after na ná',
  'from since sedert sinds vanaf',
  'today vandag',
  'yesterday gister',
  'tomorrow môre',
  'now nou',
  'ago gelede',
  'date datum hede',
  'the die',
  'last laaste verlede laas',
  'previous vorige prior preceding',
  'past afgelope rolling trailing',
  'this hierdie',
  'hour uur',
  'hours ure hrs',
  'day dag',
  'days dae',
  'week wk',
  'weeks weke wks',
  'month maand',
  'months maande',
  'quarter kwartaal',
  'quarters kwartale',
  'half helfte halfjaar',
  'year jaar',
  'years jare',
  'fy boekjaar',
  'financial finansiële finansiele',
  'whole hele heel full entire complete completed volle calendar',
  'during gedurende throughout over oor within binne',
  'start beginning begin',
  'midnight middernag',
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
  'morning oggend',
  'afternoon middag',
  'evening aand',
  'night nag',
  '1 one a an een',
  '2 two twee',
  '3 three drie',
  '4 four vier',
  '5 five vyf',
  '6 six ses',
  '7 seven sewe',
  '8 eight agt',
  '9 nine nege',
  '10 ten tien',
  '11 eleven elf',
  '12 twelve twaalf',
]);

/** Words that stand for several words. */
const phrases = new Map([
  ...Object.entries({ first: '1 st', second: '2 nd', third: '3 rd', fourth: '4 th' }),
  ...Object.entries({ eerste: '1 ste', tweede: '2 de', derde: '3 de', vierde: '4 de' }),
  ...Object.entries({ wtd: 'week to date', mtd: 'month to date', qtd: 'quarter to date', ytd: 'year to date' }),
  ...Object.entries({ eergister: '2 days before today', vanjaar: 'this year', vandeesweek: 'this week' }),
  ...Object.entries({
    vandeesmaand: 'this month',
    gisteroggend: 'yesterday morning',
    gistermiddag: 'yesterday afternoon',
  }),
  ...Object.entries({ gisteraand: 'yesterday evening', vanoggend: 'this morning', vanmiddag: 'this afternoon' }),
  ...Object.entries({
    eergisteroggend: '2 days before today morning',
    eergistermiddag: '2 days before today afternoon',
  }),
  ...Object.entries({ eergisteraand: '2 days before today evening', fortnight: '2 weeks', kalenderjaar: 'whole year' }),
  ...Object.entries({ vanaand: 'this evening', vannag: 'this night', tonight: 'this night' }),
]);

const units = createFirstWordByWord([
  'hours h hr hrs hour',
  'days d day',
  'weeks w week',
  'months m month',
  'years y year',
]);

/** Parses the name of a unit: “h”, “hour” and “hours” are hours, “m” is months. */
export function parseRangeUnit(word: string | undefined): RangeUnit | undefined {
  return units.get(word ?? '') as RangeUnit | undefined;
}

/** Parses a weekday in the plural, such as “Saturdays”, which can't be a day of a range. */
export function parsePluralWeekday(word: string): number | undefined {
  return /(?:days|dae)$/.test(word) ? weekdays.get(word.replace(/s$/, '').replace(/dae$/, 'dag')) : undefined;
}

/** Splits a text into tokens. Returns undefined if it contains a character that no range has. */
export function tokenize(text: string): Token[] | undefined {
  const lexeme = /(\s*)(\d+|['’](?:\d\d(?!\d)|[nN](?!\p{L}))|\p{L}+|\.{2,}|[…–—\-‐‑−/.:,+])/uy;
  const plain = text.trimEnd();
  const tokens: Token[] = [];
  while (lexeme.lastIndex < plain.length) {
    const match = lexeme.exec(plain);
    if (!match) return undefined;
    const [, blank = '', matchedText = ''] = match;
    const start = lexeme.lastIndex - matchedText.length;
    const end = lexeme.lastIndex;
    const isBefore = /\s/.test(plain.charAt(end));
    const normalized = matchedText
      .toLowerCase()
      .replace(/^[‐‑−]$/, '-')
      .replace(/^['’]n/, 'een');
    for (const [index, word] of (phrases.get(normalized) ?? normalized).split(' ').entries())
      tokens.push(
        createToken(word, { start, end, isSpaced: blank !== '' && start > blank.length && index === 0 }, isBefore),
      );
  }
  return (
    tokens
      .filter(isSignificant)
      // Several consecutive “to” are read as one.
      .filter(({ kind }, index, tokens) => kind !== 'to' || tokens[index - 1]?.kind !== 'to')
      .map((token, index, tokens) =>
        token.kind === 'to' ? (reinterpretTo(token.position, index, tokens) ?? token) : token,
      )
      .map((token, index, tokens): Token => (isCount(token, tokens[index + 1]) ? { ...token, kind: 'number' } : token))
      .flatMap((token, index, tokens) => [token, ...inferHalfDay(index, tokens)])
  );
}

/** Adds the “pm” of “8pm” to the “6” of “6-8pm”. In “11-1pm” it is unclear whether 11 am or 11 pm is meant. */
function inferHalfDay(index: number, tokens: readonly Token[]): Token[] {
  const [hour, sign, last, mark] = tokens.slice(index, index + 4);
  const isHour = hour?.kind === 'number' && tokens[index - 1]?.kind !== 'sign' && last?.kind === 'number';
  if (!isHour || (sign?.kind !== 'to' && sign?.text !== '-') || !mark || !/^[ap]m$/.test(mark.text)) return [];
  const isBefore = Number(hour.text) > 0 && Number(hour.text) <= 12 && Number(hour.text) % 12 < Number(last.text) % 12;
  return isBefore
    ? [
        {
          kind: 'word',
          text: mark.text,
          position: { start: hour.position.end, end: hour.position.end, isSpaced: false },
        },
      ]
    : [];
}

/** Replaces a “to” that is part of “month to date” (but not of “2022 to date”) by a word, and the one of “now - 7 days” by a minus. */
function reinterpretTo(position: TokenPosition, index: number, tokens: readonly Token[]): Token | undefined {
  const previous = tokens[index - 1];
  const next = tokens[index + 1];
  const afterNext = tokens[index + 2];
  if (next?.text === 'date' && /^(?:week|month|quarter|year)$/.test(previous?.text ?? ''))
    return { kind: 'word', text: 'to', position };
  const isMinus =
    position.end - position.start === 1 && previous?.text === 'now' && parseRangeUnit(afterNext?.text) !== undefined;
  return isMinus ? { kind: 'sign', text: '-', position } : undefined;
}

/** Whether a word is a number. “seven” is a number before a unit such as “days”, but not in a date. */
function isCount({ kind, text }: Token, unit: Token | undefined): boolean {
  return kind === 'word' && /^\d/.test(text) && isUnit(unit);
}

function isUnit(token: Token | undefined): boolean {
  return /^(?:hour|day|week|month|quarter|year)s?$/.test(token?.text ?? '');
}

/**
 * Whether a token has a meaning. Tokens without one are the points of “Sept.” and “1. May”, the “of” in “week 5 of 2023”, and “the whole of”, “during”, “year” or “month of”
 * before a period. “the” only has a meaning in “the last month”, which means the time up to now.
 */
function isSignificant({ text, position }: Token, index: number, tokens: readonly Token[]): boolean {
  const previous = tokens[index - 1];
  const next = tokens[index + 1];
  if (text === '.')
    return !position.isSpaced && previous?.kind === 'number' && next?.kind === 'number' && !next.position.isSpaced;
  if (text === 'the' && !/^(?:last|past)$/.test(next?.text ?? '')) return false;
  if (text === 'the') return !/^(?:of|van)$/.test(tokens[index + 3]?.text ?? '');
  // “in two weeks” is in the future, so its “in” must not be dropped.
  if (text === 'in' && index === 0 && tokens.length === 3 && isUnit(tokens[2])) return true;
  const isOpening = tokens.slice(0, index).every(token => /^(?:the|of|van|in|during|whole|all)$/.test(token.text));
  if (isOpening && (text === 'during' || (/^(?:whole|all)$/.test(text) && !isUnit(tokens.at(-1))))) return false;
  if (isOpening && text === 'year' && next?.kind === 'number' && next.text.length === 4) return false;
  if (isOpening && text === 'month' && tokens.slice(index + 1, index + 3).some(({ kind }) => kind === 'month'))
    return false;
  if (text === 'start' && tokens.slice(0, index).every(token => /^(?:from|the)$/.test(token.text))) return index === 0;
  // The “from” of “yesterday from 18:00 to 20:00” has no meaning.
  if (text === 'from' && index > 0) return !tokens.slice(index).some(({ kind }) => kind === 'to');
  return !/^(?:of|on|in|at|op|om)$/.test(text) && (text !== 'van' || index === 0);
}

function createToken(matchedText: string, position: TokenPosition, isBeforeBlank: boolean): Token {
  if (/^\d/.test(matchedText)) return { kind: 'number', text: matchedText, position };
  if (/^['’]/.test(matchedText)) return { kind: 'year', text: `20${matchedText.slice(1)}`, position };
  if (/^(?:\.\.|[…–—])/.test(matchedText) || (matchedText === '-' && position.isSpaced && isBeforeBlank))
    return { kind: 'to', text: 'to', position };
  if (/^\P{L}/u.test(matchedText)) return { kind: 'sign', text: matchedText, position };
  const month = months.get(matchedText);
  const weekday = weekdays.get(matchedText);
  if (month !== undefined) return { kind: 'month', text: matchedText, value: month, position };
  if (weekday !== undefined) return { kind: 'weekday', text: matchedText, value: weekday, position };
  const text = englishWords.get(matchedText) ?? matchedText;
  return { kind: text === 'to' ? 'to' : 'word', text, position };
}

/** Maps each word to the number of its line. */
function createNumberByWord(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(lines.flatMap((line, index) => line.split(' ').map(name => [name, index + 1] as const)));
}

/** Maps each word to the first word of its line. */
function createFirstWordByWord(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(lines.flatMap(line => line.split(' ').map((word, _, [first = word]) => [word, first] as const)));
}
