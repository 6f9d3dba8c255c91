import type { RangeUnit } from './rangeSpec.ts';

/** A number, a word or a sign of a text. */
export type Token =
  | { readonly kind: 'number'; readonly text: string; readonly at: Place }
  /** '23, as four digits. */
  | { readonly kind: 'year'; readonly text: string; readonly at: Place }
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

/** Words that stand for several. */
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

const units = firstOfLines(['hours h hr hrs hour', 'days d day', 'weeks w week', 'months m month', 'years y year']);

/** The unit of a word: “h”, “hour” and “hours” are hours, “m” is months. */
export function rangeUnitOf(word: string | undefined): RangeUnit | undefined {
  return units.get(word ?? '') as RangeUnit | undefined;
}

/** The number of a weekday in the plural, as in “Saturdays”, which is no day of a range but many. */
export function weekdaysOf(word: string): number | undefined {
  return /(?:days|dae)$/.test(word) ? weekdays.get(word.replace(/s$/, '').replace(/dae$/, 'dag')) : undefined;
}

/** The tokens of a text; undefined where it has a character that no range has. */
export function tokensOf(text: string): Token[] | undefined {
  const lexeme = /(\s*)(\d+|['’](?:\d\d(?!\d)|[nN](?!\p{L}))|\p{L}+|\.{2,}|[…–—\-‐‑−/.:,+])/uy;
  const plain = text.trimEnd();
  const tokens: Token[] = [];
  while (lexeme.lastIndex < plain.length) {
    const match = lexeme.exec(plain);
    if (!match) return undefined;
    const [, blank = '', found = ''] = match;
    const [start, end] = [lexeme.lastIndex - found.length, lexeme.lastIndex];
    const isBefore = /\s/.test(plain.charAt(end));
    const written = found
      .toLowerCase()
      .replace(/^[‐‑−]$/, '-')
      .replace(/^['’]n/, 'een');
    for (const [at, word] of (phrases.get(written) ?? written).split(' ').entries())
      tokens.push(tokenOf(word, { start, end, apart: blank !== '' && start > blank.length && at === 0 }, isBefore));
  }
  return (
    tokens
      .filter(saysSomething)
      // Consecutive signs mean one “to”.
      .filter(({ kind }, index, all) => kind !== 'to' || all[index - 1]?.kind !== 'to')
      .map((token, index, all) => (token.kind === 'to' ? (otherThanTo(token.at, index, all) ?? token) : token))
      .map((token, index, all): Token => (isCount(token, all[index + 1]) ? { ...token, kind: 'number' } : token))
      .flatMap((token, index, all) => [token, ...halfDayOf(index, all)])
  );
}

/** The “pm” that “6” has from “8pm” in “6-8pm”; in “11-1pm” it is unclear which one is meant. */
function halfDayOf(index: number, tokens: readonly Token[]): Token[] {
  const [hour, sign, last, mark] = tokens.slice(index, index + 4);
  const isHour = hour?.kind === 'number' && tokens[index - 1]?.kind !== 'sign' && last?.kind === 'number';
  if (!isHour || (sign?.kind !== 'to' && sign?.text !== '-') || !mark || !/^[ap]m$/.test(mark.text)) return [];
  const isBefore = Number(hour.text) > 0 && Number(hour.text) <= 12 && Number(hour.text) % 12 < Number(last.text) % 12;
  return isBefore
    ? [{ kind: 'word', text: mark.text, at: { start: hour.at.end, end: hour.at.end, apart: false } }]
    : [];
}

/** The token instead of “to”, where it is a word as in “month to date”, but not in “2022 to date”, or a minus as in “now - 7 days”. */
function otherThanTo(at: Place, index: number, tokens: readonly Token[]): Token | undefined {
  const [before, after, last] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
  if (after?.text === 'date' && /^(?:week|month|quarter|year)$/.test(before?.text ?? ''))
    return { kind: 'word', text: 'to', at };
  const isMinus = at.end - at.start === 1 && before?.text === 'now' && rangeUnitOf(last?.text) !== undefined;
  return isMinus ? { kind: 'sign', text: '-', at } : undefined;
}

/** Whether a word is a number: “seven” is one before “days” alone, and in no date. */
function isCount({ kind, text }: Token, unit: Token | undefined): boolean {
  return kind === 'word' && /^\d/.test(text) && isUnit(unit);
}

function isUnit(token: Token | undefined): boolean {
  return /^(?:hour|day|week|month|quarter|year)s?$/.test(token?.text ?? '');
}

/**
 * False for the points of “Sept.” and “1. May”, for the “of” in “week 5 of 2023”, for the “the whole of”, “during”, “year” and “month of” before a period, and
 * for “the”, but not in “the last month”, which rolls.
 */
function saysSomething({ text, at }: Token, index: number, tokens: readonly Token[]): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (text === '.') return !at.apart && before?.kind === 'number' && after?.kind === 'number' && !after.at.apart;
  if (text === 'the' && !/^(?:last|past)$/.test(after?.text ?? '')) return false;
  if (text === 'the') return !/^(?:of|van)$/.test(tokens[index + 3]?.text ?? '');
  // “in two weeks” is to come.
  if (text === 'in' && index === 0 && tokens.length === 3 && isUnit(tokens[2])) return true;
  const opens = tokens.slice(0, index).every(token => /^(?:the|of|van|in|during|whole|all)$/.test(token.text));
  if (opens && (text === 'during' || (/^(?:whole|all)$/.test(text) && !isUnit(tokens.at(-1))))) return false;
  if (opens && text === 'year' && after?.kind === 'number' && after.text.length === 4) return false;
  if (opens && text === 'month' && tokens.slice(index + 1, index + 3).some(({ kind }) => kind === 'month'))
    return false;
  if (text === 'start' && tokens.slice(0, index).every(token => /^(?:from|the)$/.test(token.text))) return index === 0;
  // “yesterday from 18:00 to 20:00”
  if (text === 'from' && index > 0) return !tokens.slice(index).some(({ kind }) => kind === 'to');
  return !/^(?:of|on|in|at|op|om)$/.test(text) && (text !== 'van' || index === 0);
}

function tokenOf(found: string, at: Place, isBeforeBlank: boolean): Token {
  if (/^\d/.test(found)) return { kind: 'number', text: found, at };
  if (/^['’]/.test(found)) return { kind: 'year', text: `20${found.slice(1)}`, at };
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
