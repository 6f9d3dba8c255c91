import type { SelectionReach } from './cellRange.ts';

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
