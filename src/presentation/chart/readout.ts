import { t } from '@vscode/l10n';
import { getFewHoursLabel, formatTotal } from './incompleteMessages.ts';
import { hasFewHoursAt, listVisibleLayers, type Layer, type Plot } from './plot.ts';
import { findNearest, getRow } from './timeline.ts';
import type { PlotFormatter } from './plotFormatter.ts';

/** Describes the values of all visible series at a point, such as "03 May 02:00 SAST: Residual demand 23,582 MW, Wind 1,279 MW". */
export function describePoint(plot: Plot, formatter: PlotFormatter, point: number): string {
  // The main line is listed first.
  const isMain = ({ style }: Layer): boolean => style.color === 'foreground';
  const values = listVisibleLayers(plot)
    .sort((a, b) => Number(isMain(b)) - Number(isMain(a)))
    .map(layer => `${layer.label} ${formatter.formatValue(layer, layer.values[point] ?? NaN)}`);
  const time = formatter.formatPointTime(point);
  const total = formatTotal(plot, formatter, point)?.sentence;
  return values.length > 0
    ? `${time}: ${[...values, total, hasFewHoursAt(plot, point) && getFewHoursLabel()].filter(Boolean).join(', ')}`
    : t('{0}: all series are hidden', time);
}

/** Returns the point that is `count` points with a row after `start`, or before it if `count` is negative. Stops at the first and the last point. */
export function movePoint(plot: Plot, start: number, count: number): number {
  const pointCount = plot.timeline.x.length;
  const direction = Math.sign(count);
  let current = start;
  for (let remaining = Math.abs(count); remaining > 0; remaining--) {
    let next = current + direction;
    while (next >= 0 && next < pointCount && getRow(plot.timeline, next) === undefined) next += direction;
    if (next < 0 || next >= pointCount) return current;
    current = next;
  }
  return current;
}

/** Returns the point itself, or the previous one if the point has no row and only breaks the line. */
export function skipBreak(plot: Plot, point: number): number {
  return getRow(plot.timeline, point) === undefined ? Math.max(0, point - 1) : point;
}

/** Finds the point nearest to an instant, ignoring points without a row. */
export function findNearestRowPoint(plot: Plot, instant: number): number {
  return skipBreak(plot, findNearest(plot.timeline.x, instant));
}
