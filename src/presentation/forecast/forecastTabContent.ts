import { t } from '@vscode/l10n';
import type { Analyzer } from '../../core/analysis/analyze.ts';
import { getIntervalSpan } from '../../core/analysis/rowIntervals.ts';
import { resolveScoreChoice, canScore, type ResolvedScoreChoice } from '../../core/forecast/scoreChoice.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { getCommonAnalysis, type ComputedRows, type TabTexts } from '../result/computedRows.ts';
import { translateFrame } from '../translate.ts';
import { describeScoredHours, describeScoreFigures } from './scoreMessages.ts';

/** The content of the Forecast tab: how good a forecast is. */
export interface ForecastTabContent {
  readonly choice: ResolvedScoreChoice;
  readonly rows: ComputedRows | undefined;
  readonly texts: TabTexts;
}

export function computeForecastTab(
  analyzer: Analyzer,
  state: TableState,
  view: View,
  locale: string,
): ForecastTabContent | undefined {
  const { rowsWithDerived } = analyzer.derive(state, view.derived);
  const interval = canScore(rowsWithDerived.frame) ? getIntervalSpan(rowsWithDerived) : undefined;
  const choice = interval && resolveScoreChoice(rowsWithDerived.frame, interval.intervalMs, view.forecast);
  if (!choice) return undefined;
  const { actual, forecast, by } = choice;
  const score = { actual: actual.name, forecast: forecast.name, by };
  const { sort, ...commonAnalysis } = getCommonAnalysis(view, 'forecast');
  const analysis = { ...commonAnalysis, score, ...(sort && { sort }) };
  const { frame, order, scorecard } = analyzer.analyze(state, analysis);
  const overallResult = analyzer.analyze(state, { ...commonAnalysis, score: { ...score, by: 'all' } });
  const rows = scorecard && {
    analysis,
    frame: translateFrame(frame),
    order,
    zone: state.zone,
    intervalMs: interval.intervalMs,
  };
  const sentence = scorecard ? describeScoredHours(overallResult.frame, locale) : '';
  return { choice, rows, texts: { title: t('Forecast'), sentence, methods: [describeScoreFigures(by)] } };
}
