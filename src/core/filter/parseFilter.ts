import { calendarTest } from '../calendar/calendarTest.ts';
import type { CellSpan, FilterContext, FilterProblem, FoundCells, NoFilter, ReadFilter } from './filterTypes.ts';
import { readFilter } from './readFilter.ts';
import { cellState, getCellState, getText, type Column, type Frame } from '../../shared/frame.ts';
import { formatIsoInstant } from '../../shared/formatTime.ts';
import { createNumberParser } from '../../shared/localeNumber.ts';
import type { View } from '../../shared/view.ts';
import { textFold } from './textFold.ts';

/** Whether a data row is shown. */
export type RowTest = (row: number) => boolean;

type ParsedFilter = { readonly ok: true; readonly test: RowTest } | NoFilter;

/** What was typed as the filter of a column, by the grammar of `readFilter`, as a test of rows. An empty text shows every row. */
export function parseFilter(text: string, column: Column, context: FilterContext): ParsedFilter {
  const read = readFilter(text, column, context);
  return read.ok ? { ok: true, test: filterTest(read, column, context) } : read;
}

function filterTest({ conditions, isEach }: ReadFilter, column: Column, context: FilterContext): RowTest {
  const tests = conditions.map(({ cells, negated }): RowTest => {
    if (cells.kind === 'missing') return row => (getCellState(column, row) === cellState.value) === negated;
    const isFound = cellTest(cells, column, context);
    // No other condition finds a cell without a value.
    return column.gaps
      ? row => getCellState(column, row) === cellState.value && isFound(row) !== negated
      : row => isFound(row) !== negated;
  });
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return isEach ? row => tests.every(test => test(row)) : row => tests.some(test => test(row));
}

/** Of a row that has a value. */
function cellTest(cells: Exclude<FoundCells, { kind: 'missing' }>, column: Column, context: FilterContext): RowTest {
  if (column.kind === 'text' || column.kind === 'nested') {
    const { codes, entries } = column.texts;
    const test = textTest(cells, context.locale);
    // Each entry of the dictionary is compared once, at its first row: 1 matches, 2 does not.
    let matching: Uint8Array | undefined;
    return row => {
      matching ??= new Uint8Array(entries.length);
      const code = codes[row] ?? 0;
      matching[code] ||= test(entries[code] ?? '') ? 1 : 2;
      return matching[code] === 1;
    };
  }
  if (cells.kind === 'filter') return filterTest(cells, column, context);
  const { values } = column;
  if (cells.kind === 'calendar') {
    const isIn = calendarTest(cells.parts, cells.timeZone, context.tariffs);
    return row => isIn(values[row] ?? NaN);
  }
  const [first, ...others] = cells.kind === 'spans' ? cells.spans.map(spanTest) : [];
  return row => {
    const value = values[row] ?? NaN;
    return first?.(value) === true || others.some(test => test(value));
  };
}

function spanTest({ from, to, without }: CellSpan): (value: number) => boolean {
  if (without === 'to') return value => value >= from && value < to;
  return without === 'from' ? value => value > from && value <= to : value => value >= from && value <= to;
}

function textTest(cells: FoundCells, locale: string): (entry: string) => boolean {
  if (cells.kind !== 'text') return () => false;
  const { text, isWhole } = cells;
  const fold = textFold(locale);
  const needle = isWhole ? text.normalize() : fold(text);
  return entry => (isWhole ? entry.normalize() === needle : fold(entry).includes(needle));
}

/** The tests of all filters that can be read, and what is wrong with the others. Filters of columns that are not there are ignored. */
export function parseFilters(
  frame: Frame,
  filters: View['filters'],
  context: FilterContext,
): { readonly tests: readonly RowTest[]; readonly problems: ReadonlyMap<string, FilterProblem> } {
  const tests: RowTest[] = [];
  const problems = new Map<string, FilterProblem>();
  for (const column of frame.columns) {
    const text = Object.hasOwn(filters, column.name) ? filters[column.name] : undefined;
    if (text === undefined || text.trim() === '') continue;
    const parsed = parseFilter(text, column, context);
    if (parsed.ok) tests.push(parsed.test);
    else {
      const { ok: _, ...problem } = parsed;
      problems.set(column.name, problem);
    }
  }
  return { tests, problems };
}

/** What `parseFilter` reads as the rows with the value of this one (`=`), or as those with another value (`!=`). */
export function valueFilter(column: Column, row: number, sign: '=' | '!=', locale: string): string {
  if (getCellState(column, row) !== cellState.value) return sign === '=' ? 'null' : '!null';
  return `${sign}${valueText(column, row, locale)}`;
}

function valueText(column: Column, row: number, locale: string): string {
  switch (column.kind) {
    case 'number':
      return numberText(column.values[row] ?? NaN, locale);
    case 'time':
      return formatIsoInstant(column.values[row] ?? NaN);
    case 'boolean':
      return String(column.values[row] === 1);
    case 'text':
    case 'nested':
      // Quoted whatever it is: commas, "or", the word null and quotes of its own mean themselves.
      return `"${getText(column.texts, row).replaceAll('"', '""')}"`;
  }
}

/** What `parseFilter` reads as the numbers between two, the greater one `included` or not. */
export function rangeFilter(from: number, to: number, included: boolean, locale: string): string {
  return `${numberText(from, locale)}..${included ? '' : '<'}${numberText(to, locale)}`;
}

/** All digits; with the locale's decimal separator where "1.234" could be a number in thousands. */
function numberText(value: number, locale: string): string {
  const plain = String(value);
  return createNumberParser(locale)(plain) === 'ambiguous' ? plain.replace('.', ',') : plain;
}
