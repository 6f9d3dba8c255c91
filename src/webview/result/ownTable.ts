import type { ComputedRows } from '../../presentation/result/computedRows.ts';
import { shownRows } from '../../presentation/result/shownRows.ts';
import { findCellPosition } from '../grid/gridDom.ts';
import { headerRow, hasMultipleCells } from '../grid/gridSelection.ts';
import { initialView, type TabTableView, type View, type ResultTab } from '../../shared/view.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { ShownRows } from '../../presentation/result/shownRows.ts';
import type { TabParts } from './tabParts.ts';
import { TableTab } from './tableTab.ts';

/** The table of a tab other than Table. Its rows are computed from the result, and it has its own sort and column arrangement. */
export class OwnTable {
  readonly table: TableTab;
  readonly #view: () => View;
  #state: TableState | undefined;
  #shown: ShownRows | undefined;
  /** The rows on screen; undefined before there are any. */
  #computed: ComputedRows | undefined;

  /**
   * `label` names the table for screen readers. `open` is called on Enter and a double-click, to show the focused row in another tab,
   * `clicked` on a click on a row, and `moved` when the focused row may have changed.
   */
  constructor(
    parts: TabParts,
    tab: ResultTab,
    label: string,
    { open, clicked, moved }: { readonly open: () => void; readonly clicked?: () => void; readonly moved?: () => void },
  ) {
    const { view, change } = parts;
    const { sort, arrangement, filters, linked, missingRows, intervalEnd } = initialView;
    const ownView = (): TabTableView => view().tables[tab] ?? { sort, arrangement };
    const fixed = { filters, linked, missingRows, intervalEnd, summaries: false, hints: false, tab: 'table' } as const;
    this.#view = () => ({ ...view(), ...fixed, ...ownView() });
    const own: TabParts = {
      ...parts,
      view: this.#view,
      change: ({ sort, arrangement }) =>
        change({
          tables: {
            ...view().tables,
            [tab]: { ...ownView(), ...(sort && { sort }), ...(arrangement !== undefined && { arrangement }) },
          },
        }),
      canFilter: () => false,
      rows: () => 'computed',
    };
    this.table = new TableTab(own, label, moved);
    const { element } = this.table.grid;
    const isRow = (target: EventTarget | null): boolean => (findCellPosition(target)?.row ?? headerRow) > headerRow;
    // The grid has captured the pointer, so that the target of the event is not the cell.
    const isAtRow = ({ clientX, clientY }: MouseEvent): boolean => isRow(document.elementFromPoint(clientX, clientY));
    element.addEventListener('dblclick', event => {
      if (isAtRow(event)) open();
    });
    element.addEventListener('click', event => {
      const { range } = this.table.grid;
      // A drag only selects.
      if (event.detail === 1 && isAtRow(event) && !(range && hasMultipleCells(range))) clicked?.();
    });
    element.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !isRow(event.target)) return;
      event.preventDefault();
      open();
    });
  }

  /** The rows on screen; undefined before there are any. */
  get rows(): ComputedRows | undefined {
    return this.#computed;
  }

  /** Sets the rows to show, or none, and the result that they were computed from. */
  take(of: TableState, computed: ComputedRows | undefined): void {
    this.#computed = computed;
    const { frame, zone, step } = computed ?? {};
    this.#state = frame && zone && { ...of, frame, zone, step, coverage: undefined, compared: [] };
    this.#shown = computed && shownRows(computed, computed.step);
  }

  /** Shows the rows that were set last. The table must be in the page. */
  show(): void {
    if (this.#state && this.#shown) this.table.show(this.#state, this.#shown);
  }

  /** The value of a time column in the focused row, or the first one, in UTC milliseconds; undefined without such a column. */
  instantAt(name: string): number | undefined {
    const { grid, cells } = this.table;
    const row = cells.dataRow(Math.max(0, grid.position().row));
    const column = this.#computed?.frame.columns.find(one => one.name === name);
    return column?.kind === 'time' ? column.values[row] : undefined;
  }

  footer(): string {
    return this.#state && this.#shown ? this.table.footer(this.#shown, this.#state) : '';
  }
}
