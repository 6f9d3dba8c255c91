import type { ColumnLayout } from './columnLayout.ts';
import type { GridColumn } from './gridColumn.ts';
import { element } from './gridDom.ts';
import type { SlotMap } from './slotMap.ts';

/** Column 0 has slot 0 for ever; column slot s of the map is slot s + 1 of a row. */
export const frozenColumn = 0;

/** What all rows of one grid share; a new object whenever columns, widths or data are others. */
export interface RowContext {
  readonly columns: readonly GridColumn[];
  readonly layout: ColumnLayout;
  readonly slots: SlotMap;
}

/** One element of the pool: a row of reusable cells, of the header or of the body. */
export abstract class PooledRow {
  readonly element: HTMLElement;
  private readonly cells: HTMLElement[] = [];
  /** What each cell shows now. */
  private readonly columns: number[] = [];
  private context: RowContext | undefined;

  constructor(rowElement: HTMLElement) {
    this.element = rowElement;
  }

  /** The cell that shows column `column` now. */
  cellOf(column: number, context: RowContext): HTMLElement | undefined {
    const slot = context.slots.slotOf(column);
    return column === frozenColumn ? this.cells[0] : slot < 0 ? undefined : this.cells[slot + 1];
  }

  /** Puts the cells into the order of the columns, for readers that go by the document; the focused one stays where it is. */
  sortCells(): void {
    const columns = new Map(this.cells.map((cell, index) => [cell, this.columns[index] ?? -1]));
    sortChildren(this.element, cell => columns.get(cell) ?? -1);
  }

  /** Fills the cells whose column came into sight, or all of them. */
  protected paintCells(context: RowContext, everything: boolean): void {
    const { keys } = context.slots;
    const stale = everything || context !== this.context;
    if (context !== this.context) this.columns.forEach((_, index) => this.hideCell(index));
    this.context = context;
    if (stale) this.paintSlot(0, frozenColumn, context);
    for (let slot = 0; slot < keys.length; slot++) {
      const column = keys[slot] ?? -1;
      if (column < 0) this.hideCell(slot + 1);
      else if (stale || this.columns[slot + 1] !== column) this.paintSlot(slot + 1, column, context);
    }
  }

  protected abstract createCell(): HTMLElement;
  protected abstract fill(cell: HTMLElement, column: GridColumn): void;

  private paintSlot(index: number, column: number, context: RowContext): void {
    const model = context.columns[column];
    if (!model) {
      this.hideCell(index);
      return;
    }
    const cell = this.cells[index] ?? this.addCell(index);
    if (this.columns[index] !== column) {
      this.columns[index] = column;
      cell.hidden = false;
      cell.ariaColIndex = String(column + 1);
      cell.style.width = `${context.layout.width(column)}px`;
      if (index > 0) cell.style.left = `${context.layout.left(column)}px`;
      cell.classList.toggle('end', model.align === 'end');
    }
    this.fill(cell, model);
  }

  private hideCell(index: number): void {
    const cell = this.cells[index];
    if (!cell || this.columns[index] === -1) return;
    this.columns[index] = -1;
    cell.hidden = true;
  }

  private addCell(index: number): HTMLElement {
    for (let next = this.cells.length; next <= index; next++) {
      const cell = this.createCell();
      cell.hidden = true;
      if (next === 0) cell.classList.add('frozen');
      this.cells.push(cell);
      this.columns.push(-1);
      this.element.append(cell);
    }
    return this.cells[index] as HTMLElement;
  }
}

/** The header: a label above, its unit below. */
export class HeaderRow extends PooledRow {
  paint(context: RowContext): void {
    this.paintCells(context, false);
  }

  protected override createCell(): HTMLElement {
    const cell = element('grid-heading', 'columnheader');
    cell.append(element('grid-label'), element('grid-unit'));
    return cell;
  }

  protected override fill(cell: HTMLElement, column: GridColumn): void {
    const [label, unit] = cell.children;
    if (label) label.textContent = column.label;
    if (unit) unit.textContent = column.unit;
    cell.title = column.headerTooltip;
  }
}

/** A row of the body. */
export class BodyRow extends PooledRow {
  private shown = -1;
  private dataRow = -1;

  constructor() {
    super(element('grid-row', 'row'));
    this.element.hidden = true;
  }

  /** Shows row `row`, which is `dataRow` of the data. */
  paint(row: number, dataRow: number, context: RowContext): void {
    const other = row !== this.shown || dataRow !== this.dataRow;
    if (row !== this.shown) {
      // Row 1 is the header.
      this.element.ariaRowIndex = String(row + 2);
      this.element.classList.toggle('odd', row % 2 === 1);
      this.element.hidden = false;
    }
    this.shown = row;
    this.dataRow = dataRow;
    this.paintCells(context, other);
  }

  /** Takes the row out of sight until it is painted again. */
  hide(): void {
    if (this.shown === -1) return;
    this.shown = -1;
    this.element.hidden = true;
  }

  protected override createCell(): HTMLElement {
    const cell = element('grid-cell', 'gridcell');
    cell.append('');
    return cell;
  }

  protected override fill(cell: HTMLElement, column: GridColumn): void {
    (cell.firstChild as Text).data = column.text(this.dataRow);
    const spoken = column.spoken(this.dataRow);
    if (spoken !== undefined) cell.ariaLabel = spoken;
    else if (cell.ariaLabel !== null) cell.ariaLabel = null;
    // Tooltips are written when the pointer or the focus comes.
    if (cell.title) cell.removeAttribute('title');
  }
}

/** Sorts the children of `parent` by key without moving the one that has the focus. */
export function sortChildren(parent: HTMLElement, keyOf: (child: HTMLElement) => number): void {
  const children = [...parent.children] as HTMLElement[];
  const sorted = [...children].sort((a, b) => keyOf(a) - keyOf(b));
  if (sorted.every((child, index) => child === children[index])) return;
  const still = sorted.findIndex(child => child.contains(document.activeElement));
  const anchor = sorted[still];
  sorted.forEach((child, index) => {
    if (anchor && index < still) parent.insertBefore(child, anchor);
    else if (child !== anchor) parent.append(child);
  });
}
