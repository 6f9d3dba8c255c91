import { t } from '@vscode/l10n';
import { fewLabel, totalAt } from './incompleteWords.ts';
import { isFewAt, visibleLayers, type Layer, type Plot } from './plot.ts';
import { nearest, rowOf } from './timeline.ts';
import type { PlotWords } from './words.ts';

/** Describes the values at a point: "03 May 02:00 SAST: Residual demand 23,582 MW, Wind 1,279 MW". */
export function spokenPoint(plot: Plot, words: PlotWords, point: number): string {
  // The main line comes first.
  const isMain = ({ style }: Layer): boolean => style.colour === 'foreground';
  const said = visibleLayers(plot)
    .sort((a, b) => Number(isMain(b)) - Number(isMain(a)))
    .map(layer => `${layer.label} ${words.value(layer, layer.values[point] ?? NaN)}`);
  const time = words.timeAt(point);
  const total = totalAt(plot, words, point)?.sentence;
  return said.length > 0
    ? `${time}: ${[...said, total, isFewAt(plot, point) && fewLabel()].filter(Boolean).join(', ')}`
    : t('{0}: all series are hidden', time);
}

/** Moves by a number of points that have a row, at most to the last one. */
export function stepPoint(plot: Plot, from: number, by: number): number {
  const count = plot.timeline.x.length;
  const direction = Math.sign(by);
  let at = from;
  for (let left = Math.abs(by); left > 0; left--) {
    let next = at + direction;
    while (next >= 0 && next < count && rowOf(plot.timeline, next) === undefined) next += direction;
    if (next < 0 || next >= count) return at;
    at = next;
  }
  return at;
}

/** Returns the point, or its neighbour if the point only breaks the line. */
export function pointWithRow(plot: Plot, point: number): number {
  return rowOf(plot.timeline, point) === undefined ? Math.max(0, point - 1) : point;
}

/** Finds the point with a row that is nearest to an instant. */
export function nearestWithRow(plot: Plot, instant: number): number {
  return pointWithRow(plot, nearest(plot.timeline.x, instant));
}
