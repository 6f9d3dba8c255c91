import {
  cellState,
  stateAt,
  type Column,
  type BooleanColumn,
  type NestedColumn,
  type TextColumn,
  type NumberColumn,
  type Frame,
  textAt,
} from '../../shared/frame.ts';
import { numberReader } from '../../shared/localeNumber.ts';
import { isoText } from '../columns/timeTexts.ts';
import type { PanelView } from '../../shared/savedView.ts';
import { filterTerms, type Term } from './filterTerms.ts';
import { timeTerms } from './filterTimes.ts';
import {
  mostAlternatives,
  refused,
  type FilterContext,
  type ParsedFilter,
  type ParsedTerm,
  type RowTest,
  type TermReader,
  type Operator,
  type FilterProblem,
} from './filterTypes.ts';
import { textFold } from './textFold.ts';

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
 * - Parts of the calendar, each of which has to hold: `06:00-18:00`, `Mon-Fri`, `weekend`, `Jun-Aug`, `winter`, `holiday`, `!holiday`,
 *   `peak`, `standard`, `off-peak`, `Mon-Fri 17:00-20:00 winter`.
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

/** `true`, `false` and their opposites. */
function booleanTerms(column: BooleanColumn): TermReader {
  return (operator, value) => {
    const plain = value.toLowerCase();
    if (/[<>]/.test(operator) || (plain !== 'true' && plain !== 'false')) return refused('notBoolean', value);
    const negated = operator.startsWith('!');
    const wanted = (plain === 'true') !== negated;
    return { ok: true, negated, test: row => (column.values[row] === 1) === wanted };
  };
}

/** Contained or not, equal or not. Each entry of the dictionary is compared once, at the first row. */
function textTerms(column: TextColumn | NestedColumn, locale: string): TermReader {
  const { codes, entries } = column.texts;
  const fold = textFold(locale);
  return (operator, value, quoted) => {
    const needle = fold(value);
    // The empty text is contained in every text: alone in its quotes it means itself.
    const whole = operator.endsWith('=') || (quoted && value === '');
    const matches = whole
      ? (entry: string) => entry.normalize() === value.normalize()
      : (entry: string) => fold(entry).includes(needle);
    const negated = operator.startsWith('!');
    let found: Uint8Array | undefined;
    const test = (row: number): boolean => {
      found ??= Uint8Array.from(entries, entry => (matches(entry) === negated ? 0 : 1));
      return found[codes[row] ?? 0] === 1;
    };
    return { ok: true, negated, test };
  };
}

/** Comparisons and ranges of numbers. */
function numberTerms(column: NumberColumn, locale: string): TermReader {
  const read = numberReader(locale);
  const valueAt = (row: number): number => column.values[row] ?? NaN;

  return (operator, value) => {
    const [first = '', end, ...more] = value.replace('…', '..').split('..');
    if (end === undefined) return comparison(operator, value);
    const isOpen = end.trimStart().startsWith('<');
    const second = isOpen ? end.replace('<', '') : end;
    if (more.length > 0 || /[<>]/.test(operator)) return refused('notNumber', value);
    const from = first.trim() === '' ? -Infinity : read(first);
    const to = second.trim() === '' ? Infinity : read(second);
    if (typeof from === 'string') return unread(from, first);
    if (typeof to === 'string') return unread(to, second);
    if (from === -Infinity && to === Infinity) return refused('notNumber', value);
    if (from > to) return refused('backwards', value);
    const negated = operator.startsWith('!');
    const isBelow = comparisons[isOpen ? '<' : '<='];
    return { ok: true, negated, test: row => (valueAt(row) >= from && isBelow(valueAt(row), to)) !== negated };
  };

  function comparison(operator: Operator, value: string): ParsedTerm {
    const limit = read(value);
    if (typeof limit === 'string') return unread(limit, value);
    const negated = operator.startsWith('!');
    const compare = comparisons[operator];
    return { ok: true, negated, test: row => compare(valueAt(row), limit) };
  }
}

const equal = (value: number, limit: number): boolean => value === limit;
const different = (value: number, limit: number): boolean => value !== limit;
const comparisons: Readonly<Record<Operator, (value: number, limit: number) => boolean>> = {
  '': equal,
  '=': equal,
  '!': different,
  '!=': different,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
};

function unread(why: 'none' | 'ambiguous', part: string): ParsedTerm {
  return refused(why === 'none' ? 'notNumber' : 'ambiguousNumber', part.trim());
}

/** The tests of all filters that can be read, and what is wrong with the others. Filters of columns that are not there are ignored. */
export function parseFilters(
  frame: Frame,
  filters: PanelView['filters'],
  context: FilterContext,
): { readonly tests: readonly RowTest[]; readonly problems: ReadonlyMap<string, FilterProblem> } {
  const tests: RowTest[] = [];
  const problems = new Map<string, FilterProblem>();
  for (const column of frame.columns) {
    const text = Object.hasOwn(filters, column.name) ? filters[column.name] : undefined;
    if (text === undefined || text.trim() === '') continue;
    const parsed = parseFilter(text, column, context);
    if (parsed.ok) tests.push(parsed.test);
    else problems.set(column.name, { problem: parsed.problem, part: parsed.part });
  }
  return { tests, problems };
}

/** What `parseFilter` reads as the rows with the value of this one (`=`), or as those with another value (`!=`). */
export function valueFilter(column: Column, row: number, sign: '=' | '!=', locale: string): string {
  if (stateAt(column, row) !== cellState.value) return sign === '=' ? 'null' : '!null';
  return `${sign}${valueText(column, row, locale)}`;
}

function valueText(column: Column, row: number, locale: string): string {
  switch (column.kind) {
    case 'number':
      return numberText(column.values[row] ?? NaN, locale);
    case 'time':
      return isoText(column.values[row] ?? NaN);
    case 'boolean':
      return String(column.values[row] === 1);
    case 'text':
    case 'nested':
      // Quoted whatever it is: commas, "or", the word null and quotes of its own mean themselves.
      return `"${textAt(column.texts, row).replaceAll('"', '""')}"`;
  }
}

/** What `parseFilter` reads as the numbers between two, the greater one `included` or not. */
export function rangeFilter(from: number, to: number, included: boolean, locale: string): string {
  return `${numberText(from, locale)}..${included ? '' : '<'}${numberText(to, locale)}`;
}

/** All digits; with the locale's decimal separator where "1.234" could be a number in thousands. */
function numberText(value: number, locale: string): string {
  const plain = String(value);
  return numberReader(locale)(plain) === 'ambiguous' ? plain.replace('.', ',') : plain;
}
