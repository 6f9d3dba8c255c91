import type { CellRange } from './cellRange.ts';
import type { ColumnArrangement } from './columnArrangement.ts';
import type { CellPosition } from './focusMove.ts';

/** What the grid asks of the page around it. What is left out is not offered to the person. */
export interface GridHost {
  /**
   * The person wants something on the clipboard: the selected cells, `text` being the exact text of the focused one.
   * Without a range a header is focused and `text` is the field's name.
   */
  readonly copy: (text: string, range: CellRange | undefined, withHeaders: boolean) => void;
  /** Scrolling and focus have come to rest. */
  readonly settled: () => void;
  /** Other cells are selected; none while a header is focused. Comes often during a drag. */
  readonly selectionChanged?: (range: CellRange | undefined) => void;
  /** The person has arranged the columns anew. */
  readonly arranged?: (arrangement: ColumnArrangement) => void;
  /** Something for the ears of the person. */
  readonly announce?: (text: string) => void;
  /** The person wants other rows first; `additive` keeps the keys there are. `column` is a field name. */
  readonly sort?: (column: string, additive: boolean) => void;
  /** The person wants the menu of a column, by its name in the grid. */
  readonly menu?: (column: string, anchor: DOMRect) => void;
  /** The person wants the menu of the selected cells; `position` is the focused one. */
  readonly cellMenu?: (position: CellPosition, anchor: DOMRect) => void;
}
