import { timeColumnOf } from '../../core/frame/clip.ts';
import { cellState, stateAt, type Frame } from '../../shared/frame.ts';
import type { TimeWindow } from '../result/panelView.ts';
import { parseFilter } from './parseFilter.ts';
import type { FilterContext, FilterProblem, RowTest } from './filterTypes.ts';

/** What was typed, by column name. */
export type FilterText = Readonly<Record<string, string>>;

/**
 * The rows that pass every test, in the order of the data; undefined where nothing is asked. The window is a stretch of
 * the time column: rows without a time are outside; without a time column it says nothing.
 */
export function filterRows(frame: Frame, tests: readonly RowTest[], window?: TimeWindow): Uint32Array | undefined {
  const all = [...windowTests(frame, window), ...tests];
  const [first, ...others] = all;
  if (!first) return undefined;
  const rows = new Uint32Array(frame.rowCount);
  let count = 0;
  for (let row = 0; row < frame.rowCount; row++) {
    if (!first(row) || !others.every(test => test(row))) continue;
    rows[count] = row;
    count += 1;
  }
  return rows.slice(0, count);
}

/** The tests of all filters that can be read; those that cannot are left out and named. Filters of columns that are not there wait. */
export function parseFilters(
  frame: Frame,
  filters: FilterText,
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

function windowTests(frame: Frame, window: TimeWindow | undefined): RowTest[] {
  const time = window && timeColumnOf(frame);
  if (!time) return [];
  const { start, end } = window;
  return [
    row => {
      const ms = time.values[row] ?? NaN;
      return ms >= start && ms < end && stateAt(time, row) === cellState.value;
    },
  ];
}
