import { t } from '@vscode/l10n';
import { labelWithUnit } from '../columns/columnHeader.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import type { TimeRange } from './chartModel.ts';
import { pointsInside } from './decimate.ts';
import { captionOf, fewSentence, incompleteSentence } from './incompleteWords.ts';
import { hoursOfDay, visibleLayers, type Layer, type Plot } from './plot.ts';
import { selectionSentence } from './selectionBand.ts';
import { figuresText, windowFigures } from './windowFigures.ts';
import { type PlotWords } from './words.ts';

/** The facts of a layer in a window: the points of the first, last, minimum and maximum value, and the number of gaps. */
export interface LayerFacts {
  readonly first: number;
  readonly last: number;
  readonly least: number;
  readonly greatest: number;
  readonly gaps: number;
}

/** Computes the facts of values; undefined if there are none. A gap is a run of missing values between two known ones. */
export function factsOf(values: Float64Array, from: number, to: number): LayerFacts | undefined {
  let first = -1;
  let last = -1;
  let least = -1;
  let greatest = -1;
  let gaps = 0;
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (Number.isNaN(value)) continue;
    if (first < 0) first = least = greatest = point;
    else if (last !== point - 1) gaps++;
    last = point;
    if (value < (values[least] as number)) least = point;
    if (value > (values[greatest] as number)) greatest = point;
  }
  return first < 0 ? undefined : { first, last, least, greatest, gaps };
}

/** “Shown: 3 May 02:00 UTC to 3 May 14:00 UTC.” */
export function shownSentence(words: PlotWords, window: TimeRange): string {
  return t('Shown: {0}.', words.range(window));
}

/** Describes a chart in sentences: the window, then each series. */
export function summaryOf(plot: Plot, words: PlotWords, window: TimeRange): string[] {
  const { from, to } = pointsInside(plot.timeline.x, window);
  const figures = windowFigures(plot, window);
  const layers = visibleLayers(plot).map(layer => {
    const inWindow = figures.get(layer);
    const more = inWindow && figuresText(layer, { ...inWindow, peak: undefined }, words);
    return [layerSentence(plot, layer, words, from, to), more && `${more}.`].filter(Boolean).join(' ');
  });
  const caption = captionOf(plot, words);
  const marked = [incompleteSentence(plot, words, from, to), fewSentence(plot, words, from, to)];
  const limit = words.limit && t('Limit: {0}.', words.limit);
  const about = [limit, caption, ...selectionSentence(plot, words), ...marked].flatMap(sentence => sentence || []);
  return [shownSentence(words, window), ...about, ...layers];
}

function layerSentence(plot: Plot, layer: Layer, words: PlotWords, from: number, to: number): string {
  // For cells, the facts are of all hours, not only of the row at the crosshair.
  const { cells, timeline } = plot;
  const rows = cells ? hoursOfDay : 1;
  // A logarithmic axis omits zero, which still counts as a value.
  const { values: known } = plot.axes[layer.axis]?.isLog ? (layer.measured ?? layer) : layer;
  const values = cells?.values ?? known;
  const facts = factsOf(values, from * rows, to * rows);
  const name = labelWithUnit(layer);
  if (!facts) return t('{0}: no values.', name);
  const instants = layer.instants ?? timeline.x;
  const timeOf = (at: number): string => {
    const time = words.time(instants[Math.floor(at / rows)] ?? 0);
    return cells ? `${time}, ${formatHour(at % rows)}` : time;
  };
  const at = (place: number): string => t('{0} at {1}', words.number(layer, values[place] ?? NaN), timeOf(place));
  const gaps = facts.gaps === 0 ? t('no gaps') : facts.gaps === 1 ? t('1 gap') : t('{0} gaps', words.count(facts.gaps));
  const { first, last, least, greatest } = facts;
  return t(
    '{0}: first {1}, last {2}, lowest {3}, highest {4}, {5}.',
    name,
    at(first),
    at(last),
    at(least),
    at(greatest),
    gaps,
  );
}
