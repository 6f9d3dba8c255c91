import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { scoreControls } from '../forecast/scoreControls.ts';
import { computeForecastTab, type ForecastTabContent } from '../../presentation/forecast/forecastTabContent.ts';
import { renderTabHead } from '../views/infoButton.ts';
import { TabTable } from './tabTable.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { TabDeps } from './tabDeps.ts';

/** The columns and the hour of a forecast error to show in the chart. */
export interface ForecastErrorToShow {
  readonly actual: string;
  readonly forecast: string;
  /** The start of the hour to show in UTC milliseconds. Undefined for all hours. */
  readonly instant: number | undefined;
  readonly intervalMs: number;
}

/** The Forecast tab. It shows the score of a forecast in the rows of a result, and lets the user select the columns to compare. */
export class ForecastTab {
  readonly tabTable: TabTable;
  readonly #deps: TabDeps;
  readonly #showInChart: (error: ForecastErrorToShow) => void;
  #content: ForecastTabContent | undefined;

  constructor(deps: TabDeps, showInChart: (error: ForecastErrorToShow) => void) {
    this.#deps = deps;
    this.#showInChart = showInChart;
    this.tabTable = new TabTable(deps, 'forecast', t('Forecast'), { onOpen: () => this.#openChart() });
  }

  /** Computes the score of the rows of a result. */
  compute(state: TableState): void {
    const { analyzer, host, view } = this.#deps;
    this.#content = computeForecastTab(analyzer, state, view(), host.locale);
    this.tabTable.setRows(state, this.#content?.rows);
  }

  /** Shows the computed rows. The table must be in the page. */
  show(): void {
    this.tabTable.show();
  }

  template(): TemplateResult {
    const { choice: score, texts } = this.#content ?? {};
    if (!score || !texts)
      return html`<p class="aside" role="status">${t('There are no rows to score a forecast with.')}</p>`;
    const { changeView, view } = this.#deps;
    const { rows, table } = this.tabTable;
    const controls = scoreControls({
      score,
      change: part => changeView({ forecast: { ...view().forecast, ...part } }),
      showInChart: rows && rows.frame.rowCount > 0 ? () => this.#openChart() : undefined,
    });
    return html`${renderTabHead('forecast', controls, texts)} ${rows ? table.template() : nothing}`;
  }

  /** Shows the forecast error in the chart, at the hour of the focused row if the row has a time. */
  #openChart(): void {
    const { rows } = this.tabTable;
    const { choice: score } = this.#content ?? {};
    const time = rows?.frame.columns.find(({ kind }) => kind === 'time');
    if (!rows || !score) return;
    const actual = score.actual.name;
    const forecast = score.forecast.name;
    this.#showInChart({
      actual,
      forecast,
      instant: time && this.tabTable.instantAt(time.name),
      intervalMs: rows.intervalMs,
    });
  }
}
