/** A cell by visible row and column; row -1 is the header. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export const headerRow = -1;

/** The scroll position, the focused cell and the selection of a grid. */
export interface GridPosition {
  readonly topRow: number;
  readonly row: number;
  /** Name of the focused column. */
  readonly column: string;
  /** How far the columns are scrolled, in CSS pixels. */
  readonly left?: number;
  /** The corner of the selection opposite the focus, if more than one cell is selected. */
  readonly anchor?: { readonly row: number; readonly column: string };
  /** Absent if nothing is selected beyond the focused cell. */
  readonly reach?: SelectionReach;
}

/** A rectangle of cells by visible rows and columns, both ends included. */
export interface CellRange {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

/** Whether a selection consists of cells, whole rows, whole columns or the whole table. */
export type SelectionReach = 'cells' | 'rows' | 'columns' | 'all';

/** Returns the rectangle between two corners, or undefined if it contains no cell of the body. */
export function computeRange(
  anchor: CellPosition,
  focus: CellPosition,
  reach: SelectionReach,
  size: { readonly rows: number; readonly columns: number },
): CellRange | undefined {
  if (size.rows === 0 || size.columns === 0) return undefined;
  const allRows = reach === 'columns' || reach === 'all';
  const allColumns = reach === 'rows' || reach === 'all';
  if (!allRows && focus.row === headerRow) return undefined;
  const rows = clampedInterval(Math.max(0, anchor.row), Math.max(0, focus.row), size.rows - 1);
  const columns = clampedInterval(anchor.column, focus.column, size.columns - 1);
  return {
    rows: allRows ? [0, size.rows - 1] : rows,
    columns: allColumns ? [0, size.columns - 1] : columns,
  };
}

/** Whether two ranges contain the same cells. */
export function isSameRange(first: CellRange | undefined, second: CellRange | undefined): boolean {
  if (!first || !second) return first === second;
  return (
    first.rows[0] === second.rows[0] &&
    first.rows[1] === second.rows[1] &&
    first.columns[0] === second.columns[0] &&
    first.columns[1] === second.columns[1]
  );
}

/** Whether a range is more than one cell. */
export function hasMultipleCells(range: CellRange): boolean {
  return range.rows[0] !== range.rows[1] || range.columns[0] !== range.columns[1];
}

/** Whether a range contains a cell. */
export function containsCell({ rows, columns }: CellRange, { row, column }: CellPosition): boolean {
  return row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1];
}

function clampedInterval(first: number, second: number, last: number): readonly [number, number] {
  return [Math.min(first, second, last), Math.min(last, Math.max(first, second))];
}

/** The focused cell and the selected rectangle between it and an anchor. */
export class GridSelection {
  focus: CellPosition = { row: 0, column: 0 };
  anchor: CellPosition = { row: 0, column: 0 };
  reach: SelectionReach = 'cells';

  /** Selects one cell. */
  moveTo(position: CellPosition): void {
    this.selectBetween(position, position);
  }

  /** Extends the selection from the anchor to a cell. Whole rows stay whole rows, and whole columns whole columns. */
  extendTo(position: CellPosition): void {
    if (this.reach === 'all') {
      this.anchor = this.focus;
      this.reach = 'cells';
    }
    this.focus = position;
  }

  /** Selects the range between two cells and focuses the second one. */
  selectBetween(anchor: CellPosition, focus: CellPosition, reach: SelectionReach = 'cells'): void {
    this.focus = focus;
    this.anchor = anchor;
    this.reach = reach;
  }

  /** Extends the selection to whole rows, whole columns or the whole table. The focus stays. */
  extendReach(reach: SelectionReach): void {
    const isCrossed = this.reach !== 'cells' && this.reach !== reach;
    this.reach = isCrossed ? 'all' : reach;
  }

  /** Whether more than the focused cell is selected. */
  get isExtended(): boolean {
    const { anchor, focus, reach } = this;
    return reach !== 'cells' || anchor.row !== focus.row || anchor.column !== focus.column;
  }

  range(rows: number, columns: number): CellRange | undefined {
    return computeRange(this.anchor, this.focus, this.reach, { rows, columns });
  }
}
