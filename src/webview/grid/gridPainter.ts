import { BodyRow } from './bodyRow.ts';
import type { GridDom } from './gridDom.ts';
import { headerRow, type CellPosition } from './gridSelection.ts';
import type { GridViewport } from './gridViewport.ts';
import { HeaderRow } from './headerRow.ts';
import { sortChildren, type RowContext } from './pooledRow.ts';
import { SlotMap } from './slotMap.ts';

/** Number of columns that are drawn beyond each side of the view, so that they are ready for a short scroll. */
const overscanColumns = 2;

/** Assigns the pooled elements to the visible rows and columns, and to the focused cell even while it is out of view. */
export class GridPainter {
  readonly header: HeaderRow;
  readonly #dom: GridDom;
  readonly #rows: BodyRow[] = [];
  readonly #rowSlots = new SlotMap();

  constructor(dom: GridDom) {
    this.#dom = dom;
    this.header = new HeaderRow(dom.header);
    dom.header.ariaRowIndex = '1';
  }

  paint(view: GridViewport, context: RowContext, focus: CellPosition): void {
    this.#assignColumns(view, context, focus.column);
    this.header.paintCells(context, false);
    this.#rowSlots.assign(view.firstRow, view.endRow, focus.row);
    const { keys } = this.#rowSlots;
    for (let slot = 0; slot < keys.length; slot++) {
      const row = keys[slot] ?? -1;
      const pooled = this.#rows[slot] ?? this.#addRow();
      if (row < 0) {
        pooled.hide();
        continue;
      }
      pooled.paint(row, context.data.order?.[row] ?? row, context);
      pooled.element.style.transform = `translateY(${view.rowTop(row)}px)`;
    }
  }

  /** The element that currently shows a cell. */
  cellAt({ row, column }: CellPosition, context: RowContext): HTMLElement | undefined {
    if (row === headerRow) return this.header.findCell(column, context);
    return this.#rows[this.#rowSlots.findSlot(row)]?.findCell(column, context);
  }

  /** Sorts the elements by row and column, because screen readers follow the order of the document. */
  sortForScreenReaders(): void {
    this.header.sortCells();
    for (const row of this.#rows) row.sortCells();
    const rowByElement = new Map(this.#rows.map((row, slot) => [row.element, this.#rowSlots.keys[slot] ?? -1]));
    sortChildren(this.#dom.body, child => rowByElement.get(child) ?? -1);
  }

  #assignColumns(view: GridViewport, { layout, frozenCount, slots }: RowContext, focused: number): void {
    if (layout.count <= frozenCount) {
      slots.assign(frozenCount, frozenCount, -1);
      return;
    }
    const first = Math.max(frozenCount, layout.columnAt(view.left + layout.left(frozenCount)) - overscanColumns);
    const end = Math.min(layout.count, layout.columnAt(view.left + view.width) + 1 + overscanColumns);
    slots.assign(first, end, focused >= frozenCount ? focused : -1);
  }

  #addRow(): BodyRow {
    const row = new BodyRow();
    this.#rows.push(row);
    this.#dom.body.append(row.element);
    return row;
  }
}
