import type { ColumnArrangement } from '../../presentation/table/columnArrangement.ts';
import { ColumnOperations } from './columnOperations.ts';
import type { GridColumn, GridData } from '../../presentation/table/gridColumn.ts';
import { gridCommand, type GridCommand } from './gridCommand.ts';
import { createGridDom, type GridDom } from './gridDom.ts';
import { GridFocus } from './gridFocus.ts';
import { GridPainter } from './gridPainter.ts';
import { GridPointer } from './gridPointer.ts';
import {
  GridSelection,
  isWide,
  sameRange,
  type CellRange,
  type SelectionReach,
  type GridPlace,
  headerRow,
  type CellPosition,
} from './gridSelection.ts';
import { GridTable } from './gridTable.ts';
import { rowHeight } from './gridViewport.ts';

/** Callbacks of the page that contains the grid. */
interface GridHost {
  /**
   * Copies the selected cells; `text` is the exact text of the focused one. Without a range a header is focused, and `text` is the name
   * of its field.
   */
  readonly copy: (text: string, range: CellRange | undefined, withHeaders: boolean) => void;
  /** Called when scrolling and focus have come to rest. */
  readonly settled: () => void;
  /** Called when the selection changes, often during a drag. There is no range while a header is focused. */
  readonly selectionChanged: (range: CellRange | undefined) => void;
  /** Called when the user has rearranged the columns. */
  readonly arranged: (arrangement: ColumnArrangement) => void;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
  /** Sorts by a field; `additive` keeps the existing sort keys. */
  readonly sort: (column: string, additive: boolean) => void;
  /** Opens the menu of a column, which is given by its name in the grid. */
  readonly menu: (column: string, anchor: DOMRect) => void;
  /** Opens the menu of the selected cells; `position` is the focused one. */
  readonly cellMenu: (position: CellPosition, anchor: DOMRect) => void;
}

const settleMs = 120;

/** A virtualized table: only the rows and columns in view have elements, whatever the size of the data. */
export class DataGrid {
  readonly element: HTMLElement;
  /** The operations on columns, for menus and pickers. */
  readonly operations: ColumnOperations;
  readonly #dom: GridDom;
  readonly #host: GridHost;
  readonly #table: GridTable;
  readonly #painter: GridPainter;
  readonly #focusModel: GridFocus;
  readonly #selection = new GridSelection();
  /** The last range passed to the host. */
  #reportedRange: CellRange | undefined;
  #settleTimer = 0;

  constructor(host: GridHost, label: string) {
    this.#host = host;
    this.#dom = createGridDom(label);
    this.element = this.#dom.root;
    this.#table = new GridTable(this.#dom);
    this.#painter = new GridPainter(this.#dom);
    const apply = (arrangement: ColumnArrangement) => {
      this.#arrange(arrangement);
      host.arranged(arrangement);
    };
    this.operations = new ColumnOperations(this.#table, apply, host.announce);
    this.#focusModel = new GridFocus(this.element, {
      position: () => this.#selection.focus,
      cellAt: position => this.#painter.cellAt(position, this.#table.context),
      reveal: position => this.#reveal(position),
      tooltipOf: position => this.#table.tooltipOf(position),
    });
    this.#listen();
    new GridPointer(this.#dom, this.#table, this.operations, {
      range: () => this.range,
      select: position => this.#moveFocus(position),
      extend: (position, reveal) => this.#extendTo(position, reveal),
      menu: anchor => this.#openMenu(anchor),
      sort: (column, additive) => this.#sort(column, additive),
      paint: () => this.#paint(),
    });
  }

  /**
   * Shows other data at a position, by default the top left corner. Without an arrangement the columns keep the present one.
   */
  show(data: GridData, place?: GridPlace, arrangement = this.arrangement): void {
    const table = this.#table;
    const selection = this.#selection;
    table.setData(data, arrangement);
    const focus = table.cellOf(place?.row ?? 0, place?.column, 0);
    const anchor = place?.anchor ? table.cellOf(place.anchor.row, place.anchor.column, focus.column) : focus;
    selection.between(anchor, focus, place?.reach);
    table.view.left = place ? (place.left ?? table.view.left) : 0;
    table.view.moveTo((place?.topRow ?? 0) * rowHeight);
    // The same cells of other data are a different selection.
    this.#reportedRange = undefined;
    this.#selectionMoved();
    this.#paint();
  }

  /** The scroll position, the focused cell and the selection. */
  place(): GridPlace {
    const { focus, anchor, extended, reach } = this.#selection;
    const { view } = this.#table;
    return {
      topRow: view.offset / rowHeight,
      row: focus.row,
      column: this.#table.nameOf(focus.column),
      left: view.left,
      ...(extended && { anchor: { row: anchor.row, column: this.#table.nameOf(anchor.column) }, reach }),
    };
  }

  /** Moves the keyboard focus to the focused cell. */
  focus(scrolling: 'reveal' | 'stay' = 'reveal'): void {
    if (scrolling === 'stay') this.#focusModel.focusInPlace();
    else this.#focusModel.focus();
  }

  /** Makes a cell, by visible row and column name, the focused one and scrolls to it, without moving the keyboard focus. The column is optional. */
  goTo(row: number, column?: string): void {
    const index = column === undefined ? -1 : this.#table.shown.indexOf(column);
    this.#selection.moveTo(this.#table.within({ row, column: index < 0 ? this.#selection.focus.column : index }));
    this.#selectionMoved();
    this.#reveal(this.#selection.focus);
  }

  /** Highlights the cells whose text matches; without a test it highlights none. */
  mark(found?: (text: string) => boolean): void {
    this.#table.mark(found);
    this.#paint();
  }

  /** Highlights a row, or none; `reveal` scrolls to it. */
  point(row: number | undefined, reveal = false): void {
    this.#table.range.pointedRow = row;
    if (reveal && row !== undefined) this.#reveal({ row, column: this.#selection.focus.column });
    else this.#paint();
  }

  /** Selects a range and focuses its first cell without scrolling. A reach over all rows includes rows that are added later. */
  select({ rows, columns }: CellRange, reach?: SelectionReach): void {
    const last = this.#table.within({ row: rows[1], column: columns[1] });
    this.#selection.between(last, this.#table.within({ row: rows[0], column: columns[0] }), reach);
    this.#selectionMoved();
    this.#paint();
  }

  /** The selected cells, at least one; undefined while a header is focused. */
  get range(): CellRange | undefined {
    const { rows, columns } = this.#table.bounds;
    return this.#selection.range(rows, columns);
  }

  /** The visible columns in their order, which the column indexes of a range refer to. */
  get columns(): readonly GridColumn[] {
    return this.#table.shown.columns;
  }

  /** All columns of the data, in their original order. */
  get allColumns(): readonly GridColumn[] {
    return this.#table.data.columns;
  }

  get arrangement(): ColumnArrangement {
    return this.#table.shown.arrangement;
  }

  /** Applies an arrangement. The focus stays on its column; the selection stays unless a column has moved. */
  #arrange(arrangement: ColumnArrangement): void {
    const { shown } = this.#table;
    const { row, column } = this.#selection.focus;
    const before = shown.columns;
    shown.arrange(arrangement);
    this.#table.columnsChanged();
    if (before.some((other, index) => other !== shown.columns[index])) {
      const now = shown.indexOf(before[column]?.name);
      this.#selection.moveTo(this.#table.within({ row, column: now < 0 ? column : now }));
    }
    this.#selectionMoved();
    this.#paint();
  }

  /** Repaints the header after the summaries of columns have changed. */
  summariesChanged(): void {
    this.#painter.header.paintCells(this.#table.context, true);
  }

  #listen(): void {
    const { scroller } = this.#dom;
    const { view } = this.#table;
    scroller.addEventListener('scroll', () => {
      view.scrolled();
      this.#paint();
    });
    const wheeled = (event: WheelEvent) => {
      if (!view.wheeled(event)) return;
      event.preventDefault();
      this.#paint();
    };
    scroller.addEventListener('wheel', wheeled, { passive: false });
    this.element.addEventListener('keydown', event => this.#pressed(event));
    new ResizeObserver(() => {
      if (!this.element.isConnected) return;
      this.#table.resized();
      this.#paint();
    }).observe(scroller);
  }

  #pressed(event: KeyboardEvent): void {
    const { key, shiftKey: shift, altKey: alt } = event;
    const press = { key, shift, alt, jump: event.ctrlKey || event.metaKey };
    const { focus, extended } = this.#selection;
    const command = gridCommand(press, focus, this.#table.bounds, extended);
    if (!command) return;
    event.preventDefault();
    // Otherwise VS Code would also handle the key, as one of its keyboard shortcuts.
    event.stopPropagation();
    this.#run(command);
  }

  #run(command: GridCommand): void {
    const { focus } = this.#selection;
    const name = this.#table.nameOf(focus.column);
    switch (command.type) {
      case 'move':
        this.#moveFocus(command.to);
        return;
      case 'extend':
        this.#extendTo(command.to, true);
        return;
      case 'select':
        this.#selection.widen(command.reach);
        this.#selectionMoved();
        this.#paint();
        return;
      case 'copy':
        this.#host.copy(this.#table.exactText(focus), this.range, command.withHeaders);
        return;
      case 'menu':
        this.#openMenu(this.#focusModel.box());
        return;
      case 'sort':
        this.#sort(focus.column, command.additive);
        return;
      case 'moveColumn':
        this.operations.move(name, command.by);
        this.#focusModel.focus();
        return;
      case 'widenColumn':
        this.operations.widen(name, command.by);
        this.#focusModel.focus();
        return;
      case 'hideColumn':
        this.operations.hide(name);
        return;
    }
  }

  #moveFocus(position: CellPosition): void {
    this.#selection.moveTo(position);
    this.#selectionMoved();
    this.#focusModel.focus();
  }

  #extendTo(position: CellPosition, reveal: boolean): void {
    if (position.row === headerRow && this.#selection.reach === 'cells') this.#selection.widen('columns');
    this.#selection.extendTo(position);
    this.#selectionMoved();
    if (reveal) this.#focusModel.focus();
    else this.#paint();
  }

  #selectionMoved(): void {
    const { range } = this;
    const painted = this.#table.range;
    const wide = range && isWide(range);
    [painted.firstRow, painted.lastRow] = wide ? range.rows : [0, -1];
    [painted.firstColumn, painted.lastColumn] = wide ? range.columns : [0, -1];
    if (sameRange(range, this.#reportedRange)) return;
    this.#reportedRange = range;
    this.#host.selectionChanged(range);
  }

  #sort(column: number, additive: boolean): void {
    const model = this.columns[column];
    if (model) this.#host.sort(model.source ?? model.name, additive);
  }

  #openMenu(anchor: DOMRect): void {
    const { focus } = this.#selection;
    if (focus.row === headerRow) this.#host.menu(this.#table.nameOf(focus.column), anchor);
    else this.#host.cellMenu(focus, anchor);
  }

  #reveal(position: CellPosition): void {
    this.#table.reveal(position);
    this.#paint();
  }

  #paint(): void {
    const { view, context } = this.#table;
    this.#focusModel.around(() => this.#painter.paint(view, context, this.#selection.focus));
    clearTimeout(this.#settleTimer);
    this.#settleTimer = window.setTimeout(() => {
      this.#painter.sortForReaders();
      this.#host.settled();
    }, settleMs);
  }
}
