import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { scoreControls } from '../forecast/scoreControls.ts';
import { shownScore, type ShownScore } from '../../presentation/forecast/shownScore.ts';
import { tabHead } from '../views/infoButton.ts';
import { OwnTable } from './ownTable.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { TabParts } from './tabParts.ts';

/** The columns and the hour of a forecast error to show in the chart. */
export interface ShownError {
  readonly actual: string;
  readonly forecast: string;
  /** Start of the hour to show, in UTC milliseconds; undefined for all hours. */
  readonly at: number | undefined;
  readonly stepMs: number;
}

/** The Forecast tab: the score of a forecast in the rows of a result, and the choice of the columns to compare. */
export class ForecastTab {
  readonly own: OwnTable;
  readonly #parts: TabParts;
  readonly #showInChart: (error: ShownError) => void;
  #shown: ShownScore | undefined;

  constructor(parts: TabParts, showInChart: (error: ShownError) => void) {
    this.#parts = parts;
    this.#showInChart = showInChart;
    this.own = new OwnTable(parts, 'forecast', t('Forecast'), { open: () => this.#show() });
  }

  /** Scores the rows of a result. */
  compute(state: TableState): void {
    const { analyser, host, view } = this.#parts;
    this.#shown = shownScore(analyser, state, view(), host.locale);
    this.own.take(state, this.#shown?.rows);
  }

  /** Shows the computed rows. The table must be in the page. */
  show(): void {
    this.own.show();
  }

  template(): TemplateResult {
    const { choice: score, words } = this.#shown ?? {};
    if (!score || !words)
      return html`<p class="aside" role="status">${t('There are no rows to score a forecast with.')}</p>`;
    const { change, view } = this.#parts;
    const { rows, table } = this.own;
    const controls = scoreControls({
      score,
      change: part => change({ forecast: { ...view().forecast, ...part } }),
      showInChart: rows && rows.frame.rowCount > 0 ? () => this.#show() : undefined,
    });
    return html`${tabHead('forecast', controls, words)} ${rows ? table.template() : nothing}`;
  }

  /** Shows the error over time in the chart, at the hour of the focused row if it has one. */
  #show(): void {
    const { rows } = this.own;
    const { choice: score } = this.#shown ?? {};
    const time = rows?.frame.columns.find(({ kind }) => kind === 'time');
    if (!rows || !score) return;
    const [actual, forecast] = [score.actual.name, score.forecast.name];
    this.#showInChart({ actual, forecast, at: time && this.own.instantAt(time.name), stepMs: rows.step });
  }
}
