import { binEdges } from '../../core/bins/binEdges.ts';
import { cellState, stateAt, type Frame } from '../../shared/frame.ts';
import { chartTimes } from '../chart/chartColumns.ts';
import type { PanelView, TimeWindow } from '../../shared/savedView.ts';
import type { FilterContext } from '../../core/filter/filterTypes.ts';
import { parseFilters, type RowTest } from './parseFilter.ts';
import { sortRows, TextRanks } from './sortRows.ts';

/** What decides which rows are shown and in what order. */
export type OrderChoice = Pick<PanelView, 'sort' | 'filters'> & Partial<Pick<PanelView, 'window'>>;

interface Cached {
  readonly key: string;
  readonly rows: Uint32Array | undefined;
}

/**
 * The data rows in the order shown. Caches the last result: another sort reuses the filtered rows, and the same choice returns
 * the same array.
 */
export class RowOrder {
  readonly #context: FilterContext;
  readonly #ranks: TextRanks;
  #frame: Frame | undefined;
  #filtered: Cached | undefined;
  #sorted: Cached | undefined;

  /** Another zone or locale needs another one: filters of times are read in the zone shown. */
  constructor(context: FilterContext) {
    this.#context = context;
    this.#ranks = new TextRanks(context.locale);
  }

  /** Undefined means all rows as they are. */
  orderOf(frame: Frame, { sort, filters, window }: OrderChoice): Uint32Array | undefined {
    if (frame !== this.#frame) this.#filtered = this.#sorted = undefined;
    this.#frame = frame;
    const filterKey = JSON.stringify([filters, window]);
    if (this.#filtered?.key !== filterKey) {
      const { tests } = parseFilters(frame, filters, this.#context);
      this.#filtered = { key: filterKey, rows: filterRows(frame, tests, window) };
      this.#sorted = undefined;
    }
    const { rows } = this.#filtered;
    const keys = sort.filter(({ column }) => frame.columns.some(({ name }) => name === column));
    if (keys.length === 0) return rows;
    const sortKey = JSON.stringify(keys);
    if (this.#sorted?.key !== sortKey) this.#sorted = { key: sortKey, rows: sortRows(frame, keys, rows, this.#ranks) };
    return this.#sorted.rows;
  }
}

/**
 * The rows that pass every test, in the order of the data; undefined where there is no test. Rows without a time are outside
 * the window, and a bin is inside with any part of it; without a time column there is no window.
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

function windowTests(frame: Frame, window: TimeWindow | undefined): RowTest[] {
  const time = window && chartTimes(frame);
  if (!time) return [];
  const { bins } = time;
  const { end } = window;
  // The beginning of the bin that the window begins in.
  const begin = { start: window.start, end: window.start };
  const start = bins ? (binEdges(begin, bins.size, bins.timeZone)[0] ?? window.start) : window.start;
  return [
    row => {
      const ms = time.values[row] ?? NaN;
      return ms >= start && ms < end && stateAt(time, row) === cellState.value;
    },
  ];
}
