import type { Column } from '../../shared/frame.ts';
import { createNumberParser } from '../../shared/localeNumber.ts';
import { filterTerms, type Term } from './filterTerms.ts';
import { timeTerms } from './filterTimes.ts';
import {
  found,
  mostAlternatives,
  refused,
  type Condition,
  type FilterContext,
  type Operator,
  type ReadFilter,
  type NoFilter,
  type CellSpan,
  type TermReader,
} from './filterTypes.ts';

/**
 * Reads what was typed as the filter of a column. The grammar, the whole of it:
 *
 * - `null` finds the cells without a value (null or absent), `!null` those with one; no other condition finds a cell without a value.
 * - Numbers: `100` or `=100`, `!=0`, `>100`, `>=100`, `<5`, `<=5`, `100..200` with both ends, `100..<200` without the upper one,
 *   `100..`, `..200`. A decimal point and no grouping are always understood, the separators of the locale beside them; a text that
 *   could be two numbers is refused.
 * - Times: the same operators before `2023`, `2023-05`, `2023-Q2`, `2023-W18`, `2023-05-03`, `2023-05-03 06:00`, with `Z` or an
 *   offset for another zone than the one shown, and "today" or "last 7 days". A date stands for its whole length: `=2023-05` is all
 *   of May, `>2023-05` begins with June, `2023-05..2023-06` ends with June.
 * - Parts of the calendar: `06:00-18:00`, `17` for that hour, `Mon-Fri`, `weekend`, `Jun-Aug`, `Q1`, `winter`, `holiday`, `peak`, `standard`,
 *   `off-peak`. Of several, one date among them, each has to hold: `2023-01 Mon-Fri !holiday 17:00-20:00`. Where there is but one `!`, at
 *   the front, it is of all: `!Mon-Fri 17:00-20:00` leaves out the evenings of working days.
 * - Texts: `coal` is contained, in any case; `!coal` is not; `=Coal` and `!=Coal` are the whole text, to the letter; `""` is the empty
 *   text. What stands in quotes is taken as it is: `"null"`, `"a, b"`.
 * - Booleans: `true`, `false`, `!=true`.
 * - Alternatives: `a or b`, `a, b`. Among numbers and JSON the comma needs a space after it, since `1,5` may be a number. Where each
 *   of them leaves out (`!a, !b`), all hold: neither a nor b.
 *
 * An empty text shows every row.
 */
export function readFilter(text: string, column: Column, context: FilterContext): ReadFilter | NoFilter {
  const read = readerOf(column, context);
  const terms = filterTerms(text, column.kind);
  if (terms.length > mostAlternatives) return refused('tooMany', String(terms.length));
  const conditions: Condition[] = [];
  for (const term of terms) {
    const condition = readTerm(term, read);
    if (!condition.ok) return condition;
    conditions.push(condition);
  }
  return { ok: true, conditions, isEach: conditions.every(({ negated }) => negated) };
}

function readTerm({ operator, value, quoted }: Term, read: TermReader): Condition | NoFilter {
  const equality = !/[<>]/.test(operator);
  if (equality && !quoted && value.toLowerCase() === 'null') return found(operator, { kind: 'missing' });
  return value === '' && !quoted ? refused('valueMissing', operator) : read(operator, value, quoted);
}

function readerOf(column: Column, context: FilterContext): TermReader {
  switch (column.kind) {
    case 'number':
      return numberTerms(context.locale);
    case 'time':
      // Days are of their own zone, whichever is shown.
      return timeTerms(column.bins?.timeZone ?? context.timeZone, context);
    case 'text':
    case 'nested':
      return textTerm;
    case 'boolean':
      return booleanTerm;
  }
}

/** `true`, `false` and their opposites. */
const booleanTerm: TermReader = (operator, value) => {
  const plain = value.toLowerCase();
  if (/[<>]/.test(operator) || (plain !== 'true' && plain !== 'false')) return refused('notBoolean', value);
  const wanted = Number(plain === 'true');
  return found(operator, { kind: 'spans', spans: [{ from: wanted, to: wanted }] });
};

/** Contained or not, equal or not. The empty text is contained in every text: alone in its quotes it means itself. */
const textTerm: TermReader = (operator, text, quoted) =>
  found(operator, { kind: 'text', text, isWhole: operator.endsWith('=') || (quoted && text === '') });

/** Comparisons and ranges of numbers. */
function numberTerms(locale: string): TermReader {
  const read = createNumberParser(locale);
  return (operator, value) => {
    const [first = '', end, ...more] = value.replace('…', '..').split('..');
    if (end === undefined) {
      const limit = read(value);
      return typeof limit === 'string'
        ? unread(limit, value)
        : found(operator, { kind: 'spans', spans: [comparison(operator, limit)] });
    }
    const isOpen = end.trimStart().startsWith('<');
    const second = isOpen ? end.replace('<', '') : end;
    if (more.length > 0 || /[<>]/.test(operator)) return refused('notNumber', value);
    const from = first.trim() === '' ? -Infinity : read(first);
    const to = second.trim() === '' ? Infinity : read(second);
    if (typeof from === 'string') return unread(from, first);
    if (typeof to === 'string') return unread(to, second);
    if (from === -Infinity && to === Infinity) return refused('notNumber', value);
    if (from > to) return refused('backwards', value);
    return found(operator, { kind: 'spans', spans: [{ from, to, ...(isOpen && { without: 'to' }) }] });
  };
}

function comparison(operator: Operator, limit: number): CellSpan {
  const from = operator.startsWith('<') ? -Infinity : limit;
  const to = operator.startsWith('>') ? Infinity : limit;
  return { from, to, ...(operator === '>' ? { without: 'from' } : operator === '<' ? { without: 'to' } : {}) };
}

function unread(why: 'none' | 'ambiguous', part: string): NoFilter {
  return refused(why === 'none' ? 'notNumber' : 'ambiguousNumber', part.trim());
}
