import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { columnFigures, type PixelColumns } from './decimate.ts';
import type { Palette } from './palette.ts';
import type { Cells, LayerStyle } from './plot.ts';
import { boxTrace, crossHatch, type Box, type Shape, type Trace } from './scene.ts';
import type { Points } from './traces.ts';

const hoursOfDay = 24;

/**
 * The cells of a heatmap: one path for each colour, and one for those without a value. `columns`: those of pixels that `points` are, where
 * each stands for several.
 */
export function cellShapes(
  { values, least, greatest }: Cells,
  { x, from, to, toX, toY, hold }: Points,
  columns: PixelColumns | undefined,
  { colour }: LayerStyle,
  palette: Palette,
): Shape[] {
  const { scale, bands } = palette;
  // Empty for a cell without a value.
  const colourOf = (value: number): string => {
    if (Number.isNaN(value)) return '';
    if (colour === 'bands')
      return bands[stressBandIds.findLastIndex(id => value >= stressLimits[id])] ?? bands[0] ?? '';
    const share = greatest > least ? (value - least) / (greatest - least) : 0.5;
    return scale[Math.min(scale.length - 1, Math.floor(share * scale.length))] ?? '';
  };
  const places = values.length / hoursOfDay;
  const boxes = new Map<string, (Box & { width: number })[]>();
  for (let hour = 0; hour < hoursOfDay; hour++) {
    const ofHour = Float64Array.from({ length: places }, (_, place) => values[place * hoursOfDay + hour] ?? NaN);
    const row = columns ? columnFigures(ofHour, columns).mean : ofHour;
    const [top, bottom] = [Math.round(toY(hour + 1)), Math.round(toY(hour))];
    for (let point = from; point < to; point++) {
      const at = x[point] ?? 0;
      // A column of pixels reaches half a pixel to both sides of its middle.
      const left = Math.round(hold === undefined ? toX(at) - 0.5 : toX(at));
      const right = hold === undefined ? left + 1 : Math.round(toX(at + hold));
      const fill = colourOf(row[point] ?? NaN);
      const list = boxes.get(fill) ?? [];
      boxes.set(fill, list);
      const before = list.at(-1);
      // One box for neighbours of one colour, since a path of many boxes takes long to build.
      if (before?.y === top && before.x + before.width === left) before.width = right - before.x;
      else list.push({ x: left, y: top, width: right - left, height: bottom - top });
    }
  }
  const gap = { colour: palette.background, opacity: 1, hatch: { index: crossHatch, colour: palette.muted } };
  return [...boxes].map(([fill, all]): Shape => {
    const trace: Trace = sink => all.forEach(box => boxTrace(box)(sink));
    return { kind: 'path', trace, fill: fill === '' ? gap : { colour: fill, opacity: 1 } };
  });
}
