import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { listComparedColumns, computeStatistics } from '../../core/statistics/summaryFrame.ts';
import { getText, type NumberColumn } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { summaryFigures, type SummaryFigure } from '../../shared/summaryFigures.ts';
import type { DisplayedResult } from '../../presentation/result/displayedRows.ts';
import { describeColumnScope } from '../../presentation/statistics/scope.ts';
import { computeStatisticsTab, type StatisticsTabContent } from '../../presentation/statistics/statisticsTabContent.ts';
import { translateColumn } from '../../presentation/translate.ts';
import { LastValueCache } from '../lastValueCache.ts';
import { columnDetail } from '../statistics/columnDetail.ts';
import { createColumnReport } from '../statistics/columnReport.ts';
import { getProfile } from '../statistics/profile.ts';
import { renderTabHead } from '../views/infoButton.ts';
import { rove } from '../views/roving.ts';
import { TabTable } from './tabTable.ts';
import type { TabDeps } from './tabDeps.ts';

/** The Statistics tab: a summary with a row for each column, and below it the details of the column of the focused row. */
export class StatisticsTab {
  readonly tabTable: TabTable;
  readonly #deps: TabDeps;
  readonly #detailCache = new LastValueCache<TemplateResult>();
  #summary: StatisticsTabContent | undefined;
  /** Whether the result has numeric columns; assumed to have them before the first rows are summarized. */
  #hasNumbers = true;
  /** Whether the table of the profile is open; it stays so when the column, zone or result changes. */
  #isProfileTableOpen = false;
  /** Whether the user, and not a change of the rows, moved the focused row. */
  #isUserMove = false;

  constructor(deps: TabDeps) {
    this.#deps = deps;
    this.tabTable = new TabTable(deps, 'statistics', t('Statistics'), {
      onOpen: () => this.#showInChart(),
      onMove: () => this.#selectFocusedColumn(),
    });
  }

  /** Summarizes the rows of a result. */
  compute(received: TableState, rows: DisplayedResult): void {
    const { analyzer, host, view } = this.#deps;
    this.#summary = computeStatisticsTab(analyzer, received, view(), rows, host.locale);
    this.#hasNumbers = this.#summary !== undefined;
    this.tabTable.setRows(rows.state, this.#summary?.rows);
  }

  /** Shows the computed rows. The table must be in the page. */
  show(): void {
    this.#isUserMove = false;
    this.tabTable.show();
    const row = this.#findVisibleRow(this.#selectedColumn?.name);
    const { grid } = this.tabTable.table;
    if (row !== undefined && grid.position().row >= 0 && grid.position().row !== row) grid.focusCell(row);
    grid.highlightRow(row);
    this.#isUserMove = true;
  }

  template(): TemplateResult {
    if (!this.#hasNumbers) return html`<p class="aside" role="status">${t('No numeric columns to show.')}</p>`;
    if (!this.#summary) return html``;
    const { columns, texts } = this.#summary;
    const { figures } = this.#deps.view();
    const labels = getFigureLabels();
    const toggle = (figure: SummaryFigure): void => {
      const selectedFigures = summaryFigures.filter(
        candidate => (candidate === figure) !== figures.includes(candidate),
      );
      this.#deps.changeView({ figures: selectedFigures });
    };
    const controls = html`<div
      class="tab-controls summary-figures"
      role="toolbar"
      aria-label=${t('Figures')}
      ${ref(rove)}
    >
      ${summaryFigures.map(
        figure =>
          html`<label
            ><input
              type="checkbox"
              .checked=${figures.includes(figure)}
              @change=${() => toggle(figure)}
            />${labels[figure]}</label
          >`,
      )}
    </div>`;
    return html`${renderTabHead('statistics', controls, texts)}
      <div class="statistics-parts">
        <section class="statistics-summary" .style=${`--rows: ${columns.length}`} aria-label=${t('Statistics')}>
          ${this.tabTable.table.template()}
        </section>
        ${this.#detailTemplate(this.#summary)}
      </div>`;
  }

  get #selectedColumn(): NumberColumn | undefined {
    const { columns = [] } = this.#summary ?? {};
    const { selectedColumn } = this.#deps.view();
    return columns.find(({ name }) => name === selectedColumn) ?? columns[0];
  }

  /** Shows the details of the column of the focused row. */
  #selectFocusedColumn(): void {
    const { grid, cells } = this.tabTable.table;
    const { row } = grid.position();
    const frame = this.tabTable.rows?.frame;
    const field = frame?.columns.find(({ name }) => name === 'field');
    if (!this.#isUserMove || row < 0 || field?.kind !== 'text') return;
    const name = getText(field.texts, cells.toDataRow(row));
    if (name !== this.#selectedColumn?.name) this.#deps.changeView({ selectedColumn: name });
  }

  /** Shows the column of the focused row in the chart. */
  #showInChart(): void {
    const name = this.#selectedColumn?.name;
    if (name === undefined || !this.#summary?.summarized.frame.columns.some(column => column.name === name)) return;
    this.#deps.changeView({ chart: { mode: 'lines', columns: [name], hidden: [] } });
    this.#deps.openTab('chart');
  }

  #findVisibleRow(name: string | undefined): number | undefined {
    const { columns = [] } = this.#summary ?? {};
    const dataRow = columns.findIndex(column => column.name === name);
    const { cells } = this.tabTable.table;
    const rows = Array.from({ length: cells.rowCount }, (_, row) => row);
    return rows.find(row => cells.toDataRow(row) === dataRow);
  }

  #detailTemplate({ summarized, scope, timeFormat, zone }: StatisticsTabContent): TemplateResult | typeof nothing {
    const column = this.#selectedColumn;
    if (!column) return nothing;
    const { frame, rows, intervalMs } = summarized;
    const { locale } = this.#deps.host;
    const { numbers } = this.#deps.view();
    const key = JSON.stringify([column.name, zone, numbers]);
    return this.#detailCache.get(rows ?? frame, key, () => {
      const createReport = (numberColumn: NumberColumn) =>
        createColumnReport(translateColumn(numberColumn), computeStatistics(summarized, numberColumn), locale, numbers);
      const report = createReport(column);
      const { timeZone } = zone;
      return html`<div class="statistics statistics-below">
        ${columnDetail({
          report,
          energies: [report, ...listComparedColumns(frame, column).map(createReport)],
          scope: describeColumnScope(scope, report.statistics.count, timeFormat, locale),
          profile: getProfile(column, { frame, rows, intervalMs: scope.intervalMs ?? intervalMs, timeZone }),
          isEven: findTimeColumn(frame)?.lengths === undefined,
          profileTableOpen: this.#isProfileTableOpen,
          toggleProfileTable: isOpen => (this.#isProfileTableOpen = isOpen),
          zoneName: timeFormat?.zoneName ?? zone.label,
          locale,
        })}
      </div>`;
    });
  }
}

function getFigureLabels(): Readonly<Record<SummaryFigure, string>> {
  return {
    energy: t('Energy and Share'),
    mean: t('Mean and Load Factor'),
    extremes: t('Lowest and Highest'),
    quantiles: t('Quantiles'),
    gaps: t('Missing Values'),
  };
}
