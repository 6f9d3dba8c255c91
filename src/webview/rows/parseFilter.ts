import { cellState, stateAt, type Column } from '../../shared/frame.ts';
import { booleanTerms } from './filterBooleans.ts';
import { numberTerms } from './filterNumbers.ts';
import { filterTerms, type Term } from './filterTerms.ts';
import { textTerms } from './filterTexts.ts';
import { timeTerms } from './filterTimes.ts';
import { mostAlternatives, refused } from './filterTypes.ts';
import type { FilterContext, ParsedFilter, ParsedTerm, RowTest, TermReader } from './filterTypes.ts';

/**
 * Reads what was typed as the filter of a column. The grammar, the whole of it:
 *
 * - `null` finds the cells without a value (null or absent), `!null` those with one; no other condition finds a cell without a value.
 * - Numbers: `100` or `=100`, `!=0`, `>100`, `>=100`, `<5`, `<=5`, `100..200` with both ends, `100..`, `..200`. A decimal point
 *   and no grouping are always understood, the separators of the locale beside them; a text that could be two numbers is refused.
 * - Times: the same operators before `2023`, `2023-05`, `2023-Q2`, `2023-W18`, `2023-05-03`, `2023-05-03 06:00`, with `Z` or an
 *   offset for another zone than the one shown, and "today" or "last 7 days". A date stands for its whole length: `=2023-05` is all
 *   of May, `>2023-05` begins with June, `2023-05..2023-06` ends with June.
 * - Texts: `coal` is contained, in any case; `!coal` is not; `=Coal` and `!=Coal` are the whole text, to the letter; `""` is the empty
 *   text. What stands in quotes is taken as it is: `"null"`, `"a, b"`.
 * - Booleans: `true`, `false`, `!=true`.
 * - Alternatives: `a or b`, `a, b`. Among numbers and JSON the comma needs a space after it, since `1,5` may be a number. Where each
 *   of them leaves out (`!a, !b`), all hold: neither a nor b.
 *
 * An empty text shows every row.
 */
export function parseFilter(text: string, column: Column, context: FilterContext): ParsedFilter {
  const read = readerOf(column, context);
  const terms: ReadTerm[] = [];
  const alternatives = filterTerms(text, column.kind);
  if (alternatives.length > mostAlternatives) return refused('tooMany', String(alternatives.length));
  for (const term of alternatives) {
    const parsed = readTerm(term, column, read);
    if (!parsed.ok) return parsed;
    terms.push(parsed);
  }
  return { ok: true, test: joined(terms) };
}

type ReadTerm = ParsedTerm & { readonly ok: true };

function readTerm({ operator, value, quoted }: Term, column: Column, read: TermReader): ParsedTerm {
  const equality = operator === '' || operator === '=' || operator === '!' || operator === '!=';
  if (equality && !quoted && value.toLowerCase() === 'null') {
    const negated = operator.startsWith('!');
    return { ok: true, negated, test: row => (stateAt(column, row) === cellState.value) === negated };
  }
  if (value === '' && !quoted) return refused('valueMissing', operator);
  const parsed = read(operator, value, quoted);
  if (!parsed.ok || !column.gaps) return parsed;
  return { ...parsed, test: row => stateAt(column, row) === cellState.value && parsed.test(row) };
}

function readerOf(column: Column, context: FilterContext): TermReader {
  switch (column.kind) {
    case 'number':
      return numberTerms(column, context.locale);
    case 'time':
      return timeTerms(column, context);
    case 'text':
    case 'nested':
      return textTerms(column, context.locale);
    case 'boolean':
      return booleanTerms(column);
  }
}

function joined(terms: readonly ReadTerm[]): RowTest {
  const [only] = terms;
  if (!only) return () => true;
  if (terms.length === 1) return only.test;
  const tests = terms.map(({ test }) => test);
  return terms.every(({ negated }) => negated)
    ? row => tests.every(test => test(row))
    : row => tests.some(test => test(row));
}
