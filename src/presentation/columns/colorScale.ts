import { numberShape } from '../../shared/formatNumber.ts';
import { cellState, stateAt, type NumberColumn } from '../../shared/frame.ts';
import { stressBandIds, stressBandOf } from '../../shared/stressBands.ts';
import { colourText, parseColour, withContrast, type Palette } from '../chart/palette.ts';
import type { CellShade, GridColumn, ScaleLegend, ScalePlace } from '../table/gridColumn.ts';
import { isStress } from './stressBand.ts';

/** Where a fill allows no more, black or white still stands 4.5:1 on it. */
const textContrast = 7;

/** The values at the ends of a column's colour scale; undefined for one without a value, and for the bands, which the cells name. */
export function scaleEnds(column: NumberColumn, rowCount: number): readonly [from: number, to: number] | undefined {
  const { range } = isStress(column) ? {} : numberShape(column, rowCount);
  if (!range) return undefined;
  const [least, greatest] = range;
  const most = Math.max(-least, greatest);
  return least < 0 && greatest > 0 ? [-most, most] : [least, greatest];
}

/**
 * Where the values of a column lie on their colour scale: from the least to the greatest of all rows, so that no filter changes a colour;
 * where these are of both signs as far to either side of 0; the stress index in its bands.
 */
export function scaleOf(column: NumberColumn, rowCount: number): (row: number) => ScalePlace | undefined {
  const isBanded = isStress(column);
  let range: readonly [least: number, greatest: number] | undefined;
  return row => {
    const value = column.values[row] ?? NaN;
    if (stateAt(column, row) !== cellState.value || !Number.isFinite(value)) return undefined;
    if (isBanded) return ['bands', stressBandIds.indexOf(stressBandOf(value)) / stressBandIds.length];
    const [least, greatest] = (range ??= numberShape(column, rowCount).range ?? [value, value]);
    if (least < 0 && greatest > 0) return ['signed', 0.5 + value / Math.max(-least, greatest) / 2];
    return ['even', greatest > least ? (value - least) / (greatest - least) : 0.5];
  };
}

/** How the cells of the `scaled` columns look: in the colours of the heatmap, of the bands, or away from 0. */
export function cellShades(
  { scale: even, diverging, bands, foreground }: Palette,
  scaled: readonly string[],
): (column: GridColumn, row: number) => CellShade | undefined {
  const text = parseColour(foreground);
  const shadesOf = (colours: readonly string[], zero = 0): CellShade[] =>
    colours.map((fill, step) => {
      const under = parseColour(fill);
      const on = text && under && colourText(withContrast(text, under, textContrast));
      const end = (step + (zero ? 0.5 : 1)) / colours.length;
      const [from, to] = [`${Math.min(zero, end) * 100}%`, `${Math.max(zero, end) * 100}%`];
      return { '--shade-fill': fill, '--shade-text': on ?? foreground, '--shade-from': from, '--shade-to': to };
    });
  const shades = { even: shadesOf(even), signed: shadesOf(diverging, 0.5), bands: shadesOf(bands) };
  return (column, row) => {
    const [scale, share = 0] = (scaled.includes(column.name) && column.place?.(row)) || [];
    const steps = scale ? shades[scale] : [];
    return steps[Math.min(steps.length - 1, Math.floor(share * steps.length))];
  };
}

/** What the headers of the `scaled` columns say of the colours below them. */
export function scaleLegends(
  { scale, diverging }: Palette,
  scaled: readonly string[],
): (column: GridColumn) => ScaleLegend | undefined {
  return ({ name, ends }) => {
    const words = scaled.includes(name) ? ends?.() : undefined;
    return words && { words: words.text, colours: words.isSigned ? diverging : scale };
  };
}
