import type { ComputedRows } from '../../presentation/result/computedRows.ts';
import { createDisplayedRows } from '../../presentation/result/displayedRows.ts';
import { findCellPosition } from '../grid/gridDom.ts';
import { headerRow, hasMultipleCells } from '../grid/gridSelection.ts';
import { initialView, type TabTableView, type View, type ResultTab } from '../../shared/view.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { DisplayedRows } from '../../presentation/result/displayedRows.ts';
import type { TabDeps } from './tabDeps.ts';
import { TableTab } from './tableTab.ts';

/** The table of a tab other than Table. Its rows are computed from the result, and it has its own sort and column arrangement. */
export class TabTable {
  readonly table: TableTab;
  readonly #view: () => View;
  #state: TableState | undefined;
  #displayedRows: DisplayedRows | undefined;
  /** The rows on screen; undefined before there are any. */
  #computed: ComputedRows | undefined;

  /**
   * `label` names the table for screen readers. `onOpen` is called on Enter and a double-click, to show the focused row in another tab,
   * `onClick` on a click on a row, and `onMove` when the focused row may have changed.
   */
  constructor(
    deps: TabDeps,
    tab: ResultTab,
    label: string,
    {
      onOpen,
      onClick,
      onMove,
    }: { readonly onOpen: () => void; readonly onClick?: () => void; readonly onMove?: () => void },
  ) {
    const { view, changeView } = deps;
    const { sort, arrangement, filters, linked, missingRows, intervalEnd } = initialView;
    const getTableView = (): TabTableView => view().tables[tab] ?? { sort, arrangement };
    const fixedParts = {
      filters,
      linked,
      missingRows,
      intervalEnd,
      summaries: false,
      hints: false,
      tab: 'table',
    } as const;
    this.#view = () => ({ ...view(), ...fixedParts, ...getTableView() });
    const tableDeps: TabDeps = {
      ...deps,
      view: this.#view,
      changeView: ({ sort, arrangement }) =>
        changeView({
          tables: {
            ...view().tables,
            [tab]: { ...getTableView(), ...(sort && { sort }), ...(arrangement !== undefined && { arrangement }) },
          },
        }),
      canFilter: () => false,
      getRowKind: () => 'computed',
    };
    this.table = new TableTab(tableDeps, label, onMove);
    const { element } = this.table.grid;
    const isDataRow = (target: EventTarget | null): boolean => (findCellPosition(target)?.row ?? headerRow) > headerRow;
    // The grid has captured the pointer, so that the target of the event is not the cell.
    const isOverDataRow = ({ clientX, clientY }: MouseEvent): boolean =>
      isDataRow(document.elementFromPoint(clientX, clientY));
    element.addEventListener('dblclick', event => {
      if (isOverDataRow(event)) onOpen();
    });
    element.addEventListener('click', event => {
      const { range } = this.table.grid;
      // A drag selects cells and must not trigger a click.
      if (event.detail === 1 && isOverDataRow(event) && !(range && hasMultipleCells(range))) onClick?.();
    });
    element.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !isDataRow(event.target)) return;
      event.preventDefault();
      onOpen();
    });
  }

  /** The rows on screen; undefined before there are any. */
  get rows(): ComputedRows | undefined {
    return this.#computed;
  }

  /** Sets the rows to show, if any, and the result from which they were computed. */
  setRows(state: TableState, computed: ComputedRows | undefined): void {
    this.#computed = computed;
    const { frame, zone, intervalMs } = computed ?? {};
    this.#state = frame && zone && { ...state, frame, zone, intervalMs, coverage: undefined, compared: [] };
    this.#displayedRows = computed && createDisplayedRows(computed, computed.intervalMs);
  }

  /** Shows the rows that were set last. The table must be in the page. */
  show(): void {
    if (this.#state && this.#displayedRows) this.table.show(this.#state, this.#displayedRows);
  }

  /** The value of a time column in the focused row, or the first one, in UTC milliseconds; undefined without such a column. */
  instantAt(name: string): number | undefined {
    const { grid, cells } = this.table;
    const row = cells.toDataRow(Math.max(0, grid.position().row));
    const column = this.#computed?.frame.columns.find(candidate => candidate.name === name);
    return column?.kind === 'time' ? column.values[row] : undefined;
  }

  footer(): string {
    return this.#state && this.#displayedRows ? this.table.footer(this.#displayedRows, this.#state) : '';
  }
}
