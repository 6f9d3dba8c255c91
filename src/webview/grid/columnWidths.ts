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

/** The first widths: every number and time in full, long headers and texts cut at a sensible width. */
export function columnWidths(columns: readonly GridColumn[], measure: TextMeasure): number[] {
  return columns.map(column => {
    const head = Math.min(widestHeader, Math.max(measure.header(column.label), measure.header(column.unit)));
    const body = Math.max(0, ...column.samples.map(measure.cell));
    return Math.ceil(Math.max(narrowest, head + around, Math.min(widestCell, body) + around));
  });
}
