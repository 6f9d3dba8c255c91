import { t } from '@vscode/l10n';
import type { Analyser } from '../../core/analysis/analyse.ts';
import { getIntervalSpan } from '../../core/analysis/rowIntervals.ts';
import { resolveScoreChoice, canScore, type ResolvedScoreChoice } from '../../core/forecast/scoreChoice.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { stepsAround, type ComputedRows, type RowWords } from '../result/computedRows.ts';
import { inWords } from '../translate.ts';
import { countsText, definitionText } from './scoreWords.ts';

/** The content of the Forecast tab: how good a forecast is. */
export interface ShownScore {
  readonly choice: ResolvedScoreChoice;
  readonly rows: ComputedRows | undefined;
  readonly words: RowWords;
}

export function shownScore(analyser: Analyser, state: TableState, view: View, locale: string): ShownScore | undefined {
  const { rowsWithDerived } = analyser.derive(state, view.derived);
  const span = canScore(rowsWithDerived.frame) ? getIntervalSpan(rowsWithDerived) : undefined;
  const choice = span && resolveScoreChoice(rowsWithDerived.frame, span.stepMs, view.forecast);
  if (!choice) return undefined;
  const { actual, forecast, by } = choice;
  const score = { actual: actual.name, forecast: forecast.name, by };
  const { sort, ...before } = stepsAround(view, 'forecast');
  const analysis = { ...before, score, ...(sort && { sort }) };
  const { frame, order, scorecard } = analyser.analyse(state, analysis);
  const all = analyser.analyse(state, { ...before, score: { ...score, by: 'all' } });
  const rows = scorecard && { analysis, frame: inWords(frame), order, zone: state.zone, step: span.stepMs };
  const sentence = scorecard ? countsText(all.frame, locale) : '';
  return { choice, rows, words: { title: t('Forecast'), sentence, methods: [definitionText(by)] } };
}
