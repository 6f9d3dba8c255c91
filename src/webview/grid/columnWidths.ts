import type { GridColumn } from './gridColumn.ts';

/** Width of a text in CSS pixels, as drawn in a header or a cell. */
export interface TextMeasure {
  readonly header: (text: string) => number;
  readonly cell: (text: string) => number;
}

const narrowest = 56;
const widestHeader = 220;
const widestCell = 320;
/** Padding on both sides and the line between columns. */
const around = 17;
/** The sign of the sort beside the label. */
const sortSign = 20;
/** The bar before a badge, and the space around it. */
const badgeBar = 18;

/** The first widths: every number and time in full, long headers and texts cut at a sensible width. */
export function columnWidths(columns: readonly GridColumn[], measure: TextMeasure, hints = false): number[] {
  return columns.map(column => {
    const head = Math.min(widestHeader, headWidth(column, measure));
    const body = Math.min(widestCell, Math.max(0, ...column.samples.map(measure.cell)));
    const badge = hints ? badgeWidth(column, measure) : 0;
    return Math.ceil(Math.max(narrowest, head + around, body + badge + around));
  });
}

/** The width at which the header, these texts and the samples are whole. */
export function contentWidth(
  column: GridColumn,
  texts: readonly string[],
  measure: TextMeasure,
  hints: boolean,
): number {
  const body = Math.max(0, ...column.samples.map(measure.cell), ...texts.map(measure.cell));
  const badge = hints ? badgeWidth(column, measure) : 0;
  return Math.ceil(Math.max(headWidth(column, measure), body + badge) + around);
}

function headWidth(column: GridColumn, measure: TextMeasure): number {
  return Math.max(measure.header(column.label) + sortSign, measure.header(column.unit) + 2 * sortSign);
}

function badgeWidth({ badges = [] }: GridColumn, measure: TextMeasure): number {
  return badges.length > 0 ? Math.max(...badges.map(({ text }) => measure.cell(text))) + badgeBar : 0;
}
