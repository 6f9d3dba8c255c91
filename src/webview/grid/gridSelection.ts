import { rangeBetween } from './cellRange.ts';
import type { CellRange, SelectionReach } from './cellRange.ts';
import type { CellPosition } from './focusMove.ts';

/** The focused cell and the one rectangle that reaches from an anchor to it. */
export class GridSelection {
  focus: CellPosition = { row: 0, column: 0 };
  anchor: CellPosition = { row: 0, column: 0 };
  reach: SelectionReach = 'cells';

  /** Selects one cell. */
  moveTo(position: CellPosition): void {
    this.focus = position;
    this.anchor = position;
    this.reach = 'cells';
  }

  /** Selects from the anchor to a cell; whole rows stay whole rows, and whole columns whole columns. */
  extendTo(position: CellPosition): void {
    if (this.reach === 'all') {
      this.anchor = this.focus;
      this.reach = 'cells';
    }
    this.focus = position;
  }

  /** Selects from one cell to another; the second one is focused. */
  between(anchor: CellPosition, focus: CellPosition, reach: SelectionReach = 'cells'): void {
    this.focus = focus;
    this.anchor = anchor;
    this.reach = reach;
  }

  /** Goes on over whole rows, whole columns or everything; the focus stays. */
  widen(reach: SelectionReach): void {
    const crossed = this.reach !== 'cells' && this.reach !== reach;
    this.reach = crossed ? 'all' : reach;
  }

  /** Whether more than the focused cell is selected. */
  get extended(): boolean {
    const { anchor, focus, reach } = this;
    return reach !== 'cells' || anchor.row !== focus.row || anchor.column !== focus.column;
  }

  range(rows: number, columns: number): CellRange | undefined {
    return rangeBetween(this.anchor, this.focus, this.reach, { rows, columns });
  }
}
