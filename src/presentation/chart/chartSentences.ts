import { t } from '@vscode/l10n';
import { getChartTimes } from '../../core/frame/chartColumns.ts';
import type { ChartModel } from './chartModel.ts';
import { describeFewHours, describeIncompleteStack } from './incompleteMessages.ts';
import type { Plot } from './plot.ts';
import type { PlotFormatter } from './plotFormatter.ts';

/** Explains what a chart omits or draws incompletely. */
export function describeOmissions(
  plot: Plot,
  formatter: PlotFormatter,
  compared: ChartModel['compared'] = [],
): string | undefined {
  const notices = [
    describeOmittedSeries(plot, formatter),
    describeFewHours(plot, formatter),
    !plot.mode.drawsComparison && compared.length > 0 ? t('The comparison is drawn in Lines.') : undefined,
  ];
  return notices.filter(Boolean).join(' ') || undefined;
}

function describeOmittedSeries(plot: Plot, formatter: PlotFormatter): string | undefined {
  if (plot.omittedLabels.length > 0)
    return t('Not drawn: {0}. A chart has at most two units.', plot.omittedLabels.join(', '));
  return plot.layers.length === 0 ? t('No columns selected.') : describeIncompleteStack(plot, formatter);
}

/** Explains why there is no chart. */
export function describeEmptyChart({ frame, rows }: Pick<ChartModel, 'frame' | 'rows'>): string {
  if (frame.rowCount === 0 || rows?.length === 0) return t('No rows to chart.');
  return getChartTimes(frame)
    ? t('This result has no numbers to chart.')
    : t('This result has no times to chart its numbers over.');
}
