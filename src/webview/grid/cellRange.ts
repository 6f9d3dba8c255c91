import { headerRow, type CellPosition } from './focusMove.ts';

/** Where a person is in the grid. */
export interface GridPlace {
  readonly topRow: number;
  readonly row: number;
  /** Name of the focused column. */
  readonly column: string;
  /** How far the columns are scrolled, in CSS pixels. */
  readonly left?: number;
  /** The corner of the selection opposite the focus, where more than one cell is selected; its column by name. */
  readonly anchor?: { readonly row: number; readonly column: string };
  /** Left out where the selection ends with its cells. */
  readonly reach?: SelectionReach;
}

/** A rectangle of cells, by shown rows and shown columns; both ends belong to it. */
export interface CellRange {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

/** Whether a selection ends with its cells, or goes on over its whole rows, its whole columns or the whole table. */
export type SelectionReach = 'cells' | 'rows' | 'columns' | 'all';

/** The rectangle between two corners; undefined where there is no cell of the body in it. */
export function rangeBetween(
  anchor: CellPosition,
  focus: CellPosition,
  reach: SelectionReach,
  size: { readonly rows: number; readonly columns: number },
): CellRange | undefined {
  if (size.rows === 0 || size.columns === 0) return undefined;
  const allRows = reach === 'columns' || reach === 'all';
  const allColumns = reach === 'rows' || reach === 'all';
  if (!allRows && focus.row === headerRow) return undefined;
  const rows = span(Math.max(0, anchor.row), Math.max(0, focus.row), size.rows - 1);
  const columns = span(anchor.column, focus.column, size.columns - 1);
  return {
    rows: allRows ? [0, size.rows - 1] : rows,
    columns: allColumns ? [0, size.columns - 1] : columns,
  };
}

/** Whether two ranges hold the same cells. */
export function sameRange(one: CellRange | undefined, other: CellRange | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.rows[0] === other.rows[0] &&
    one.rows[1] === other.rows[1] &&
    one.columns[0] === other.columns[0] &&
    one.columns[1] === other.columns[1]
  );
}

/** Whether a range is more than one cell. */
export function isWide(range: CellRange): boolean {
  return range.rows[0] !== range.rows[1] || range.columns[0] !== range.columns[1];
}

/** Whether a cell lies in a range. */
export function holds({ rows, columns }: CellRange, { row, column }: CellPosition): boolean {
  return row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1];
}

function span(one: number, other: number, last: number): readonly [number, number] {
  return [Math.min(one, other, last), Math.min(last, Math.max(one, other))];
}
