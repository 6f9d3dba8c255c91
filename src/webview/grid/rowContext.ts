import type { ColumnView } from './gridViewport.ts';
import type { GridColumn, GridData } from './gridColumn.ts';
import type { SlotMap } from './slotMap.ts';

/** The selection as the cells paint it; one object for ever, changed in place. Empty while `lastRow` is less than `firstRow`. */
export interface PaintedRange {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

/** What all rows of one grid share; a new object whenever columns, widths or data are others. */
export interface RowContext extends ColumnView {
  readonly data: GridData;
  /** The columns shown. */
  readonly columns: readonly GridColumn[];
  /** Slots of the columns that scroll: slot s is cell `frozen` + s of a row. */
  readonly slots: SlotMap;
  readonly range: PaintedRange;
  /** Whether a cell with this text is marked as found. */
  readonly found: ((text: string) => boolean) | undefined;
}
