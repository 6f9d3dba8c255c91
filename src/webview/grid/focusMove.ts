/** A cell by shown row and column; row -1 is the header. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export const headerRow = -1;

/** How far a move may go; `pageRows` is what fits into the view. */
export interface FocusBounds {
  readonly rows: number;
  readonly columns: number;
  readonly pageRows: number;
}

/** Where a key leads from a cell; undefined for a key that does not move. `jump` is Ctrl, or Command on a Mac. */
export function focusMove(
  from: CellPosition,
  key: string,
  jump: boolean,
  bounds: FocusBounds,
): CellPosition | undefined {
  const { row, column } = from;
  const lastRow = bounds.rows - 1;
  const lastColumn = bounds.columns - 1;
  const to = (nextRow: number, nextColumn: number) => ({
    row: Math.min(lastRow, Math.max(headerRow, nextRow)),
    column: Math.min(lastColumn, Math.max(0, nextColumn)),
  });
  const firstRow = Math.min(0, lastRow);
  switch (key) {
    case 'ArrowUp':
      return jump ? to(firstRow, column) : to(row - 1, column);
    case 'ArrowDown':
      return jump ? to(lastRow, column) : to(row + 1, column);
    case 'ArrowLeft':
      return jump ? to(row, 0) : to(row, column - 1);
    case 'ArrowRight':
      return jump ? to(row, lastColumn) : to(row, column + 1);
    case 'Home':
      return jump ? to(firstRow, 0) : to(row, 0);
    case 'End':
      return jump ? to(lastRow, lastColumn) : to(row, lastColumn);
    case 'PageUp':
      return row <= 0 ? to(headerRow, column) : to(Math.max(0, row - bounds.pageRows), column);
    case 'PageDown':
      return to(Math.max(0, row) + bounds.pageRows, column);
    default:
      return undefined;
  }
}
