import type { TimeRange } from './chartModel.ts';
import { pointsIn } from './decimate.ts';
import { visibleLayers } from './plot.ts';
import type { Plot } from './plot.ts';
import { fixedAxis, valueAxis } from './valueAxis.ts';
import type { ValueAxis } from './valueAxis.ts';

const nearShare = 0.25;

/** The smallest and largest value; [Infinity, -Infinity] where there is none. */
function extremesOf(values: Float64Array, from: number, to: number): readonly [least: number, greatest: number] {
  let least = Infinity;
  let greatest = -Infinity;
  for (let point = from; point < to; point++) {
    const value = values[point] as number;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}

/** The value axes of a window: they follow what is seen in it. Values outside a fixed axis widen it. */
export function axesIn(plot: Plot, window: TimeRange, mostTicks: number): ValueAxis[] {
  const { from, to } = pointsIn(plot.timeline.x, window);
  const layers = visibleLayers(plot);
  return plot.axes.map(({ fixed, zero }, index) => {
    const edges = layers.filter(({ axis }) => axis === index).flatMap(layer => layer.edges);
    const ends = edges.map(edge => extremesOf(edge, from, to));
    const least = Math.min(...ends.map(([low]) => low), fixed?.[0] ?? Infinity);
    const greatest = Math.max(...ends.map(([, high]) => high), fixed?.[1] ?? -Infinity);
    const inside = fixed && least >= fixed[0] && greatest <= fixed[1];
    // Values that come near zero are read against it.
    const nearZero = least >= 0 && least < greatest * nearShare;
    return inside ? fixedAxis(fixed[0], fixed[1], mostTicks) : valueAxis(least, greatest, mostTicks, zero || nearZero);
  });
}
