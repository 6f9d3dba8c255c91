import { headerRow, type CellPosition } from './gridSelection.ts';

/** A command that a key triggers in the grid. */
export type GridCommand =
  | { readonly type: 'move'; readonly to: CellPosition }
  | { readonly type: 'extend'; readonly to: CellPosition }
  | { readonly type: 'select'; readonly reach: 'rows' | 'columns' | 'all' }
  | { readonly type: 'copy'; readonly withHeaders: boolean }
  | { readonly type: 'menu' }
  | { readonly type: 'sort'; readonly additive: boolean }
  | { readonly type: 'moveColumn'; readonly by: 1 | -1 }
  | { readonly type: 'widenColumn'; readonly by: number }
  | { readonly type: 'hideColumn' };

/** A key with its modifiers; `jump` is Ctrl, or Command on a Mac. */
interface KeyPress {
  readonly key: string;
  readonly jump: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

/** Number of pixels by which a key changes the width of a column. */
const keyWidthChange = 10;

/**
 * Maps a key to a command of the grid. Delete hides a column only from its header, so that the key never seems to delete
 * data; the column picker shows it again. `extended` means that there is a selection that Escape clears.
 */
export function toGridCommand(
  keyPress: KeyPress,
  from: CellPosition,
  bounds: GridBounds,
  extended: boolean,
): GridCommand | undefined {
  const onHeader = from.row === headerRow;
  const { key, jump, shift, alt } = keyPress;
  if (alt) return onHeader && !jump ? toHeaderCommand(key, shift) : undefined;
  if (key === 'ContextMenu' || (key === 'F10' && (shift || onHeader))) return { type: 'menu' };
  if (key === ' ' && !jump && !shift) return undefined;
  if (key === ' ') return { type: 'select', reach: jump && shift ? 'all' : jump ? 'columns' : 'rows' };
  if (jump && key.toLowerCase() === 'c') return { type: 'copy', withHeaders: shift };
  if (jump && !shift && key.toLowerCase() === 'a') return { type: 'select', reach: 'all' };
  if (key === 'Escape') return extended ? { type: 'move', to: from } : undefined;
  if (onHeader && !jump && key === 'Enter') return { type: 'sort', additive: shift };
  if (onHeader && !jump && !shift && key === 'Delete') return { type: 'hideColumn' };
  const to = moveFocus(from, key, jump, bounds);
  if (!to) return undefined;
  if (!shift) return { type: 'move', to };
  // A selection of cells never includes the header. A selection that begins on the header consists of whole columns.
  const row = onHeader ? headerRow : Math.max(Math.min(0, bounds.rows - 1), to.row);
  return { type: 'extend', to: { row, column: to.column } };
}

function toHeaderCommand(key: string, shift: boolean): GridCommand | undefined {
  if (key === 'ArrowDown' && !shift) return { type: 'menu' };
  const direction = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : undefined;
  if (direction === undefined) return undefined;
  return shift ? { type: 'widenColumn', by: direction * keyWidthChange } : { type: 'moveColumn', by: direction };
}

/** The limits of a move; `pageRows` is the number of rows that fit into the view. */
export interface GridBounds {
  readonly rows: number;
  readonly columns: number;
  readonly pageRows: number;
}

/** Returns the cell that a key moves the focus to, or undefined for other keys. `jump` is Ctrl, or Command on a Mac. */
export function moveFocus(
  from: CellPosition,
  key: string,
  jump: boolean,
  bounds: GridBounds,
): CellPosition | undefined {
  const { row, column } = from;
  const lastRow = bounds.rows - 1;
  const lastColumn = bounds.columns - 1;
  const clampToBounds = (nextRow: number, nextColumn: number) => ({
    row: Math.min(lastRow, Math.max(headerRow, nextRow)),
    column: Math.min(lastColumn, Math.max(0, nextColumn)),
  });
  const firstRow = Math.min(0, lastRow);
  switch (key) {
    case 'ArrowUp':
      return jump ? clampToBounds(firstRow, column) : clampToBounds(row - 1, column);
    case 'ArrowDown':
      return jump ? clampToBounds(lastRow, column) : clampToBounds(row + 1, column);
    case 'ArrowLeft':
      return jump ? clampToBounds(row, 0) : clampToBounds(row, column - 1);
    case 'ArrowRight':
      return jump ? clampToBounds(row, lastColumn) : clampToBounds(row, column + 1);
    case 'Home':
      return jump ? clampToBounds(firstRow, 0) : clampToBounds(row, 0);
    case 'End':
      return jump ? clampToBounds(lastRow, lastColumn) : clampToBounds(row, lastColumn);
    case 'PageUp':
      return row <= 0 ? clampToBounds(headerRow, column) : clampToBounds(Math.max(0, row - bounds.pageRows), column);
    case 'PageDown':
      return clampToBounds(Math.max(0, row) + bounds.pageRows, column);
    default:
      return undefined;
  }
}
