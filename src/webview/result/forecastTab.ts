import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { planScoring } from '../../core/analysis/analyse.ts';
import { scorecardFrame } from '../../core/forecast/scorecard.ts';
import type { ForecastScore } from '../../shared/analysis.ts';
import type { StepSpan } from '../../shared/resampling.ts';
import { appliedScore, canScore, type AppliedScore } from '../../core/forecast/scoreChoice.ts';
import { scoreControls } from '../forecast/scoreControls.ts';
import { countsText, definitionText } from '../../presentation/forecast/scoreWords.ts';
import { OwnTable, type ComputedRows } from './ownTable.ts';
import type { PanelView } from '../../shared/savedView.ts';
import type { TableState } from './rowModel.ts';
import { stepSpanOf } from '../../core/analysis/rowIntervals.ts';
import { inWords, say } from '../../presentation/translate.ts';
import type { TabParts } from './tabParts.ts';

/** The error of a forecast as the chart shows it. */
export interface ShownError {
  readonly actual: string;
  readonly forecast: string;
  /** The beginning of the hour to show, UTC milliseconds; undefined for all hours. */
  readonly at: number | undefined;
  readonly stepMs: number;
}

/** How good a forecast in the rows of a result is, and which of them is scored. */
export class ForecastTab {
  readonly own: OwnTable;
  readonly #parts: TabParts;
  readonly #showInChart: (error: ShownError) => void;
  #score: AppliedScore | undefined;

  constructor(parts: TabParts, showInChart: (error: ShownError) => void) {
    this.#parts = parts;
    this.#showInChart = showInChart;
    this.own = new OwnTable(parts, 'forecast', t('Forecast'), { open: () => this.#show() });
  }

  /** Scores the rows of a result. */
  compute(state: TableState): void {
    const { filters, forecast: chosen } = this.#parts.view();
    const span = canScore(state.frame) ? stepSpanOf(state) : undefined;
    this.#score = span && appliedScore(state.frame, span.stepMs, chosen);
    if (!span || !this.#score) {
      this.own.clear();
      return;
    }
    const { actual, forecast, by } = this.#score;
    const score = { actual: actual.name, forecast: forecast.name, by };
    const { zone, interval, tariffs } = state;
    const key = JSON.stringify([score, span, filters, zone, interval, tariffs]);
    this.own.compute(state, key, () => this.#compute(state, span, score, filters));
  }

  /** What is said of the figures, and how they are computed. */
  words(): { readonly title: string; readonly sentence: string; readonly methods: readonly string[] } {
    const methods = this.#score ? [definitionText(this.#score.by)] : [];
    return { title: t('Forecast'), sentence: this.own.rows?.sentence ?? '', methods };
  }

  /** Shows what was computed; the table stands in the page. */
  show(): void {
    this.own.show();
  }

  template(): TemplateResult {
    const score = this.#score;
    if (!score) return html`<p class="aside" role="status">${t('There are no rows to score a forecast with.')}</p>`;
    const { change, view } = this.#parts;
    const { rows, table } = this.own;
    const definitions = definitionText(score.by);
    return html`${scoreControls({
        score,
        change: part => change({ forecast: { ...view().forecast, ...part } }),
        showInChart: rows && rows.frame.rowCount > 0 ? () => this.#show() : undefined,
      })}
      <p class="tab-sentence" title=${definitions}><span role="status">${rows?.sentence}</span> ${definitions}</p>
      ${rows ? table.template() : nothing}`;
  }

  /** Shows the error over time in the chart: the hour of the focused row, or else all. */
  #show(): void {
    const { rows } = this.own;
    const score = this.#score;
    const time = rows?.frame.columns.find(({ kind }) => kind === 'time');
    if (!rows || !score) return;
    const [actual, forecast] = [score.actual.name, score.forecast.name];
    this.#showInChart({ actual, forecast, at: time && this.own.instantAt(time.name), stepMs: rows.step });
  }

  #compute(state: TableState, span: StepSpan, score: ForecastScore, where: PanelView['filters']): ComputedRows {
    const { locale } = this.#parts.host;
    const scorecard = planScoring(state, span, score, where, { locale, say });
    const all = scorecardFrame(state.frame, { ...scorecard, by: 'all' });
    const made = score.by === 'all' ? all : scorecardFrame(state.frame, scorecard);
    const sentence = countsText(all, locale);
    return { frame: inWords(made), step: span.stepMs, analysis: { score }, sentence };
  }
}
