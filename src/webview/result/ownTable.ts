import type { Analysis, ShownTable } from '../../shared/protocol.ts';
import { initialView, type OwnTableView, type PanelView, type ResultTab } from './panelView.ts';
import { RowModel, type ShownRows, type TableState } from './rowModel.ts';
import type { TabParts } from './tabParts.ts';
import { TableTab } from './tableTab.ts';

/** The table of a tab other than Table: rows that are computed from those of the result, sorted and arranged by themselves. */
export class OwnTable {
  readonly table: TableTab;
  readonly #rows: RowModel;
  readonly #view: () => PanelView;
  #shows: { readonly state: TableState; readonly shown: ShownRows } | undefined;

  /** `label` names the table for a screen reader. */
  constructor(parts: TabParts, tab: ResultTab, label: string) {
    const { host, view, change } = parts;
    const { sort, arrangement, filters, linked, missingRows, intervalEnd } = initialView;
    const ownView = (): OwnTableView => view().tables[tab] ?? { sort, arrangement };
    this.#rows = new RowModel(host.locale);
    this.#view = () => ({ ...view(), filters, linked, missingRows, intervalEnd, ...ownView(), tab: 'table' });
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
    this.table = new TableTab(own, label);
  }

  /** Shows the rows of `state.frame`. The table must stand in the page. */
  show(state: TableState): void {
    const shown = this.#rows.shown(state, this.#view());
    this.#shows = { state, shown };
    this.table.show(state, shown);
  }

  footer(): string {
    return this.#shows ? this.table.footer(this.#shows.shown, this.#shows.state) : '';
  }

  /** What is shown, for an export; undefined before. `analysis` says how the rows are computed. */
  shownTable(analysis: Analysis): ShownTable | undefined {
    return this.#shows && this.table.shownTable(this.#shows.state, this.#shows.shown, analysis);
  }
}
