import type { Frame } from '../../shared/frame.ts';
import type { SortKey, TimeWindow } from '../result/panelView.ts';
import { filterRows, parseFilters, type FilterText } from './filterRows.ts';
import type { FilterContext } from './filterTypes.ts';
import { sortRows } from './sortRows.ts';
import { TextRanks } from './textRanks.ts';

/** What decides which rows are shown and in what order. */
export interface OrderChoice {
  readonly sort: readonly SortKey[];
  readonly filters: FilterText;
  /** The stretch of time the chart shows, where the table follows it. */
  readonly window?: TimeWindow | undefined;
}

interface Kept {
  readonly key: string;
  readonly rows: Uint32Array | undefined;
}

/**
 * The data rows in the order shown. Remembers the last answer: another sort goes over the rows filtered before, and the same
 * question gets the very same array.
 */
export class RowOrder {
  readonly #context: FilterContext;
  readonly #ranks: TextRanks;
  #frame: Frame | undefined;
  #filtered: Kept | undefined;
  #sorted: Kept | undefined;

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
