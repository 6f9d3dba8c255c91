import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { listComparedColumns, computeStatistics } from '../../core/statistics/summaryFrame.ts';
import { getText, type NumberColumn } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { summaryFigures, type SummaryFigure } from '../../shared/summaryFigures.ts';
import type { ShownResult } from '../../presentation/result/shownRows.ts';
import { scopeOfColumn } from '../../presentation/statistics/scope.ts';
import { shownSummary, type ShownSummary } from '../../presentation/statistics/shownSummary.ts';
import { columnInWords } from '../../presentation/translate.ts';
import { LastValueCache } from '../lastValueCache.ts';
import { columnDetail } from '../statistics/columnDetail.ts';
import { columnReport } from '../statistics/columnReport.ts';
import { profileOf } from '../statistics/profileOf.ts';
import { tabHead } from '../views/infoButton.ts';
import { rove } from '../views/roving.ts';
import { OwnTable } from './ownTable.ts';
import type { TabParts } from './tabParts.ts';

/** The Statistics tab: a summary with a row for each column, and below it the details of the column of the focused row. */
export class StatisticsTab {
  readonly own: OwnTable;
  readonly #parts: TabParts;
  readonly #detail = new LastValueCache<TemplateResult>();
  #shown: ShownSummary | undefined;
  /** Whether the result has numeric columns; assumed before the first rows are summarized. */
  #hasNumbers = true;
  /** Whether the table of the profile is open; it stays so when the column, zone or result changes. */
  #isProfileTableOpen = false;
  /** Whether the user, and not a change of the rows, moved the focused row. */
  #isSettled = false;

  constructor(parts: TabParts) {
    this.#parts = parts;
    this.own = new OwnTable(parts, 'statistics', t('Statistics'), {
      open: () => this.#showInChart(),
      moved: () => this.#choose(),
    });
  }

  /** Summarizes the rows of a result. */
  compute(received: TableState, rows: ShownResult): void {
    const { analyser, host, view } = this.#parts;
    this.#shown = shownSummary(analyser, received, view(), rows, host.locale);
    this.#hasNumbers = this.#shown !== undefined;
    this.own.take(rows.state, this.#shown?.rows);
  }

  /** Shows the computed rows. The table must be in the page. */
  show(): void {
    this.#isSettled = false;
    this.own.show();
    const row = this.#shownRowOf(this.#chosen?.name);
    const { grid } = this.own.table;
    if (row !== undefined && grid.position().row >= 0 && grid.position().row !== row) grid.focusCell(row);
    grid.highlightRow(row);
    this.#isSettled = true;
  }

  template(): TemplateResult {
    if (!this.#hasNumbers) return html`<p class="aside" role="status">${t('No numeric columns to show.')}</p>`;
    if (!this.#shown) return html``;
    const { columns, words } = this.#shown;
    const { figures } = this.#parts.view();
    const names = figureNames();
    const toggle = (figure: SummaryFigure): void => {
      const chosen = summaryFigures.filter(one => (one === figure) !== figures.includes(one));
      this.#parts.change({ figures: chosen });
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
            />${names[figure]}</label
          >`,
      )}
    </div>`;
    return html`${tabHead('statistics', controls, words)}
      <div class="statistics-parts">
        <section class="statistics-summary" .style=${`--rows: ${columns.length}`} aria-label=${t('Statistics')}>
          ${this.own.table.template()}
        </section>
        ${this.#detailTemplate(this.#shown)}
      </div>`;
  }

  get #chosen(): NumberColumn | undefined {
    const { columns = [] } = this.#shown ?? {};
    const { chosen } = this.#parts.view();
    return columns.find(({ name }) => name === chosen) ?? columns[0];
  }

  /** Shows the details of the column of the focused row. */
  #choose(): void {
    const { grid, cells } = this.own.table;
    const { row } = grid.position();
    const frame = this.own.rows?.frame;
    const field = frame?.columns.find(({ name }) => name === 'field');
    if (!this.#isSettled || row < 0 || field?.kind !== 'text') return;
    const name = getText(field.texts, cells.dataRow(row));
    if (name !== this.#chosen?.name) this.#parts.change({ chosen: name });
  }

  /** Shows the column of the focused row in the chart. */
  #showInChart(): void {
    const name = this.#chosen?.name;
    if (name === undefined || !this.#shown?.counted.frame.columns.some(column => column.name === name)) return;
    this.#parts.change({ chart: { mode: 'lines', columns: [name], hidden: [] } });
    this.#parts.open('chart');
  }

  #shownRowOf(name: string | undefined): number | undefined {
    const { columns = [] } = this.#shown ?? {};
    const dataRow = columns.findIndex(column => column.name === name);
    const { cells } = this.own.table;
    const rows = Array.from({ length: cells.rowCount }, (_, row) => row);
    return rows.find(row => cells.dataRow(row) === dataRow);
  }

  #detailTemplate({ counted, scope, times, zone }: ShownSummary): TemplateResult | typeof nothing {
    const column = this.#chosen;
    if (!column) return nothing;
    const { frame, rows, intervalMs } = counted;
    const { locale } = this.#parts.host;
    const { numbers } = this.#parts.view();
    const key = JSON.stringify([column.name, zone, numbers]);
    return this.#detail.get(rows ?? frame, key, () => {
      const reportOf = (one: NumberColumn) =>
        columnReport(columnInWords(one), computeStatistics(counted, one), locale, numbers);
      const report = reportOf(column);
      const { timeZone } = zone;
      return html`<div class="statistics statistics-below">
        ${columnDetail({
          report,
          energies: [report, ...listComparedColumns(frame, column).map(reportOf)],
          scope: scopeOfColumn(scope, report.statistics.count, times, locale),
          profile: profileOf(column, { frame, rows, step: scope.step ?? intervalMs, timeZone }),
          isEven: findTimeColumn(frame)?.lengths === undefined,
          profileTableOpen: this.#isProfileTableOpen,
          toggleProfileTable: isOpen => (this.#isProfileTableOpen = isOpen),
          zoneName: times?.zoneName ?? zone.label,
          locale,
        })}
      </div>`;
    });
  }
}

function figureNames(): Readonly<Record<SummaryFigure, string>> {
  return {
    energy: t('Energy and Share'),
    mean: t('Mean and Load Factor'),
    extremes: t('Lowest and Highest'),
    quantiles: t('Quantiles'),
    gaps: t('Missing Values'),
  };
}
