import { t } from '@vscode/l10n';
import { labelWithUnit } from '../columns/columnHeader.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import type { TimeWindow } from './chartModel.ts';
import { findPointsInside } from './decimate.ts';
import { formatCaption, describeFewHoursPoints, describeIncompletePoints } from './incompleteMessages.ts';
import { hoursOfDay, listVisibleLayers, type Layer, type Plot } from './plot.ts';
import { describeSelection } from './selectionBand.ts';
import { formatFigures, computeWindowFigures } from './windowFigures.ts';
import { type PlotFormatter } from './plotFormatter.ts';

/** The facts of a layer in a window: the points of the first, last, minimum and maximum value, and the number of gaps. */
export interface LayerFacts {
  readonly first: number;
  readonly last: number;
  readonly min: number;
  readonly max: number;
  readonly gaps: number;
}

/** Computes the facts of values. Returns undefined if there are no values. A gap is a run of missing values between two known ones. */
export function computeLayerFacts(values: Float64Array, from: number, to: number): LayerFacts | undefined {
  let first = -1;
  let last = -1;
  let min = -1;
  let max = -1;
  let gaps = 0;
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    if (first < 0) first = min = max = point;
    else if (last !== point - 1) gaps++;
    last = point;
    if (value < (values[min] as number)) min = point;
    if (value > (values[max] as number)) max = point;
  }
  return first < 0 ? undefined : { first, last, min, max, gaps };
}

/** Describes the visible window, such as “Shown: 3 May 02:00 UTC to 3 May 14:00 UTC.” */
export function describeVisibleRange(formatter: PlotFormatter, window: TimeWindow): string {
  return t('Shown: {0}.', formatter.formatRange(window));
}

/** Describes a chart in sentences: the window, then each series. */
export function describeChart(plot: Plot, formatter: PlotFormatter, window: TimeWindow): string[] {
  const { from, to } = findPointsInside(plot.timeline.x, window);
  const figures = computeWindowFigures(plot, window);
  const layers = listVisibleLayers(plot).map(layer => {
    const figuresInWindow = figures.get(layer);
    const figuresSentence = figuresInWindow && formatFigures(layer, { ...figuresInWindow, peak: undefined }, formatter);
    return [describeLayer(plot, layer, formatter, from, to), figuresSentence && `${figuresSentence}.`]
      .filter(Boolean)
      .join(' ');
  });
  const caption = formatCaption(plot, formatter);
  const markSentences = [
    describeIncompletePoints(plot, formatter, from, to),
    describeFewHoursPoints(plot, formatter, from, to),
  ];
  const limit = formatter.formattedLimit && t('Limit: {0}.', formatter.formattedLimit);
  const chartSentences = [limit, caption, ...describeSelection(plot, formatter), ...markSentences].flatMap(
    sentence => sentence || [],
  );
  return [describeVisibleRange(formatter, window), ...chartSentences, ...layers];
}

function describeLayer(plot: Plot, layer: Layer, formatter: PlotFormatter, from: number, to: number): string {
  // For cells, the facts are of all hours, not only of the row at the crosshair.
  const { cells, timeline } = plot;
  const rows = cells ? hoursOfDay : 1;
  // Zero is a value, although a logarithmic axis cannot draw it.
  const { values: known } = plot.axes[layer.axis]?.isLog ? (layer.measured ?? layer) : layer;
  const values = cells?.values ?? known;
  const facts = computeLayerFacts(values, from * rows, to * rows);
  const name = labelWithUnit(layer);
  if (!facts) return t('{0}: no values.', name);
  const instants = layer.instants ?? timeline.x;
  const formatTime = (index: number): string => {
    const time = formatter.formatTime(instants[Math.floor(index / rows)] ?? 0);
    return cells ? `${time}, ${formatHour(index % rows)}` : time;
  };
  const formatValueAt = (index: number): string =>
    t('{0} at {1}', formatter.formatNumber(layer, values[index] ?? NaN), formatTime(index));
  const gaps =
    facts.gaps === 0 ? t('no gaps') : facts.gaps === 1 ? t('1 gap') : t('{0} gaps', formatter.formatCount(facts.gaps));
  const { first, last, min, max } = facts;
  return t(
    '{0}: first {1}, last {2}, lowest {3}, highest {4}, {5}.',
    name,
    formatValueAt(first),
    formatValueAt(last),
    formatValueAt(min),
    formatValueAt(max),
    gaps,
  );
}
