import { getNumberShape } from '../../shared/formatNumber.ts';
import { cellState, getCellState, type NumberColumn } from '../../shared/frame.ts';
import { stressBandIds, getStressBand } from '../../shared/stressBands.ts';
import { colourText, parseColour, withContrast, type Palette } from '../chart/palette.ts';
import type { CellShade, GridColumn, ScaleLegend, ScalePlace } from '../table/gridColumn.ts';
import { isStress } from './stressBand.ts';

/** The intended contrast of text on a fill. If the fill does not allow it, black or white still has 4.5:1. */
const textContrast = 7;

/** Returns the values at the ends of a column's colour scale; undefined without values, and for the stress bands, which the cells name. */
export function scaleEnds(column: NumberColumn, rowCount: number): readonly [from: number, to: number] | undefined {
  const { range } = isStress(column) ? {} : getNumberShape(column, rowCount);
  if (!range) return undefined;
  const [least, greatest] = range;
  const most = Math.max(-least, greatest);
  return least < 0 && greatest > 0 ? [-most, most] : [least, greatest];
}

/**
 * Creates the colour scale of a column. It runs from the minimum to the maximum of all rows, so that no filter changes a colour. If the values
 * have both signs, it is symmetric around 0; the stress index has the colours of its bands.
 */
export function scaleOf(column: NumberColumn, rowCount: number): (row: number) => ScalePlace | undefined {
  const isBanded = isStress(column);
  let range: readonly [least: number, greatest: number] | undefined;
  return row => {
    const value = column.values[row] ?? NaN;
    if (getCellState(column, row) !== cellState.value || !Number.isFinite(value)) return undefined;
    if (isBanded) return ['bands', stressBandIds.indexOf(getStressBand(value)) / stressBandIds.length];
    const [least, greatest] = (range ??= getNumberShape(column, rowCount).range ?? [value, value]);
    if (least < 0 && greatest > 0) return ['signed', 0.5 + value / Math.max(-least, greatest) / 2];
    return ['even', greatest > least ? (value - least) / (greatest - least) : 0.5];
  };
}

/** Creates the colours of the cells of the `scaled` columns: those of the heatmap, of the stress bands, or diverging from 0. */
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

/** Creates the legends in the headers of the `scaled` columns. */
export function scaleLegends(
  { scale, diverging }: Palette,
  scaled: readonly string[],
): (column: GridColumn) => ScaleLegend | undefined {
  return ({ name, ends }) => {
    const words = scaled.includes(name) ? ends?.() : undefined;
    return words && { words: words.text, colours: words.isSigned ? diverging : scale };
  };
}
