import type { Palette } from './palette.ts';
import type { Plot } from './plot.ts';
import { boxTrace } from './scene.ts';
import type { Box, Fill, Shape, Sink, Stroke } from './scene.ts';

const fade = 0.6;
const stripes = 1;
/** CSS pixels: one hour of many years must still be seen. */
const leastWidth = 2;

/** Where the plot lies, and where an instant does in it. */
interface MarkPlace {
  readonly box: Box;
  readonly toX: (instant: number) => number;
}

/** How an incomplete stretch looks, in the plot and in a legend: faded, striped and outlined. */
export function incompleteLook(palette: Palette): { readonly fill: Fill; readonly stroke: Stroke } {
  const hatch = { index: stripes, colour: palette.foreground };
  return {
    fill: { colour: palette.background, opacity: fade, hatch },
    stroke: { colour: palette.foreground, width: 1, dash: [] },
  };
}

/**
 * Columns over everything that is drawn from an incomplete point: between points the areas are straight, so what is
 * too low at one point is too low up to its neighbours. Columns that touch are one.
 */
export function incompleteShapes(plot: Plot, { box, toX }: MarkPlace, palette: Palette): Shape[] {
  const columns = columnsIn(plot, box, toX);
  if (columns.length === 0) return [];
  const trace = (sink: Sink): void => columns.forEach(column => boxTrace(column)(sink));
  return [{ kind: 'path', trace, ...incompleteLook(palette) }];
}

function columnsIn({ incomplete, timeline, stepped }: Plot, box: Box, toX: MarkPlace['toX']): Box[] {
  const { x, step = 0 } = timeline;
  const columns: { left: number; right: number }[] = [];
  for (const point of incomplete) {
    const at = x[point] ?? 0;
    const next = Math.min(at + step, x[point + 1] ?? (stepped ? Infinity : at));
    const previous = stepped ? at : Math.max(at - step, x[point - 1] ?? at);
    const [left, right] = [toX(previous), toX(next)];
    const last = columns.at(-1);
    if (last && left <= last.right + 1) last.right = Math.max(right, last.right);
    else columns.push({ left, right });
  }
  return columns
    .map(({ left, right }) => {
      const more = Math.max(0, leastWidth - (right - left)) / 2;
      return { x: left - more, y: box.y, width: right - left + 2 * more, height: box.height };
    })
    .filter(({ x: left, width }) => left + width >= box.x && left <= box.x + box.width);
}
