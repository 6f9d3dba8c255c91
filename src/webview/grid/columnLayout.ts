import { formatUnitLine, type GridColumn, type GridData } from '../../presentation/table/gridColumn.ts';

/** Widths and left edges of the columns, in CSS pixels. */
export class ColumnLayout {
  readonly count: number;
  readonly total: number;
  /** Left edge of each column, followed by the right edge of the last one. */
  readonly #edges: Float64Array;

  constructor(widths: readonly number[]) {
    this.count = widths.length;
    this.#edges = new Float64Array(widths.length + 1);
    widths.forEach((width, column) => (this.#edges[column + 1] = (this.#edges[column] ?? 0) + width));
    this.total = this.#edges[widths.length] ?? 0;
  }

  left(column: number): number {
    return this.#edges[column] ?? this.total;
  }

  width(column: number): number {
    return this.left(column + 1) - this.left(column);
  }

  /** The column at the pixel `x`, clamped to the existing columns. */
  columnAt(x: number): number {
    const column = this.#edges.findLastIndex(edge => edge <= x);
    return Math.max(0, Math.min(this.count - 1, column));
  }
}

/** Creates a measure that uses the current fonts of the two elements. */
export function createTextMeasure(header: Element, cell: Element): TextMeasure {
  const context = document.createElement('canvas').getContext('2d');
  const createMeasurer = (element: Element) => {
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
    const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    return (text: string) => {
      if (!context) return text.length * 8;
      context.font = font;
      return context.measureText(text).width;
    };
  };
  return { header: createMeasurer(header), cell: createMeasurer(cell) };
}

/** Measures the width of a text in a header or a cell, in CSS pixels. */
export interface TextMeasure {
  readonly header: (text: string) => number;
  readonly cell: (text: string) => number;
}

const minColumnWidth = 56;
const maxHeaderWidth = 220;
const maxCellWidth = 320;

/** Padding on both sides plus the line between columns. */
const cellPadding = 17;

/** Width of the sort icon beside the label. */
const sortIconWidth = 20;

/** Width of the bar before a badge and the space around it. */
const badgePadding = 18;

/** Computes the initial widths. Numbers and times fit in full; long headers and texts are limited. */
export function computeColumnWidths(
  { columns, hints = false, getLegend }: Pick<GridData, 'columns' | 'hints' | 'getLegend'>,
  measure: TextMeasure,
): number[] {
  return columns.map(column => {
    // The header of a color scale may be wider, because a truncated scale cannot be read.
    const maxWidth = getLegend?.(column) ? maxCellWidth : maxHeaderWidth;
    const headerWidth = Math.min(maxWidth, computeHeaderWidth(column, getLegend, measure));
    const bodyWidth = Math.min(maxCellWidth, Math.max(0, ...column.samples.map(measure.cell)));
    const badge = hints ? computeBadgeWidth(column, measure) : 0;
    return Math.ceil(Math.max(minColumnWidth, headerWidth + cellPadding, bodyWidth + badge + cellPadding));
  });
}

/** Computes the width at which the header, these texts and the samples fit in full. */
export function computeContentWidth(
  column: GridColumn,
  texts: readonly string[],
  measure: TextMeasure,
  { hints, getLegend }: Pick<GridData, 'hints' | 'getLegend'>,
): number {
  const bodyWidth = Math.max(0, ...column.samples.map(measure.cell), ...texts.map(measure.cell));
  const badge = hints ? computeBadgeWidth(column, measure) : 0;
  return Math.ceil(Math.max(computeHeaderWidth(column, getLegend, measure), bodyWidth + badge) + cellPadding);
}

function computeHeaderWidth(column: GridColumn, getLegend: GridData['getLegend'], measure: TextMeasure): number {
  const unit = formatUnitLine(column, getLegend?.(column));
  return Math.max(measure.header(column.label) + sortIconWidth, measure.header(unit) + 2 * sortIconWidth);
}

function computeBadgeWidth({ badges = [] }: GridColumn, measure: TextMeasure): number {
  return badges.length > 0 ? Math.max(...badges.map(({ text }) => measure.cell(text))) + badgePadding : 0;
}
