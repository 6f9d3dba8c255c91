import type { Column } from '../../shared/frame.ts';
import { createNumberParser } from '../../shared/localeNumber.ts';
import { parseTerms, type Term } from './filterTerms.ts';
import { createTimeReader } from './filterTimes.ts';
import {
  createCondition,
  maxAlternatives,
  refuse,
  type Condition,
  type FilterContext,
  type Operator,
  type FilterConditions,
  type InvalidFilter,
  type CellSpan,
  type TermReader,
} from './filterTypes.ts';

/**
 * Parses the filter of a column. The complete grammar:
 *
 * - `null` matches cells without a value (null or absent), `!null` matches cells with a value. No other condition matches a cell without a value.
 * - Numbers: `100` or `=100`, `!=0`, `>100`, `>=100`, `<5`, `<=5`, `100..200` including both ends, `100..<200` excluding the upper one,
 *   `100..`, `..200`. A decimal point without grouping is always accepted, and so are the separators of the locale. A text that could
 *   mean two numbers is rejected.
 * - Times: the same operators before `2023`, `2023-05`, `2023-Q2`, `2023-W18`, `2023-05-03`, `2023-05-03 06:00`, "today" or "last 7 days".
 *   `Z` or an offset selects another zone than the displayed one. A date stands for its whole length: `=2023-05` is all of May,
 *   `>2023-05` begins with June, `2023-05..2023-06` ends with June.
 * - Parts of the calendar: `06:00-18:00`, `17` for that hour, `Mon-Fri`, `weekend`, `Jun-Aug`, `Q1`, `winter`, `holiday`, `peak`, `standard`,
 *   `off-peak`. They can be combined with each other and with one date, and all of them have to match: `2023-01 Mon-Fri !holiday 17:00-20:00`.
 *   A single `!` at the front negates the combination: `!Mon-Fri 17:00-20:00` excludes the evenings of working days.
 * - Texts: `coal` matches texts that contain it, in upper or lower case, and `!coal` matches texts that don't. `=Coal` and `!=Coal` compare the whole
 *   text, case-sensitively. `""` is the empty text. A quoted text is taken literally: `"null"`, `"a, b"`.
 * - Booleans: `true`, `false`, `!=true`.
 * - Alternatives: `a or b`, `a, b`. In number and JSON columns the comma needs a space after it, since `1,5` may be a number. If all
 *   alternatives are negated (`!a, !b`), all of them have to match.
 *
 * Every row passes an empty filter.
 */
export function parseFilterConditions(
  text: string,
  column: Column,
  context: FilterContext,
): FilterConditions | InvalidFilter {
  const readTermValue = createTermReader(column, context);
  const terms = parseTerms(text, column.kind);
  if (terms.length > maxAlternatives) return refuse('tooMany', String(terms.length));
  const conditions: Condition[] = [];
  for (const term of terms) {
    const condition = readTerm(term, readTermValue);
    if (!condition.ok) return condition;
    conditions.push(condition);
  }
  return { ok: true, conditions, mustMatchAll: conditions.every(({ negated }) => negated) };
}

function readTerm({ operator, value, quoted }: Term, readTermValue: TermReader): Condition | InvalidFilter {
  const isEquality = !/[<>]/.test(operator);
  if (isEquality && !quoted && value.toLowerCase() === 'null') return createCondition(operator, { kind: 'missing' });
  return value === '' && !quoted ? refuse('valueMissing', operator) : readTermValue(operator, value, quoted);
}

function createTermReader(column: Column, context: FilterContext): TermReader {
  switch (column.kind) {
    case 'number':
      return createNumberReader(context.locale);
    case 'time':
      // Bins such as days belong to the zone in which they were computed, not to the displayed one.
      return createTimeReader(column.bins?.timeZone ?? context.timeZone, context);
    case 'text':
    case 'nested':
      return readTextTerm;
    case 'boolean':
      return readBooleanTerm;
  }
}

/** Reads `true`, `false` and their negations. */
const readBooleanTerm: TermReader = (operator, value) => {
  const plain = value.toLowerCase();
  if (/[<>]/.test(operator) || (plain !== 'true' && plain !== 'false')) return refuse('notBoolean', value);
  const expected = Number(plain === 'true');
  return createCondition(operator, { kind: 'spans', spans: [{ from: expected, to: expected }] });
};

/** Reads a term that a text contains or equals. `""` matches only the empty text, because every text contains the empty text. */
const readTextTerm: TermReader = (operator, text, quoted) =>
  createCondition(operator, { kind: 'text', text, isWhole: operator.endsWith('=') || (quoted && text === '') });

/** Creates a reader of number terms: comparisons and ranges. */
function createNumberReader(locale: string): TermReader {
  const parseNumber = createNumberParser(locale);
  return (operator, value) => {
    const [fromText = '', endText, ...otherParts] = value.replace('…', '..').split('..');
    if (endText === undefined) {
      const limit = parseNumber(value);
      return typeof limit === 'string'
        ? rejectNumber(limit, value)
        : createCondition(operator, { kind: 'spans', spans: [createComparison(operator, limit)] });
    }
    const excludesEnd = endText.trimStart().startsWith('<');
    const toText = excludesEnd ? endText.replace('<', '') : endText;
    if (otherParts.length > 0 || /[<>]/.test(operator)) return refuse('notNumber', value);
    const from = fromText.trim() === '' ? -Infinity : parseNumber(fromText);
    const to = toText.trim() === '' ? Infinity : parseNumber(toText);
    if (typeof from === 'string') return rejectNumber(from, fromText);
    if (typeof to === 'string') return rejectNumber(to, toText);
    if (from === -Infinity && to === Infinity) return refuse('notNumber', value);
    if (from > to) return refuse('backwards', value);
    return createCondition(operator, { kind: 'spans', spans: [{ from, to, ...(excludesEnd && { excluded: 'to' }) }] });
  };
}

function createComparison(operator: Operator, limit: number): CellSpan {
  const from = operator.startsWith('<') ? -Infinity : limit;
  const to = operator.startsWith('>') ? Infinity : limit;
  return { from, to, ...(operator === '>' ? { excluded: 'from' } : operator === '<' ? { excluded: 'to' } : {}) };
}

function rejectNumber(reason: 'none' | 'ambiguous', part: string): InvalidFilter {
  return refuse(reason === 'none' ? 'notNumber' : 'ambiguousNumber', part.trim());
}
