import type { GridColumn, GridData } from '../../presentation/table/gridColumn.ts';
import type { ColumnView } from './gridViewport.ts';
import type { SlotMap } from './slotMap.ts';

/** The selection and the highlighted row to paint. All contexts share one object, which is changed in place. The selection is empty while `lastRow` is less than `firstRow`. */
export interface PaintedSelection {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
  highlightedRow?: number | undefined;
}

/** State shared by all rows of a grid. Replaced by a new object when columns, widths or data change. */
export interface RowContext extends ColumnView {
  readonly data: GridData;
  /** The visible columns. */
  readonly columns: readonly GridColumn[];
  /** Slots of the columns that scroll: slot `s` is the cell `frozen + s` of a row. */
  readonly slots: SlotMap;
  readonly paintedSelection: PaintedSelection;
  /** Whether a cell with this searchable text is highlighted as a match. */
  readonly isMatch: ((text: string) => boolean) | undefined;
}

const noColumn = -1;
const outdatedColumn = -2;

/** A reusable row of reusable cells, for the header or the body. */
export abstract class PooledRow {
  readonly element: HTMLElement;
  protected readonly cells: HTMLElement[] = [];
  /** The column that each cell currently shows. */
  protected readonly columns: number[] = [];
  #context: RowContext | undefined;

  constructor(rowElement: HTMLElement) {
    this.element = rowElement;
  }

  /** The cell that currently shows a column. */
  findCell(column: number, context: RowContext): HTMLElement | undefined {
    if (column < context.frozenCount) return this.cells[column];
    const slot = context.slots.findSlot(column);
    return slot < 0 ? undefined : this.cells[context.frozenCount + slot];
  }

  /** Sorts the cells by column, for screen readers, which follow the document. The focused cell is not moved. */
  sortCells(): void {
    const columns = new Map(this.cells.map((cell, index) => [cell, this.columns[index] ?? noColumn]));
    sortChildren(this.element, child => columns.get(child) ?? noColumn);
  }

  /** Fills the cells of columns that have come into view, or all cells. */
  paintCells(context: RowContext, repaintAll: boolean): void {
    const { frozenCount } = context;
    const { keys } = context.slots;
    const isStale = repaintAll || context !== this.#context;
    if (context !== this.#context) this.#markOutdated();
    this.#context = context;
    if (isStale) for (let column = 0; column < frozenCount; column++) this.#paintSlot(column, column, context);
    for (let slot = 0; slot < keys.length; slot++) {
      const column = keys[slot] ?? -1;
      if (column < 0) this.#hideCell(frozenCount + slot);
      else if (isStale || this.columns[frozenCount + slot] !== column)
        this.#paintSlot(frozenCount + slot, column, context);
    }
    if (isStale)
      this.columns.forEach((column, index) => {
        if (column === outdatedColumn) this.#hideCell(index);
      });
  }

  protected abstract createCell(): HTMLElement;
  protected abstract fillCell(cell: HTMLElement, column: GridColumn, context: RowContext): void;

  #paintSlot(index: number, column: number, context: RowContext): void {
    const gridColumn = context.columns[column];
    if (!gridColumn) {
      this.#hideCell(index);
      return;
    }
    const cell = this.cells[index] ?? this.#addCell(index);
    if (this.columns[index] !== column) {
      this.columns[index] = column;
      const frozen = column < context.frozenCount;
      cell.hidden = false;
      cell.ariaColIndex = String(column + 1);
      cell.style.width = `${context.layout.width(column)}px`;
      cell.style.left = `${context.layout.left(column)}px`;
      // Frozen cells are laid out by column, whatever their order in the document.
      cell.style.order = frozen ? String(column) : '';
      cell.classList.toggle('frozen', frozen);
      cell.classList.toggle('last-frozen', column === context.frozenCount - 1);
      cell.classList.toggle('end', gridColumn.align === 'end');
    }
    this.fillCell(cell, gridColumn, context);
  }

  /** Marks every visible cell as outdated. The cells stay visible until they are painted, because a hidden cell would lose the focus. */
  #markOutdated(): void {
    for (let index = 0; index < this.columns.length; index++)
      if (this.columns[index] !== noColumn) this.columns[index] = outdatedColumn;
  }

  #hideCell(index: number): void {
    const cell = this.cells[index];
    if (!cell || this.columns[index] === noColumn) return;
    this.columns[index] = noColumn;
    cell.hidden = true;
  }

  #addCell(index: number): HTMLElement {
    for (let next = this.cells.length; next <= index; next++) {
      const cell = this.createCell();
      cell.hidden = true;
      this.cells.push(cell);
      this.columns.push(noColumn);
      this.element.append(cell);
    }
    return this.cells[index] as HTMLElement;
  }
}

/** Sorts the children of `parent` by key, with negative keys last, without moving the child that has the focus. */
export function sortChildren(parent: HTMLElement, getKey: (child: HTMLElement) => number): void {
  const children = [...parent.children] as HTMLElement[];
  const sortKey = (child: HTMLElement) => (getKey(child) < 0 ? Number.MAX_SAFE_INTEGER : getKey(child));
  const sorted = [...children].sort((a, b) => sortKey(a) - sortKey(b));
  if (sorted.every((child, index) => child === children[index])) return;
  const focusedIndex = sorted.findIndex(child => child.contains(document.activeElement));
  const anchor = sorted[focusedIndex];
  sorted.forEach((child, index) => {
    if (anchor && index < focusedIndex) parent.insertBefore(child, anchor);
    else if (child !== anchor) parent.append(child);
  });
}
