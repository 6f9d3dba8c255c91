import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { Analyser, listResamplingChoices, type DerivedRows } from '../../core/analysis/analyse.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { sameZone } from '../../core/time/zone.ts';
import {
  type DisplayZone,
  type HeaderPart,
  type QueryTools,
  type RawResponse,
  namedState,
  type ShownSelection,
  type TableState,
} from '../../shared/protocol.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import { isCycle, type Resampling } from '../../shared/resampling.ts';
import { initialView, isRecord, type View, type ResultTab } from '../../shared/view.ts';
import { isChartable } from '../../core/frame/chartColumns.ts';
import { titleOfBins } from '../../presentation/columns/binNames.ts';
import { emptySentence } from '../../presentation/chart/chartSentences.ts';
import { shownResult, type ShownResult } from '../../presentation/result/shownRows.ts';
import { openTab, tabsOf } from '../../presentation/result/tabs.ts';
import { say } from '../../presentation/translate.ts';
import { CoverageStrip } from '../coverage/coverageStrip.ts';
import { ChartTab } from './chartTab.ts';
import { DerivedBar } from './derivedBar.ts';
import { EventsTab, type ShownEvent, type ShowsEvent } from './eventsTab.ts';
import { ForecastTab, type ShownError } from './forecastTab.ts';
import { tariffNote } from '../rows/filterWords.ts';
import { filterBar } from './filterBar.ts';
import { headText } from './footerText.ts';
import type { OwnTable } from './ownTable.ts';
import { zoomedTo } from './panelView.ts';
import { rawTab } from './rawTab.ts';
import { resampleChoice } from './resampleChoice.ts';
import { SplitTab } from './splitTab.ts';
import { StatisticsTab } from './statisticsTab.ts';
import { pageScheduler } from '../scheduling.ts';
import type { ResultHost } from './tabParts.ts';
import { TableTab } from './tableTab.ts';
import { toolbar } from './toolbar.ts';
import { fieldOf } from './undoKeys.ts';
import { undoText, ViewHistory } from './viewHistory.ts';

/** Number of rows to show before and after a short event. */
const eventMargin = 12;

/** Number of rows up to which everything is computed within 50 ms; a century of hours takes several times as long. */
const manyRows = 100_000;
/** Number of rows up to which the statistics take no more than a frame or two. With more rows the tab opens before they are computed. */
const summarisedAtOnce = 20_000;
/** The parts of a view whose changes require the rows to be computed again. */
const computingParts = [
  'derived',
  'filters',
  'resample',
  'binFigures',
  'sort',
  'events',
  'forecast',
  'figures',
  'chosen',
] satisfies (keyof View)[];

/** A result with its toolbar, coverage strip and tabs, which share one view: sort, filters, zoom and zone. */
export class ResultView {
  readonly #host: ResultHost;
  readonly #analyser: Analyser;
  readonly table: TableTab;
  readonly #chart: ChartTab;
  readonly #split: SplitTab;
  /** The tabs whose rows are computed from those of the result. */
  readonly #computed: {
    readonly forecast: ForecastTab;
    readonly events: EventsTab;
    readonly statistics: StatisticsTab;
  };
  readonly #coverage: CoverageStrip;
  #view: View;
  /** The undo history of the view; cleared for another query. */
  readonly history = new ViewHistory();
  #state: TableState | undefined;
  /** The result with its derived columns. */
  #derived: DerivedRows | undefined;
  readonly #derivedBar: DerivedBar;
  /** The column to go to once it is computed, unless the user continues in the table before. */
  #newColumn: string | undefined;
  /** The rows that the table and the chart show. */
  #shown: ShownResult | undefined;
  /** Whether the rows after a change are still being computed. */
  #isComputing = false;
  /** The response; undefined until the host has sent it. */
  #raw: RawResponse | undefined;

  constructor(host: ResultHost, view: View) {
    this.#host = host;
    this.#view = view;
    this.#analyser = new Analyser({ locale: host.locale, say });
    const parts = {
      host,
      analyser: this.#analyser,
      view: () => this.#view,
      change: (change: Partial<View>) => this.change(change),
      zoom: (window: TimeRange) => {
        this.change(zoomedTo(window, this.#view));
        this.#open('chart');
      },
      editColumn: (name?: string) => this.#derivedBar.open(name),
      removeColumn: (name: string) => this.#derivedBar.remove(name),
      open: (tab: ResultTab) => this.#open(tab),
      pointed: () => this.#host.pointed(() => this.instant),
      canFilter: (column: string) =>
        this.#derived?.rowsWithDerived.frame.columns.some(({ name }) => name === column) === true,
      rows: () => (this.#resampling ? ('resampled' as const) : ('received' as const)),
      reset: () => this.change({ ...initialView, tab: this.#view.tab, derived: this.#view.derived }),
    };
    this.#derivedBar = new DerivedBar({
      ...parts,
      received: () => this.#state,
      derived: () => this.#derived,
      closed: name => this.#leaveDerivedBar(name),
    });
    this.table = new TableTab(parts, undefined, settled => {
      this.#split.tableMoved(settled);
      // Without the focus, new rows and not the user moved the focused row.
      if (document.hasFocus()) parts.pointed();
    });
    for (const type of ['keydown', 'pointerdown'])
      this.table.grid.element.addEventListener(type, () => (this.#newColumn = undefined));
    this.#chart = new ChartTab(parts, {
      select: window => this.#selectTimes(window),
      pointed: (row, isHeld) => {
        this.#split.chartPointed(row, isHeld);
        parts.pointed();
      },
    });
    this.#split = new SplitTab(parts, this.#chart, this.table);
    this.#computed = {
      forecast: new ForecastTab(parts, error => this.#showForecastError(error)),
      events: new EventsTab(parts, (tab, event) => this.#showEvent(tab, event)),
      statistics: new StatisticsTab(parts),
    };
    const { announce } = host;
    this.#coverage = new CoverageStrip({ announce, goTo: instant => this.#goToTime(instant) });
  }

  /** Shows a result. */
  show(state: TableState): void {
    if (state.frame !== this.#state?.frame) this.#raw = undefined;
    this.#state = state;
    this.#showCoverage(state);
    this.#update();
    if (this.#tab === 'raw') this.#host.requestRaw();
  }

  /** Shows the same rows in another time zone. */
  showZone(zone: DisplayZone, header: readonly HeaderPart[]): void {
    if (this.#state) this.show({ ...this.#state, zone, header });
  }

  /** The instant that is pointed to in the open tab; undefined if it is no instant. */
  get instant(): number | undefined {
    const tab = this.#tab;
    if (this.#resampling && isCycle(this.#resampling.by)) return undefined;
    return tab === 'chart' || tab === 'split' ? this.#chart.instant : tab === 'table' ? this.table.instant : undefined;
  }

  /** Shows the instant that is pointed to in another panel. */
  point(instant: number | undefined): void {
    const tab = this.#tab;
    const isPlace = !this.#resampling || !isCycle(this.#resampling.by);
    if (!isPlace || !this.#shown || this.#isComputing) return;
    if (tab === 'chart' || tab === 'split') this.#chart.view.moveCrosshairTo(instant, true);
    if (tab === 'table' || tab === 'split') this.table.point(instant);
  }

  /** Updates the names after the query was renamed or saved. */
  showNames(title: string, named: Omit<QueryTools, 'actions'>): void {
    const state = this.#state;
    if (state) this.#state = namedState(state, title, named);
    if (!this.#shown) return;
    const rowsTitle = this.#resampling ? titleOfBins({ title, tools: named }, this.#resampling) : title;
    this.#shown = { ...this.#shown, state: namedState(this.#shown.state, rowsTitle, named) };
  }

  /** The title of the rows, which includes how they are resampled. */
  get title(): string | undefined {
    return this.#shown?.state.title;
  }

  /** How the visible rows are resampled; undefined for the received rows. */
  get #resampling(): Resampling | undefined {
    return this.#shown?.analysed.resampling;
  }

  /** The open tab. A tab that this result does not have stays chosen for the next one that does. */
  get #tab(): ResultTab {
    return this.#state ? openTab(this.#state.frame, this.#view) : this.#view.tab;
  }

  /** The selection in the table of the open tab. */
  get selection(): ShownSelection | undefined {
    return this.openTable.selection;
  }

  /** The table of the open tab or, if it has none, of the result. */
  get openTable(): TableTab {
    return this.#openOwn?.table ?? this.table;
  }

  get #tableInSight(): TableTab | undefined {
    return ['table', 'split'].includes(this.#tab) ? this.table : this.#openOwn?.table;
  }

  get #openOwn(): OwnTable | undefined {
    return this.#tab === 'chart' ? this.#chart.own : this.#openComputed?.own;
  }

  get #openComputed(): ForecastTab | EventsTab | StatisticsTab | undefined {
    const tab = this.#tab;
    return tab === 'forecast' || tab === 'events' || tab === 'statistics' ? this.#computed[tab] : undefined;
  }

  showRaw(raw: RawResponse): void {
    this.#raw = raw;
    this.#host.render();
  }

  themeChanged(): void {
    this.table.themeChanged();
    for (const { own } of Object.values(this.#computed)) own.table.themeChanged();
    this.#chart.themeChanged();
    this.#coverage.themeChanged();
  }

  /** Moves the keyboard focus to the table of the open tab. */
  focus(scrolling: 'reveal' | 'stay'): void {
    this.#tableInSight?.grid.focus(scrolling);
  }

  get #tabs(): readonly ResultTab[] {
    return this.#state ? tabsOf(this.#state.frame) : [];
  }

  /** The reasons why tabs cannot be opened. */
  get #refused(): Readonly<Partial<Record<ResultTab, string>>> {
    const frame = this.#state?.frame;
    return frame && !isChartable(frame) ? { split: emptySentence({ frame }) } : {};
  }

  toolbar(namesExport: boolean): TemplateResult {
    const host = this.#host;
    const state = this.#state;
    if (!state) return html``;
    const { tools, zone } = state;
    const { ownZone } = host;
    const isListed = !ownZone || state.zones.some(one => sameZone(one, ownZone));
    const zones = isListed ? state.zones : [...state.zones, ownZone];
    return toolbar({
      tools,
      namesExport,
      zone,
      zones,
      act: host.act,
      setZone: host.setZone,
      tab: this.#tab,
      tabs: this.#tabs,
      setTab: tab => this.#openTab(tab),
      refused: this.#refused,
      resample: resampleChoice(
        listResamplingChoices(this.#derived?.rowsWithDerived ?? state),
        this.#view,
        change => this.change(change),
        host.announce,
      ),
      more: anchor => this.table.menus.openMore(tools, anchor, this.#tab, this.#tableInSight),
    });
  }

  /** Renders everything between header and footer. */
  body(): TemplateResult {
    const tab = this.#tab;
    return html`${this.#coverageTemplate()} ${this.#filters()} ${tab === 'raw' ? nothing : this.#derivedBar.template()}
      <div class="tab" id="result-${tab}" role="tabpanel" aria-labelledby="tab-${tab}">${this.#tabBody()}</div>`;
  }

  footer(): string {
    if (this.#isComputing) return t('Computing…');
    const own = this.#openOwn;
    if (own) return own.footer();
    const { state, rows } = this.#shown ?? {};
    if (!state || !rows) return '';
    return state.isHead ? headText(rows.rowCount, this.#host.locale) : this.table.footer(rows, state);
  }

  #tabBody(): TemplateResult {
    const tab = this.#tab;
    switch (tab) {
      case 'table':
        return this.table.template();
      case 'chart':
        return html`${this.#chart.view.element}`;
      case 'split':
        return this.#split.template();
      case 'statistics':
      case 'forecast':
      case 'events':
        return this.#computed[tab].template();
      case 'raw':
        return rawTab({ state: this.#state, raw: this.#raw, locale: this.#host.locale, act: this.#host.act });
    }
  }

  #filters() {
    const { filters, linked, window } = this.#view;
    const tab = this.#tab;
    const state = this.#derived?.rowsWithDerived;
    if (!state || tab === 'raw') return nothing;
    return filterBar({
      state,
      filters,
      locale: this.#host.locale,
      change: (column, text) => this.change({ filters: { ...filters, [column]: text } }),
      remove: column => this.table.removeFilter(column),
      // The chart itself shows its zoom, and in Events the filter bar would shift the list during a double-click.
      window: linked && (tab === 'table' || tab === 'statistics') ? window : undefined,
      showAll: () => this.change(zoomedTo(undefined, this.#view)),
      note: this.#resampling?.by === 'tariffPeriod' ? tariffNote(this.#resampling) : undefined,
    });
  }

  /** Renders the coverage strip. While the coverage is unknown an empty strip reserves its space, so that the table does not move later. */
  #coverageTemplate() {
    const { coverage, step, isHead } = this.#state ?? {};
    if (coverage) return html`${this.#coverage.element}`;
    return isHead && step !== undefined ? html`<div class="coverage" aria-hidden="true"></div>` : nothing;
  }

  #showCoverage({ coverage, start, step, zone: shown, interval, frame }: TableState): void {
    // Rows of whole days have the zone of their days, whatever the display zone.
    const zone = findTimeColumn(frame)?.bins ?? shown;
    const model = { start, edges: coverage?.edges, zone, locale: this.#host.locale, interval };
    this.#coverage.show(coverage && { ...model, coverage, stepMs: step ?? 0 });
  }

  /** Opens a tab, unless the split tab already shows its content. */
  #open(tab: ResultTab): void {
    if (this.#tab !== 'split' || !['chart', 'table'].includes(tab)) this.#openTab(tab);
  }

  #openTab(tab: ResultTab): void {
    const before = this.#tab;
    const hasTable = before === 'table' || before === 'split';
    // The focused row of the table and the crosshair of the chart follow each other.
    const instant = before === 'chart' ? this.#chart.instant : hasTable ? this.table.instant : undefined;
    const goesToTable = tab === 'table' || (tab === 'split' && before === 'chart');
    const place = goesToTable ? this.table : tab === 'chart' || tab === 'split' ? this.#chart : undefined;
    if (hasTable && this.#shown)
      this.#chart.mark(this.#shown.charted().state.frame, this.table.cells.selectedIntervals);
    if (tab !== before) this.#host.tabOpened();
    this.change({ tab });
    // Does not move to the same instant, which would clear the selection.
    if (tab !== before && instant !== undefined && place?.instant !== instant) place?.goToTime(instant);
    if (tab === 'raw' && this.#raw === undefined) this.#host.requestRaw();
  }

  /** Applies the view of a saved query. */
  showView(view: View): void {
    this.history.clear();
    this.#apply(view);
  }

  /** Applies a change of the view by the user, which can be undone. */
  change(change: Partial<View>): void {
    this.history.changed(this.#view, { ...this.#view, ...change }, fieldOf(document.activeElement));
    this.#apply(change);
  }

  /** Undoes or redoes the last change of the view. */
  undo(way: 'undo' | 'redo'): void {
    const before = this.#view;
    const view = this.history[way](before);
    if (view) this.#apply(view);
    this.#host.announce(undoText(before, view, way));
  }

  #apply(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    this.#host.saveView(this.#view);
    const { rowCount = 0 } = this.#state?.frame ?? {};
    const computes = computingParts.some(part => part in change);
    const takesLong = (computes && rowCount > manyRows) || (change.tab === 'statistics' && rowCount > summarisedAtOnce);
    if (!takesLong || this.#isComputing) this.#updated();
    else void this.#updateLater();
  }

  /** Shows that it is computing before it computes, because the page is blocked meanwhile. */
  async #updateLater(): Promise<void> {
    this.#isComputing = true;
    this.#host.render();
    await pageScheduler.pause();
    this.#isComputing = false;
    this.#updated();
  }

  #updated(): void {
    this.#update();
    this.#host.render();
  }

  /** Computes the rows and shows them in the open tab. Other tabs are updated when they are opened. */
  #update(): void {
    const state = this.#state;
    if (!state) return;
    const tab = this.#tab;
    this.#derived = this.#analyser.derive(state, this.#view.derived);
    if (tab !== 'split') this.#split.close();
    const computed = this.#openComputed;
    if (computed) {
      this.#compute(state, computed);
      // The table must be in the page before it is filled.
      this.#host.render();
      computed.show();
      return;
    }
    const { state: shown, rows, charted } = this.#rowsOf(state);
    // A tab must be in the page before it is filled.
    this.#host.render();
    const showTable = (): void => this.table.show(shown, rows);
    const showChart = (): void => {
      const { state: drawn, rows: ofAllTimes } = charted();
      this.#chart.show(drawn, ofAllTimes);
    };
    if (tab === 'table') showTable();
    if (tab === 'chart') showChart();
    if (tab === 'split')
      this.#split.show(shown.frame, charted().state.frame, () => {
        showTable();
        showChart();
      });
    this.#goToNewColumn();
  }

  #compute(state: TableState, computed: ForecastTab | EventsTab | StatisticsTab): void {
    if (computed instanceof StatisticsTab) computed.compute(state, this.#rowsOf(state));
    else computed.compute(state);
  }

  #rowsOf(state: TableState): ShownResult {
    return (this.#shown = shownResult(this.#analyser, state, this.#view));
  }

  /** Returns the focus to the table, at the column that was created. */
  #leaveDerivedBar(column: string | undefined): void {
    this.#newColumn = column;
    this.#goToNewColumn();
    this.focus('stay');
  }

  #goToNewColumn(): void {
    const { grid } = this.table;
    const column = this.#newColumn;
    if (!grid.element.isConnected || !grid.columns.some(({ name }) => name === column)) return;
    this.#newColumn = undefined;
    grid.focusCell(grid.position().row, column);
  }

  #goToTime(instant: number): string | undefined {
    if (this.#tab !== 'table') this.#open('table');
    const { window } = this.#view;
    if (this.#tab === 'split' && window && (instant < window.start || instant >= window.end))
      this.change(zoomedTo(undefined, this.#view));
    const note = this.table.goToTime(instant);
    this.table.grid.focus();
    return note;
  }

  /** Shows an event in the received rows, because resampled rows may be longer than the event. */
  #showEvent(tab: ShowsEvent, { kind, column, start, end, at, stepMs, range }: ShownEvent): void {
    if (tab === 'table') {
      this.change({ resample: undefined, linked: false });
      this.#selectTimes({ start, end: end - 1 });
      return;
    }
    const margin = Math.max(eventMargin * stepMs, (end - start) / 2);
    const window = { start: Math.max(range.start, start - margin), end: Math.min(range.end, end + margin) };
    const chart = { mode: kind === 'band' ? 'stress' : 'lines', columns: [column], hidden: [] };
    this.change({ resample: undefined, linked: true, ...zoomedTo(window, { ...this.#view, chart }) });
    if (tab === 'chart') this.#goToChart(at);
  }

  /** Shows the error of a forecast over time, in the received rows. */
  #showForecastError({ actual, forecast, at, stepMs }: ShownError): void {
    const margin = eventMargin * stepMs;
    const window = at === undefined ? undefined : { start: at - margin, end: at + margin };
    const { chart } = this.#view;
    const { picked } = isRecord(chart) ? chart : {};
    const columns = { 'error.actual': actual, 'error.forecast': forecast };
    const options = { hidden: [], picked: { ...(isRecord(picked) && picked), ...columns } };
    const shown = { ...(isRecord(chart) && chart), mode: 'error', ...options };
    this.change({ resample: undefined, ...zoomedTo(window, { ...this.#view, chart: shown }) });
    this.#goToChart(at);
  }

  #goToChart(at: number | undefined): void {
    this.#open('chart');
    if (at !== undefined) this.#chart.goToTime(at);
    this.#chart.focus();
  }

  #selectTimes(window: TimeRange): void {
    this.#open('table');
    this.table.selectTimes(window);
  }
}
