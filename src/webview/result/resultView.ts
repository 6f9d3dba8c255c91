import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { Analyzer, listResamplingChoices, type DerivedRows } from '../../core/analysis/analyze.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { isSameZone } from '../../core/time/zone.ts';
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
import { formatBinsTitle } from '../../presentation/columns/binNames.ts';
import { describeEmptyChart } from '../../presentation/chart/chartSentences.ts';
import { computeDisplayedResult, type DisplayedResult } from '../../presentation/result/displayedRows.ts';
import { getOpenTab, listTabs } from '../../presentation/result/tabs.ts';
import { translate } from '../../presentation/translate.ts';
import { CoverageStrip } from '../coverage/coverageStrip.ts';
import { ChartTab } from './chartTab.ts';
import { DerivedBar } from './derivedBar.ts';
import { EventsTab, type EventToShow, type EventDestination } from './eventsTab.ts';
import { ForecastTab, type ForecastErrorToShow } from './forecastTab.ts';
import { formatTariffNote } from '../rows/filterMessages.ts';
import { filterBar } from './filterBar.ts';
import { formatFirstRowCount } from './footerText.ts';
import type { TabTable } from './tabTable.ts';
import { createZoomChange } from './viewChanges.ts';
import { rawTab } from './rawTab.ts';
import { createResampleChoice } from './resampleChoice.ts';
import { SplitTab } from './splitTab.ts';
import { StatisticsTab } from './statisticsTab.ts';
import { pageScheduler } from '../scheduling.ts';
import type { ResultHost, TabDeps } from './tabDeps.ts';
import { TableTab } from './tableTab.ts';
import { toolbar } from './toolbar.ts';
import { findTextField } from './undoKeys.ts';
import { formatUndo, ViewHistory } from './viewHistory.ts';

/** Number of rows to show before and after a short event. */
const eventMargin = 12;

/** Number of rows up to which everything is computed within 50 ms; a century of hours takes several times as long. */
const maxImmediateRows = 100_000;
/** Number of rows up to which the statistics take no more than a frame or two. With more rows the tab opens before they are computed. */
const maxImmediateSummaryRows = 20_000;
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
  'selectedColumn',
] satisfies (keyof View)[];

/** A result with its toolbar, coverage strip and tabs, which share one view: sort, filters, zoom and zone. */
export class ResultView {
  readonly #host: ResultHost;
  readonly #analyzer: Analyzer;
  readonly table: TableTab;
  readonly #chart: ChartTab;
  readonly #split: SplitTab;
  /** The tabs that compute rows of their own from the rows of the result. */
  readonly #computedTabs: {
    readonly forecast: ForecastTab;
    readonly events: EventsTab;
    readonly statistics: StatisticsTab;
  };
  readonly #coverage: CoverageStrip;
  #view: View;
  /** The undo history of the view. It is cleared for another query. */
  readonly history = new ViewHistory();
  #state: TableState | undefined;
  /** The result with its derived columns. */
  #derived: DerivedRows | undefined;
  readonly #derivedBar: DerivedBar;
  /** The column to go to after it has been computed, unless the user uses the table first. */
  #newColumn: string | undefined;
  /** The rows that the table and the chart show. */
  #displayed: DisplayedResult | undefined;
  /** Whether the rows after a change are still being computed. */
  #isComputing = false;
  /** The response; undefined until the host has sent it. */
  #raw: RawResponse | undefined;

  constructor(host: ResultHost, view: View) {
    this.#host = host;
    this.#view = view;
    this.#analyzer = new Analyzer({ locale: host.locale, translate });
    const deps: TabDeps = {
      host,
      analyzer: this.#analyzer,
      view: () => this.#view,
      changeView: change => this.change(change),
      zoomChart: window => {
        this.change(createZoomChange(window, this.#view));
        this.#open('chart');
      },
      editColumn: name => this.#derivedBar.open(name),
      removeColumn: name => this.#derivedBar.remove(name),
      openTab: tab => this.#open(tab),
      onPointed: () => this.#host.onPointed(() => this.instant),
      canFilter: column => this.#derived?.rowsWithDerived.frame.columns.some(({ name }) => name === column) === true,
      getRowKind: () => (this.#resampling ? 'resampled' : 'received'),
      resetView: () => this.change({ ...initialView, tab: this.#view.tab, derived: this.#view.derived }),
    };
    this.#derivedBar = new DerivedBar({
      ...deps,
      getReceived: () => this.#state,
      getDerived: () => this.#derived,
      onClose: name => this.#onDerivedBarClosed(name),
    });
    this.table = new TableTab(deps, undefined, isSelectionChange => {
      this.#split.onTableMoved(isSelectionChange);
      // If the page does not have the focus, new rows have moved the focused row, and not the user.
      if (document.hasFocus()) deps.onPointed();
    });
    for (const type of ['keydown', 'pointerdown'])
      this.table.grid.element.addEventListener(type, () => (this.#newColumn = undefined));
    this.#chart = new ChartTab(deps, {
      select: window => this.#selectTimes(window),
      onPointed: (row, isHeld) => {
        this.#split.onChartPointed(row, isHeld);
        deps.onPointed();
      },
    });
    this.#split = new SplitTab(deps, this.#chart, this.table);
    this.#computedTabs = {
      forecast: new ForecastTab(deps, error => this.#showForecastError(error)),
      events: new EventsTab(deps, (tab, event) => this.#showEvent(tab, event)),
      statistics: new StatisticsTab(deps),
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

  /** The instant that the user points to in the open tab. Undefined if the position is not an instant. */
  get instant(): number | undefined {
    const tab = this.#tab;
    if (this.#resampling && isCycle(this.#resampling.by)) return undefined;
    return tab === 'chart' || tab === 'split' ? this.#chart.instant : tab === 'table' ? this.table.instant : undefined;
  }

  /** Highlights the instant that the user points to in another panel. */
  highlightInstant(instant: number | undefined): void {
    const tab = this.#tab;
    const isInstant = !this.#resampling || !isCycle(this.#resampling.by);
    if (!isInstant || !this.#displayed || this.#isComputing) return;
    if (tab === 'chart' || tab === 'split') this.#chart.view.moveCrosshairTo(instant, true);
    if (tab === 'table' || tab === 'split') this.table.highlightRowAt(instant);
  }

  /** Updates the names after the query was renamed or saved. */
  showNames(title: string, tools: Omit<QueryTools, 'actions'>): void {
    const state = this.#state;
    if (state) this.#state = namedState(state, title, tools);
    if (!this.#displayed) return;
    const rowsTitle = this.#resampling ? formatBinsTitle({ title, tools }, this.#resampling) : title;
    this.#displayed = { ...this.#displayed, state: namedState(this.#displayed.state, rowsTitle, tools) };
  }

  /** The title of the rows, which includes how they are resampled. */
  get title(): string | undefined {
    return this.#displayed?.state.title;
  }

  /** How the visible rows are resampled; undefined for the received rows. */
  get #resampling(): Resampling | undefined {
    return this.#displayed?.analyzed.resampling;
  }

  /** The open tab. If this result does not have the selected tab, the next result that has it opens it again. */
  get #tab(): ResultTab {
    return this.#state ? getOpenTab(this.#state.frame, this.#view) : this.#view.tab;
  }

  /** The selection in the table of the open tab. */
  get selection(): ShownSelection | undefined {
    return this.openTable.selection;
  }

  /** The table of the open tab or, if the tab does not have one, of the result. */
  get openTable(): TableTab {
    return this.#openTabTable?.table ?? this.table;
  }

  get #visibleTable(): TableTab | undefined {
    return ['table', 'split'].includes(this.#tab) ? this.table : this.#openTabTable?.table;
  }

  get #openTabTable(): TabTable | undefined {
    return this.#tab === 'chart' ? this.#chart.tabTable : this.#openComputedTab?.tabTable;
  }

  get #openComputedTab(): ForecastTab | EventsTab | StatisticsTab | undefined {
    const tab = this.#tab;
    return tab === 'forecast' || tab === 'events' || tab === 'statistics' ? this.#computedTabs[tab] : undefined;
  }

  showRaw(raw: RawResponse): void {
    this.#raw = raw;
    this.#host.render();
  }

  themeChanged(): void {
    this.table.themeChanged();
    for (const { tabTable } of Object.values(this.#computedTabs)) tabTable.table.themeChanged();
    this.#chart.themeChanged();
    this.#coverage.themeChanged();
  }

  /** Moves the keyboard focus to the table of the open tab. */
  focus(scrolling: 'reveal' | 'stay'): void {
    this.#visibleTable?.grid.focus(scrolling);
  }

  get #tabs(): readonly ResultTab[] {
    return this.#state ? listTabs(this.#state.frame) : [];
  }

  /** The reasons why tabs cannot be opened. */
  get #disabledTabs(): Readonly<Partial<Record<ResultTab, string>>> {
    const frame = this.#state?.frame;
    return frame && !isChartable(frame) ? { split: describeEmptyChart({ frame }) } : {};
  }

  toolbar(showsExportLabel: boolean): TemplateResult {
    const host = this.#host;
    const state = this.#state;
    if (!state) return html``;
    const { tools, zone } = state;
    const { localZone } = host;
    const isListed = !localZone || state.zones.some(candidate => isSameZone(candidate, localZone));
    const zones = isListed ? state.zones : [...state.zones, localZone];
    return toolbar({
      tools,
      showsExportLabel,
      zone,
      zones,
      act: host.act,
      setZone: host.setZone,
      tab: this.#tab,
      tabs: this.#tabs,
      setTab: tab => this.#switchTab(tab),
      disabledTabs: this.#disabledTabs,
      resample: createResampleChoice(
        listResamplingChoices(this.#derived?.rowsWithDerived ?? state),
        this.#view,
        change => this.change(change),
        host.announce,
      ),
      openMoreActions: anchor => this.table.menus.openMore(tools, anchor, this.#tab, this.#visibleTable),
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
    const tabTable = this.#openTabTable;
    if (tabTable) return tabTable.footer();
    const { state, rows } = this.#displayed ?? {};
    if (!state || !rows) return '';
    return state.isHead ? formatFirstRowCount(rows.rowCount, this.#host.locale) : this.table.footer(rows, state);
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
        return this.#computedTabs[tab].template();
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
      showAll: () => this.change(createZoomChange(undefined, this.#view)),
      note: this.#resampling?.by === 'tariffPeriod' ? formatTariffNote(this.#resampling) : undefined,
    });
  }

  /** Renders the coverage strip. While the coverage is unknown an empty strip reserves its space, so that the table does not move later. */
  #coverageTemplate() {
    const { coverage, intervalMs, isHead } = this.#state ?? {};
    if (coverage) return html`${this.#coverage.element}`;
    return isHead && intervalMs !== undefined ? html`<div class="coverage" aria-hidden="true"></div>` : nothing;
  }

  #showCoverage({ coverage, start, intervalMs, zone: displayZone, interval, frame }: TableState): void {
    // Rows of whole days have the zone of their days, regardless of the display zone.
    const zone = findTimeColumn(frame)?.bins ?? displayZone;
    const model = { start, edges: coverage?.edges, zone, locale: this.#host.locale, interval };
    this.#coverage.show(coverage && { ...model, coverage, intervalMs: intervalMs ?? 0 });
  }

  /** Opens a tab, unless the split tab already shows its content. */
  #open(tab: ResultTab): void {
    if (this.#tab !== 'split' || !['chart', 'table'].includes(tab)) this.#switchTab(tab);
  }

  #switchTab(tab: ResultTab): void {
    const previousTab = this.#tab;
    const hasTable = previousTab === 'table' || previousTab === 'split';
    // The focused row of the table and the crosshair of the chart follow each other.
    const instant = previousTab === 'chart' ? this.#chart.instant : hasTable ? this.table.instant : undefined;
    const opensTable = tab === 'table' || (tab === 'split' && previousTab === 'chart');
    const destination = opensTable ? this.table : tab === 'chart' || tab === 'split' ? this.#chart : undefined;
    if (hasTable && this.#displayed)
      this.#chart.markSelection(this.#displayed.computeChartRows().state.frame, this.table.cells.selectedIntervals);
    if (tab !== previousTab) this.#host.onTabOpened();
    this.change({ tab });
    // A move to the same instant would clear the selection.
    if (tab !== previousTab && instant !== undefined && destination?.instant !== instant)
      destination?.goToTime(instant);
    if (tab === 'raw' && this.#raw === undefined) this.#host.requestRaw();
  }

  /** Applies the view of a saved query. */
  showView(view: View): void {
    this.history.clear();
    this.#apply(view);
  }

  /** Applies a change of the view by the user, which can be undone. */
  change(change: Partial<View>): void {
    this.history.record(this.#view, { ...this.#view, ...change }, findTextField(document.activeElement));
    this.#apply(change);
  }

  /** Undoes or redoes the last change of the view. */
  undo(direction: 'undo' | 'redo'): void {
    const previousView = this.#view;
    const view = this.history[direction](previousView);
    if (view) this.#apply(view);
    this.#host.announce(formatUndo(previousView, view, direction));
  }

  #apply(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    this.#host.saveView(this.#view);
    const { rowCount = 0 } = this.#state?.frame ?? {};
    const needsComputing = computingParts.some(part => part in change);
    const takesLong =
      (needsComputing && rowCount > maxImmediateRows) ||
      (change.tab === 'statistics' && rowCount > maxImmediateSummaryRows);
    if (!takesLong || this.#isComputing) this.#updateAndRender();
    else void this.#updateLater();
  }

  /** Shows that it is computing before it computes, because the page is blocked meanwhile. */
  async #updateLater(): Promise<void> {
    this.#isComputing = true;
    this.#host.render();
    await pageScheduler.pause();
    this.#isComputing = false;
    this.#updateAndRender();
  }

  #updateAndRender(): void {
    this.#update();
    this.#host.render();
  }

  /** Computes the rows and shows them in the open tab. Other tabs are updated when they are opened. */
  #update(): void {
    const state = this.#state;
    if (!state) return;
    const tab = this.#tab;
    this.#derived = this.#analyzer.derive(state, this.#view.derived);
    if (tab !== 'split') this.#split.close();
    const computed = this.#openComputedTab;
    if (computed) {
      this.#compute(state, computed);
      // The table must be in the page before it is filled.
      this.#host.render();
      computed.show();
      return;
    }
    const { state: tableState, rows, computeChartRows } = this.#computeRows(state);
    // A tab must be in the page before it is filled.
    this.#host.render();
    const showTable = (): void => this.table.show(tableState, rows);
    const showChart = (): void => {
      const { state: chartState, rows: chartRows } = computeChartRows();
      this.#chart.show(chartState, chartRows);
    };
    if (tab === 'table') showTable();
    if (tab === 'chart') showChart();
    if (tab === 'split')
      this.#split.show(tableState.frame, computeChartRows().state.frame, () => {
        showTable();
        showChart();
      });
    this.#goToNewColumn();
  }

  #compute(state: TableState, computed: ForecastTab | EventsTab | StatisticsTab): void {
    if (computed instanceof StatisticsTab) computed.compute(state, this.#computeRows(state));
    else computed.compute(state);
  }

  #computeRows(state: TableState): DisplayedResult {
    return (this.#displayed = computeDisplayedResult(this.#analyzer, state, this.#view));
  }

  /** Returns the focus to the table, at the column that was created. */
  #onDerivedBarClosed(column: string | undefined): void {
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
      this.change(createZoomChange(undefined, this.#view));
    const note = this.table.goToTime(instant);
    this.table.grid.focus();
    return note;
  }

  /** Shows an event in the received rows, because resampled rows may be longer than the event. */
  #showEvent(tab: EventDestination, { kind, column, start, end, instant, intervalMs, range }: EventToShow): void {
    if (tab === 'table') {
      this.change({ resample: undefined, linked: false });
      this.#selectTimes({ start, end: end - 1 });
      return;
    }
    const margin = Math.max(eventMargin * intervalMs, (end - start) / 2);
    const window = { start: Math.max(range.start, start - margin), end: Math.min(range.end, end + margin) };
    const chart = { mode: kind === 'band' ? 'stress' : 'lines', columns: [column], hidden: [] };
    this.change({ resample: undefined, linked: true, ...createZoomChange(window, { ...this.#view, chart }) });
    if (tab === 'chart') this.#goToChart(instant);
  }

  /** Shows the error of a forecast over time, in the received rows. */
  #showForecastError({ actual, forecast, instant, intervalMs }: ForecastErrorToShow): void {
    const margin = eventMargin * intervalMs;
    const window = instant === undefined ? undefined : { start: instant - margin, end: instant + margin };
    const { chart } = this.#view;
    const { picked } = isRecord(chart) ? chart : {};
    const columns = { 'error.actual': actual, 'error.forecast': forecast };
    const options = { hidden: [], picked: { ...(isRecord(picked) && picked), ...columns } };
    const errorChart = { ...(isRecord(chart) && chart), mode: 'error', ...options };
    this.change({ resample: undefined, ...createZoomChange(window, { ...this.#view, chart: errorChart }) });
    this.#goToChart(instant);
  }

  #goToChart(instant: number | undefined): void {
    this.#open('chart');
    if (instant !== undefined) this.#chart.goToTime(instant);
    this.#chart.focus();
  }

  #selectTimes(window: TimeRange): void {
    this.#open('table');
    this.table.selectTimes(window);
  }
}
