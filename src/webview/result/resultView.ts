import { html, nothing, type TemplateResult } from 'lit';
import { sameZone } from '../../core/time/zone.ts';
import { namedState } from '../../shared/namedState.ts';
import type { DisplayZone, HeaderPart, QueryTools, RawResponse } from '../../shared/protocol.ts';
import type { ShownTable } from '../../shared/shownTable.ts';
import { headText, type ResultHost } from './tabParts.ts';
import { ChartTab } from './chartTab.ts';
import { CoveragePart } from './coveragePart.ts';
import { filterBar, filterFields } from './filterBar.ts';
import { initialView, type PanelView, type ResultTab, type TimeWindow } from './panelView.ts';
import { rawTab } from './rawTab.ts';
import { RowModel, type ShownRows, type TableState } from './rowModel.ts';
import { StatisticsTab } from './statisticsTab.ts';
import { TableTab } from './tableTab.ts';
import { toolbar } from './toolbar.ts';

/** A result with its toolbar, its coverage and its four tabs. One view of it is shared by all: sort, filter, zoom, zone. */
export class ResultView {
  readonly #host: ResultHost;
  readonly #rows: RowModel;
  readonly table: TableTab;
  readonly #chart: ChartTab;
  readonly #statistics: StatisticsTab;
  readonly #coverage: CoveragePart;
  #view: PanelView;
  #state: TableState | undefined;
  #shownNow: ShownRows | undefined;
  /** The response; undefined until the host has sent it. */
  #raw: RawResponse | undefined;

  constructor(host: ResultHost, view: PanelView) {
    this.#host = host;
    this.#view = view;
    this.#rows = new RowModel(host.locale);
    const parts = {
      host,
      view: () => this.#view,
      change: (change: Partial<PanelView>) => this.#change(change),
      open: (tab: ResultTab) => this.#open(tab),
      reset: () => this.#change({ ...initialView, tab: this.#view.tab }),
    };
    this.table = new TableTab(parts);
    this.#chart = new ChartTab(parts, window => this.#selectTimes(window));
    this.#statistics = new StatisticsTab(parts);
    this.#coverage = new CoveragePart(host, instant => this.#goToTime(instant));
  }

  /** Takes another result, or the same one again. The page shows `body()` before: the table measures itself. */
  show(state: TableState): void {
    const other = state.frame !== this.#state?.frame;
    this.#state = state;
    if (other) this.#raw = undefined;
    this.#update();
    this.#coverage.show(state);
    if (this.#view.tab === 'raw') this.#host.askRaw();
  }

  /** The same rows in another zone. */
  showZone(zone: DisplayZone, header: readonly HeaderPart[]): void {
    if (this.#state) this.show({ ...this.#state, zone, header });
  }

  /** The same rows, of a query that is called otherwise. */
  showNames(title: string, named: Omit<QueryTools, 'actions'>): void {
    const state = this.#state;
    if (state) this.#state = namedState(state, title, named);
  }

  /** What the table shows, whichever tab is open; undefined before the rows are there. */
  shownTable(): ShownTable | undefined {
    const state = this.#state;
    const shownNow = this.#shownNow;
    return state && !state.isHead && shownNow ? this.table.shownTable(state, shownNow) : undefined;
  }

  showRaw(raw: RawResponse): void {
    this.#raw = raw;
    this.#host.render();
  }

  themeChanged(): void {
    this.table.themeChanged();
    this.#chart.themeChanged();
    this.#coverage.themeChanged();
  }

  /** Gives the keyboard to the table, where that is open. */
  focus(scrolling: 'reveal' | 'stay'): void {
    if (this.#view.tab === 'table') this.table.focus(scrolling);
  }

  toolbar(): TemplateResult {
    const host = this.#host;
    const state = this.#state;
    if (!state) return html``;
    const { tools, zone } = state;
    const zones = host.ownZone ? withOwn(state.zones, host.ownZone) : state.zones;
    return toolbar({
      tools,
      zone,
      zones,
      act: host.act,
      setZone: host.setZone,
      tab: this.#view.tab,
      setTab: tab => this.#open(tab),
      more: anchor => this.table.menus.openMore(tools.actions, anchor),
    });
  }

  /** What stands between header and footer. */
  body(): TemplateResult {
    const { tab } = this.#view;
    return html`${this.#coverage.template()} ${this.#filters()}
      <div class="tab" id="result-${tab}" role="tabpanel" aria-labelledby="tab-${tab}">${this.#tabBody()}</div>`;
  }

  footer(): string {
    const host = this.#host;
    const state = this.#state;
    const shownNow = this.#shownNow;
    if (!state || !shownNow) return '';
    return state.isHead ? headText(shownNow.rowCount, host.locale) : this.table.footer(shownNow, state);
  }

  #tabBody(): TemplateResult | typeof nothing {
    switch (this.#view.tab) {
      case 'table':
        return this.table.template();
      case 'chart':
        return html`${this.#chart.element}`;
      case 'statistics':
        return html`${this.#statistics.element}`;
      case 'raw':
        return rawTab({ state: this.#state, raw: this.#raw, locale: this.#host.locale, act: this.#host.act });
    }
  }

  #filters() {
    const view = this.#view;
    const state = this.#state;
    if (!state || view.tab === 'raw') return nothing;
    return filterBar({
      filters: filterFields(this.#shownNow?.frame ?? state.frame, view.filters, this.#host.locale, state.zone),
      change: (column, text) => this.#change({ filters: { ...view.filters, [column]: text } }),
      remove: column => this.table.removeFilter(column),
    });
  }

  #open(tab: ResultTab): void {
    // The table's row and the chart's crosshair are the same place.
    const instant =
      this.#view.tab === 'chart' ? this.#chart.instant : this.#view.tab === 'table' ? this.table.instant : undefined;
    const place = tab === 'chart' ? this.#chart : tab === 'table' ? this.table : undefined;
    if (this.#view.tab === 'table' && this.#state) this.#chart.mark(this.#state.frame, this.table.stretches);
    const moves = tab !== this.#view.tab && instant !== undefined;
    if (tab !== this.#view.tab) this.#host.tabOpened();
    this.#change({ tab });
    // Whoever only looked keeps what was selected.
    if (moves && place?.instant !== instant) place?.goToTime(instant);
    if (tab === 'raw' && this.#raw === undefined) this.#host.askRaw();
  }

  #change(change: Partial<PanelView>): void {
    this.#view = { ...this.#view, ...change };
    this.#host.keepView(this.#view);
    this.#update();
    this.#host.render();
  }

  /** Works out the rows anew and hands them to the open tab: the others take them when they are opened. */
  #update(): void {
    const state = this.#state;
    if (!state) return;
    // A tab must stand in the page before it is filled.
    this.#shownNow = this.#rows.shown(state, this.#view);
    this.#host.render();
    const shownNow = this.#shownNow;
    if (this.#view.tab === 'table') this.table.show(state, shownNow);
    if (this.#view.tab === 'chart') this.#chart.show(state, this.#rows.received(state, this.#view));
    if (this.#view.tab === 'statistics') this.#statistics.show(state, this.#rows.received(state, this.#view));
  }

  #goToTime(instant: number): string | undefined {
    if (this.#view.tab !== 'table') this.#open('table');
    const note = this.table.goToTime(instant);
    this.table.focus();
    return note;
  }

  #selectTimes(window: TimeWindow): void {
    this.#open('table');
    this.table.selectTimes(window);
  }
}

function withOwn(zones: readonly DisplayZone[], own: DisplayZone): readonly DisplayZone[] {
  return zones.some(zone => sameZone(zone, own)) ? zones : [...zones, own];
}
