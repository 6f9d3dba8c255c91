import type { SelectionReach } from './cellRange.ts';
import type { CellPosition } from './focusMove.ts';

/** Where a person is in the grid. */
export interface GridPlace {
  readonly topRow: number;
  readonly row: number;
  /** Name of the focused column. */
  readonly column: string;
  /** How far the columns are scrolled, in CSS pixels. */
  readonly left?: number;
  /** The corner of the selection opposite the focus, where more than one cell is selected. */
  readonly anchor?: CellPosition;
  /** Left out where the selection ends with its cells. */
  readonly reach?: SelectionReach;
}
