import { getNumberShape } from '../../shared/formatNumber.ts';
import { cellState, getCellState, type NumberColumn } from '../../shared/frame.ts';
import { stressBandIds, getStressBand } from '../../shared/stressBands.ts';
import { formatColor, parseColor, ensureContrast, type Palette } from '../chart/palette.ts';
import type { CellShade, GridColumn, ScaleLegend, ScalePosition } from '../table/gridColumn.ts';
import { isStressIndex } from './stressBand.ts';

/** The intended contrast of text on a fill. If a fill does not allow it, black or white text still has a contrast of 4.5:1. */
const textContrast = 7;

/** Returns the values at the ends of a column's color scale; undefined without values, and for the stress bands, which the cells name. */
export function getScaleEnds(column: NumberColumn, rowCount: number): readonly [from: number, to: number] | undefined {
  const { range } = isStressIndex(column) ? {} : getNumberShape(column, rowCount);
  if (!range) return undefined;
  const [min, max] = range;
  const maxSize = Math.max(-min, max);
  return min < 0 && max > 0 ? [-maxSize, maxSize] : [min, max];
}

/**
 * Creates the color scale of a column. It runs from the minimum to the maximum of all rows, so that no filter changes a color. If the values
 * have both signs, it is symmetric around 0; the stress index has the colors of its bands.
 */
export function createColorScale(column: NumberColumn, rowCount: number): (row: number) => ScalePosition | undefined {
  const isBanded = isStressIndex(column);
  let range: readonly [min: number, max: number] | undefined;
  return row => {
    const value = column.values[row] ?? NaN;
    if (getCellState(column, row) !== cellState.value || !Number.isFinite(value)) return undefined;
    if (isBanded) return ['bands', stressBandIds.indexOf(getStressBand(value)) / stressBandIds.length];
    const [min, max] = (range ??= getNumberShape(column, rowCount).range ?? [value, value]);
    if (min < 0 && max > 0) return ['signed', 0.5 + value / Math.max(-min, max) / 2];
    return ['even', max > min ? (value - min) / (max - min) : 0.5];
  };
}

/** Creates the cell colors of the `scaled` columns, which are the heatmap's colors, the colors of the stress bands, or a scale that diverges from 0. */
export function createCellShades(
  { scale: even, diverging, bands, foreground }: Palette,
  scaled: readonly string[],
): (column: GridColumn, row: number) => CellShade | undefined {
  const text = parseColor(foreground);
  const createShades = (colors: readonly string[], zero = 0): CellShade[] =>
    colors.map((fill, index) => {
      const behind = parseColor(fill);
      const textColor = text && behind && formatColor(ensureContrast(text, behind, textContrast));
      const end = (index + (zero ? 0.5 : 1)) / colors.length;
      const from = `${Math.min(zero, end) * 100}%`;
      const to = `${Math.max(zero, end) * 100}%`;
      return { '--shade-fill': fill, '--shade-text': textColor ?? foreground, '--shade-from': from, '--shade-to': to };
    });
  const shades = { even: createShades(even), signed: createShades(diverging, 0.5), bands: createShades(bands) };
  return (column, row) => {
    const [scale, share = 0] = (scaled.includes(column.name) && column.scalePosition?.(row)) || [];
    const scaleShades = scale ? shades[scale] : [];
    return scaleShades[Math.min(scaleShades.length - 1, Math.floor(share * scaleShades.length))];
  };
}

/** Creates the legends in the headers of the `scaled` columns. */
export function createScaleLegends(
  { scale, diverging }: Palette,
  scaled: readonly string[],
): (column: GridColumn) => ScaleLegend | undefined {
  return ({ name, formatScaleEnds }) => {
    const endsText = scaled.includes(name) ? formatScaleEnds?.() : undefined;
    return endsText && { words: endsText.text, colors: endsText.isSigned ? diverging : scale };
  };
}
