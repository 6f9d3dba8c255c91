import { createCalendarMatcher } from '../calendar/calendarMatcher.ts';
import type {
  CellSpan,
  FilterContext,
  FilterProblem,
  MatchedCells,
  InvalidFilter,
  FilterConditions,
} from './filterTypes.ts';
import { parseFilterConditions } from './readFilter.ts';
import { cellState, getCellState, getText, type Column, type Frame } from '../../shared/frame.ts';
import { formatIsoInstant } from '../../shared/formatTime.ts';
import { createNumberParser } from '../../shared/localeNumber.ts';
import type { View } from '../../shared/view.ts';
import { createTextFolder } from './textFold.ts';

/** Whether a row passes a filter. */
export type RowTest = (row: number) => boolean;

type ParsedFilter = { readonly ok: true; readonly test: RowTest } | InvalidFilter;

/** Parses the filter of a column into a test of rows; see `parseFilterConditions` for the grammar. Every row passes an empty filter. */
export function parseFilter(text: string, column: Column, context: FilterContext): ParsedFilter {
  const conditions = parseFilterConditions(text, column, context);
  return conditions.ok ? { ok: true, test: createRowTest(conditions, column, context) } : conditions;
}

function createRowTest(
  { conditions, mustMatchAll }: FilterConditions,
  column: Column,
  context: FilterContext,
): RowTest {
  const tests = conditions.map(({ cells, negated }): RowTest => {
    if (cells.kind === 'missing') return row => (getCellState(column, row) === cellState.value) === negated;
    const isMatch = createCellTest(cells, column, context);
    // Only the condition `null` matches a cell without a value.
    return column.gaps
      ? row => getCellState(column, row) === cellState.value && isMatch(row) !== negated
      : row => isMatch(row) !== negated;
  });
  const [singleTest] = tests;
  if (singleTest && tests.length === 1) return singleTest;
  return mustMatchAll ? row => tests.every(test => test(row)) : row => tests.some(test => test(row));
}

/** Creates the test of a row whose cell has a value. */
function createCellTest(
  cells: Exclude<MatchedCells, { kind: 'missing' }>,
  column: Column,
  context: FilterContext,
): RowTest {
  if (column.kind === 'text' || column.kind === 'nested') {
    const { codes, entries } = column.texts;
    const test = createTextTest(cells, context.locale);
    // Each entry of the dictionary is tested once, when a row first uses it: 0 is not tested yet, 1 is a match, 2 is no match.
    let results: Uint8Array | undefined;
    return row => {
      results ??= new Uint8Array(entries.length);
      const code = codes[row] ?? 0;
      results[code] ||= test(entries[code] ?? '') ? 1 : 2;
      return results[code] === 1;
    };
  }
  if (cells.kind === 'filter') return createRowTest(cells, column, context);
  const { values } = column;
  if (cells.kind === 'calendar') {
    const matchesCalendar = createCalendarMatcher(cells.parts, cells.timeZone, context.tariffs);
    return row => matchesCalendar(values[row] ?? NaN);
  }
  const [first, ...others] = cells.kind === 'spans' ? cells.spans.map(createSpanTest) : [];
  return row => {
    const value = values[row] ?? NaN;
    return first?.(value) === true || others.some(test => test(value));
  };
}

function createSpanTest({ from, to, excluded }: CellSpan): (value: number) => boolean {
  if (excluded === 'to') return value => value >= from && value < to;
  return excluded === 'from' ? value => value > from && value <= to : value => value >= from && value <= to;
}

function createTextTest(cells: MatchedCells, locale: string): (entry: string) => boolean {
  if (cells.kind !== 'text') return () => false;
  const { text, isWhole } = cells;
  const fold = createTextFolder(locale);
  const searchedText = isWhole ? text.normalize() : fold(text);
  return entry => (isWhole ? entry.normalize() === searchedText : fold(entry).includes(searchedText));
}

/** Returns the tests of all valid filters, and the problems of the others by column. Ignores filters of columns that don't exist. */
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

/** Formats the filter of the rows with the same value as a row (`=`), or with another value (`!=`). */
export function formatValueFilter(column: Column, row: number, sign: '=' | '!=', locale: string): string {
  if (getCellState(column, row) !== cellState.value) return sign === '=' ? 'null' : '!null';
  return `${sign}${formatValue(column, row, locale)}`;
}

function formatValue(column: Column, row: number, locale: string): string {
  switch (column.kind) {
    case 'number':
      return formatNumber(column.values[row] ?? NaN, locale);
    case 'time':
      return formatIsoInstant(column.values[row] ?? NaN);
    case 'boolean':
      return String(column.values[row] === 1);
    case 'text':
    case 'nested':
      // Always quoted, so that commas, "or", "null" and quotes within the text are taken literally.
      return `"${getText(column.texts, row).replaceAll('"', '""')}"`;
  }
}

/** Formats the filter of a range of numbers. `included` tells whether `to` is part of the range. */
export function formatRangeFilter(from: number, to: number, included: boolean, locale: string): string {
  return `${formatNumber(from, locale)}..${included ? '' : '<'}${formatNumber(to, locale)}`;
}

/** Formats a number with all of its digits. Uses a decimal comma if "1.234" could also mean a number in thousands. */
function formatNumber(value: number, locale: string): string {
  const plain = String(value);
  return createNumberParser(locale)(plain) === 'ambiguous' ? plain.replace('.', ',') : plain;
}
