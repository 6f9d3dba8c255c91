import type { ComputedRows } from '../../presentation/result/computedRows.ts';
import { shownRows } from '../../presentation/result/shownRows.ts';
import { positionOf } from '../grid/gridDom.ts';
import { headerRow, isWide } from '../grid/gridSelection.ts';
import { initialView, type OwnTableView, type PanelView, type ResultTab } from '../../shared/savedView.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { ShownRows } from '../../presentation/result/shownRows.ts';
import type { TabParts } from './tabParts.ts';
import { TableTab } from './tableTab.ts';

/** The table of a tab other than Table: rows that are computed from those of the result, sorted and arranged by themselves. */
export class OwnTable {
  readonly table: TableTab;
  readonly #view: () => PanelView;
  #state: TableState | undefined;
  #shown: ShownRows | undefined;
  /** The rows on screen; undefined before there are any. */
  #computed: ComputedRows | undefined;

  /**
   * `label` names the table for a screen reader. `open`: shows the focused row elsewhere, on
   * Enter and a double-click. `clicked`: it was clicked. `moved`: the focused row may be another one.
   */
  constructor(
    parts: TabParts,
    tab: ResultTab,
    label: string,
    { open, clicked, moved }: { readonly open: () => void; readonly clicked?: () => void; readonly moved?: () => void },
  ) {
    const { view, change } = parts;
    const { sort, arrangement, filters, linked, missingRows, intervalEnd } = initialView;
    const ownView = (): OwnTableView => view().tables[tab] ?? { sort, arrangement };
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
    const isRow = (target: EventTarget | null): boolean => (positionOf(target)?.row ?? headerRow) > headerRow;
    // The grid has captured the pointer, so the event is not of the cell.
    const isAtRow = ({ clientX, clientY }: MouseEvent): boolean => isRow(document.elementFromPoint(clientX, clientY));
    element.addEventListener('dblclick', event => {
      if (isAtRow(event)) open();
    });
    element.addEventListener('click', event => {
      const { range } = this.table.grid;
      // A drag selects.
      if (event.detail === 1 && isAtRow(event) && !(range && isWide(range))) clicked?.();
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

  /** Takes the rows to show, and the result that they are computed from; undefined for none. */
  take(of: TableState, computed: ComputedRows | undefined): void {
    this.#computed = computed;
    const { frame, zone, step } = computed ?? {};
    this.#state = frame && zone && { ...of, frame, zone, step, coverage: undefined, compared: [] };
    this.#shown = computed && shownRows(computed, computed.step);
  }

  /** Shows the rows that were computed last. The table must stand in the page. */
  show(): void {
    if (this.#state && this.#shown) this.table.show(this.#state, this.#shown);
  }

  /** The instant that a time column has in the focused row, or else the first; undefined without one. UTC milliseconds. */
  instantAt(name: string): number | undefined {
    const { grid, cells } = this.table;
    const row = cells.dataRow(Math.max(0, grid.place().row));
    const column = this.#computed?.frame.columns.find(one => one.name === name);
    return column?.kind === 'time' ? column.values[row] : undefined;
  }

  footer(): string {
    return this.#state && this.#shown ? this.table.footer(this.#shown, this.#state) : '';
  }
}
