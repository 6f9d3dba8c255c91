import type { Frame } from '../../shared/frame.ts';
import type { PanelView } from '../../shared/savedView.ts';
import type { FilterContext } from '../../core/filter/filterTypes.ts';
import { filterRows } from '../../core/filter/filterRows.ts';
import { parseFilters } from '../../core/filter/parseFilter.ts';
import { sortRows, TextRanks } from '../../core/sort/sortRows.ts';

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
