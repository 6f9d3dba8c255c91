import { t } from '@vscode/l10n';
import { getChartTimes } from '../../core/frame/chartColumns.ts';
import type { ChartModel } from './chartModel.ts';
import { fewNotice, incompleteNotice } from './incompleteWords.ts';
import type { Plot } from './plot.ts';
import type { PlotWords } from './words.ts';

/** Explains what a chart omits or draws incompletely. */
export function noticeOf(plot: Plot, words: PlotWords, compared: ChartModel['compared'] = []): string | undefined {
  const notices = [
    leftOut(plot, words),
    fewNotice(plot, words),
    !plot.mode.compares && compared.length > 0 ? t('The comparison is drawn in Lines.') : undefined,
  ];
  return notices.filter(Boolean).join(' ') || undefined;
}

function leftOut(plot: Plot, words: PlotWords): string | undefined {
  if (plot.refused.length > 0) return t('Not drawn: {0}. A chart has at most two units.', plot.refused.join(', '));
  return plot.layers.length === 0 ? t('No columns selected.') : incompleteNotice(plot, words);
}

/** Explains why there is no chart. */
export function emptySentence({ frame, rows }: Pick<ChartModel, 'frame' | 'rows'>): string {
  if (frame.rowCount === 0 || rows?.length === 0) return t('No rows to chart.');
  return getChartTimes(frame)
    ? t('This result has no numbers to chart.')
    : t('This result has no times to chart its numbers over.');
}
