import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { columnFigures, type PixelColumns } from './decimate.ts';
import type { Palette } from './palette.ts';
import { hoursOfDay, type Cells, type LayerStyle } from './plot.ts';
import { boxTrace, crossHatch, type Box, type MarkLook, type Shape, type Trace } from './scene.ts';
import type { Points } from './traces.ts';

/**
 * The cells of a heatmap: one path for each colour, and one for those without a value. `columns`: those of pixels that `points` are, where
 * each stands for several. `mark`: of cells with too few hours, where there is room.
 */
export function cellShapes(
  { values, least, greatest, few }: Cells,
  { x, from, to, toX, toY, hold }: Points,
  columns: PixelColumns | undefined,
  { colour }: LayerStyle,
  palette: Palette,
  mark: MarkLook,
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
  const boxes = new Map<string, Box[]>();
  const marks: Box[] = [];
  for (let hour = 0; hour < hoursOfDay; hour++) {
    const ofHour = rowOfCells(values, hour);
    const fewOfHour = few && rowOfCells(few, hour);
    const marked = fewOfHour && columns ? columnFigures(fewOfHour, columns).greatest : fewOfHour;
    const row = columns ? columnFigures(ofHour, columns).mean : ofHour;
    const [top, bottom] = [Math.round(toY(hour + 1)), Math.round(toY(hour))];
    // One box for neighbours of one colour, since a path of many boxes takes long to build.
    let last: { readonly box: { x: number; width: number }; readonly fill: string } | undefined;
    for (let point = from; point < to; point++) {
      const at = x[point] ?? 0;
      // A column of pixels reaches half a pixel to both sides of its middle.
      const left = Math.round(hold === undefined ? toX(at) - 0.5 : toX(at));
      const right = hold === undefined ? left + 1 : Math.round(toX(at + hold));
      const fill = colourOf(row[point] ?? NaN);
      if (marked?.[point] === 1 && bottom - top >= leastMarked)
        marks.push(markIn({ x: left, y: top, width: right - left, height: bottom - top }));
      if (last?.fill === fill && last.box.x + last.box.width === left) {
        last.box.width = right - last.box.x;
        continue;
      }
      const box = { x: left, y: top, width: right - left, height: bottom - top };
      last = { box, fill };
      const list = boxes.get(fill) ?? [];
      boxes.set(fill, list);
      list.push(box);
    }
  }
  const gap = { colour: palette.background, opacity: 1, hatch: { index: crossHatch, colour: palette.muted } };
  const cells = [...boxes].map(([fill, all]): Shape => {
    const trace: Trace = sink => all.forEach(box => boxTrace(box)(sink));
    return { kind: 'path', trace, fill: fill === '' ? gap : { colour: fill, opacity: 1 } };
  });
  if (marks.length === 0) return cells;
  return [...cells, { kind: 'path', trace: sink => marks.forEach(box => boxTrace(box)(sink)), ...mark }];
}

/** CSS pixels: none on the strip under the chart. */
const leastMarked = 5;
/** CSS pixels. */
const markWidth = 10;
const markHeight = 6;

/** In the corner below, so that the cell's colour is seen. */
function markIn({ x, y, width, height }: Box): Box {
  const high = Math.min(markHeight, Math.round(height / 2));
  return { x, y: y + height - high, width: Math.min(markWidth, width), height: high };
}

/** What the cells of an hour of the day have, place by place. */
export function rowOfCells(cells: Float64Array | Uint8Array, hour: number): Float64Array {
  return Float64Array.from(
    { length: cells.length / hoursOfDay },
    (_, place) => cells[place * hoursOfDay + hour] ?? NaN,
  );
}
