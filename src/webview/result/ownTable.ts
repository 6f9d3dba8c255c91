import type { Frame } from '../../shared/frame.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { ShownTable } from '../../shared/protocol.ts';
import type { PaperTable } from '../../presentation/report/reportSection.ts';
import { positionOf } from '../grid/gridDom.ts';
import { headerRow, isWide } from '../grid/gridSelection.ts';
import { LastResult } from '../lastResult.ts';
import { initialView, type OwnTableView, type PanelView, type ResultTab } from '../../shared/savedView.ts';
import { RowModel, type ShownRows, type TableState } from './rowModel.ts';
import type { TabParts } from './tabParts.ts';
import { TableTab } from './tableTab.ts';

/** Rows that are computed from those of a result. */
export interface ComputedRows {
  readonly frame: Frame;
  /** The length of the interval in milliseconds. */
  readonly step: number;
  /** What they are in place of those of the result; undefined for the numbers of a chart. */
  readonly analysis?: Pick<Analysis, 'find' | 'score' | 'summarise'>;
  /** The kind of chart whose numbers they are. */
  readonly chart?: string;
  /** Filters leave out hours that are not looked at. */
  readonly isFiltered?: boolean;
  /** What is said of the rows above them. */
  readonly sentence?: string;
}

/** The table of a tab other than Table: rows that are computed from those of the result, sorted and arranged by themselves. */
export class OwnTable {
  readonly table: TableTab;
  readonly #rows: RowModel;
  readonly #view: () => PanelView;
  readonly #last = new LastResult<ComputedRows>();
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
    const { host, view, change } = parts;
    const { sort, arrangement, filters, linked, missingRows, intervalEnd } = initialView;
    const ownView = (): OwnTableView => view().tables[tab] ?? { sort, arrangement };
    this.#rows = new RowModel(host.locale);
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

  /** Computes rows from those of a result, or from some of them, once for each key. */
  compute(state: TableState, key: string, make: () => ComputedRows, some?: Uint32Array): void {
    const computed = this.#last.of(some ?? state.frame, key, make);
    this.#computed = computed;
    const { frame, step } = computed;
    this.#state = { ...state, frame, step, coverage: undefined, compared: [] };
    this.#shown = this.#rows.shown(this.#state, this.#view());
  }

  /** There are no rows to compute. */
  clear(): void {
    this.#computed = this.#state = this.#shown = undefined;
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

  /** What is shown, for a report; undefined while there is nothing. */
  paperTable(): PaperTable | undefined {
    const [state, shown] = [this.#state, this.#shown];
    return state && shown && this.table.paperTable(state, shown);
  }

  footer(): string {
    return this.#state && this.#shown ? this.table.footer(this.#shown, this.#state) : '';
  }

  /** What is shown, for an export; undefined while there is nothing. `ofResult`: what makes the rows of the result's own table. */
  shownTable(ofResult: Analysis): ShownTable | undefined {
    const [state, shown, computed] = [this.#state, this.#shown, this.#computed];
    if (!state || !shown || !computed) return undefined;
    const { frame, order } = shown;
    const { analysis, chart } = computed;
    const numbers = chart === undefined ? undefined : { chart, frame, ...(order && { rows: order }) };
    const { derive, where, resample, figures, within } = ofResult;
    const { sort } = this.#view();
    // Events and scores are of the rows as received, a summary is of those that the table shows.
    const own = analysis && {
      ...(derive && { derive }),
      ...(where && { where }),
      ...(analysis.summarise && {
        ...(resample && { resample }),
        ...(figures && { figures }),
        ...(within && { within }),
      }),
      ...analysis,
      ...(sort.length > 0 && { sort }),
    };
    return this.table.shownTable(state, shown, own ?? ofResult, numbers);
  }
}
