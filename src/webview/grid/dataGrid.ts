import type { ColumnArrangement } from '../../presentation/table/columnArrangement.ts';
import { ColumnOperations } from './columnOperations.ts';
import type { GridColumn, GridData } from '../../presentation/table/gridColumn.ts';
import { toGridCommand, type GridCommand } from './gridCommand.ts';
import { createGridDom, type GridDom } from './gridDom.ts';
import { GridFocus } from './gridFocus.ts';
import { GridPainter } from './gridPainter.ts';
import { GridPointer } from './gridPointer.ts';
import {
  GridSelection,
  hasMultipleCells,
  isSameRange,
  type CellRange,
  type SelectionReach,
  type GridPosition,
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
  /** Called after scrolling and moves of the focus have stopped. */
  readonly onSettled: () => void;
  /** Called when the selection changes, often during a drag. There is no range while a header is focused. */
  readonly onSelectionChanged: (range: CellRange | undefined) => void;
  /** Called when the user has rearranged the columns. */
  readonly onColumnsArranged: (arrangement: ColumnArrangement) => void;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
  /** Sorts by a field; `additive` keeps the existing sort keys. */
  readonly sort: (column: string, additive: boolean) => void;
  /** Opens the menu of a column, which is given by its name in the grid. */
  readonly openColumnMenu: (column: string, anchor: DOMRect) => void;
  /** Opens the menu of the selected cells; `position` is the focused one. */
  readonly openCellMenu: (position: CellPosition, anchor: DOMRect) => void;
}

const idleDelayMs = 120;

/** A virtualized table: only the rows and columns in view have elements, whatever the size of the data. */
export class DataGrid {
  readonly element: HTMLElement;
  /** The operations on columns, for menus and pickers. */
  readonly operations: ColumnOperations;
  readonly #dom: GridDom;
  readonly #host: GridHost;
  readonly #table: GridTable;
  readonly #painter: GridPainter;
  readonly #focusController: GridFocus;
  readonly #selection = new GridSelection();
  /** The last range passed to the host. */
  #reportedRange: CellRange | undefined;
  #idleTimer = 0;

  constructor(host: GridHost, label: string) {
    this.#host = host;
    this.#dom = createGridDom(label);
    this.element = this.#dom.root;
    this.#table = new GridTable(this.#dom);
    this.#painter = new GridPainter(this.#dom);
    const apply = (arrangement: ColumnArrangement) => {
      this.#arrange(arrangement);
      host.onColumnsArranged(arrangement);
    };
    this.operations = new ColumnOperations(this.#table, apply, host.announce);
    this.#focusController = new GridFocus(this.element, {
      focusedCell: () => this.#selection.focus,
      cellAt: position => this.#painter.cellAt(position, this.#table.context),
      scrollTo: position => this.#reveal(position),
      getTooltip: position => this.#table.getTooltip(position),
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
  show(data: GridData, position?: GridPosition, arrangement = this.arrangement): void {
    const table = this.#table;
    const selection = this.#selection;
    table.setData(data, arrangement);
    const focus = table.findCell(position?.row ?? 0, position?.column, 0);
    const anchor = position?.anchor ? table.findCell(position.anchor.row, position.anchor.column, focus.column) : focus;
    selection.selectBetween(anchor, focus, position?.reach);
    table.view.left = position ? (position.left ?? table.view.left) : 0;
    table.view.moveTo((position?.topRow ?? 0) * rowHeight);
    // The same cells of other data are a different selection.
    this.#reportedRange = undefined;
    this.#updateSelection();
    this.#paint();
  }

  /** The scroll position, the focused cell and the selection. */
  position(): GridPosition {
    const { focus, anchor, isExtended, reach } = this.#selection;
    const { view } = this.#table;
    return {
      topRow: view.offset / rowHeight,
      row: focus.row,
      column: this.#table.getColumnName(focus.column),
      left: view.left,
      ...(isExtended && { anchor: { row: anchor.row, column: this.#table.getColumnName(anchor.column) }, reach }),
    };
  }

  /** Moves the keyboard focus to the focused cell. */
  focus(scrolling: 'reveal' | 'stay' = 'reveal'): void {
    if (scrolling === 'stay') this.#focusController.focusWithoutScrolling();
    else this.#focusController.focus();
  }

  /** Makes a cell, by visible row and column name, the focused one and scrolls to it, without moving the keyboard focus. The column is optional. */
  focusCell(row: number, column?: string): void {
    const index = column === undefined ? -1 : this.#table.visible.indexOf(column);
    this.#selection.moveTo(this.#table.clamp({ row, column: index < 0 ? this.#selection.focus.column : index }));
    this.#updateSelection();
    this.#reveal(this.#selection.focus);
  }

  /** Highlights the cells whose text matches. If the test is undefined, no cell is highlighted. */
  highlightMatches(isMatch?: (text: string) => boolean): void {
    this.#table.highlightMatches(isMatch);
    this.#paint();
  }

  /** Highlights a row, or no row if undefined. `reveal` also scrolls to it. */
  highlightRow(row: number | undefined, reveal = false): void {
    this.#table.paintedSelection.highlightedRow = row;
    if (reveal && row !== undefined) this.#reveal({ row, column: this.#selection.focus.column });
    else this.#paint();
  }

  /** Selects a range and focuses its first cell without scrolling. A reach over all rows includes rows that are added later. */
  select({ rows, columns }: CellRange, reach?: SelectionReach): void {
    const last = this.#table.clamp({ row: rows[1], column: columns[1] });
    this.#selection.selectBetween(last, this.#table.clamp({ row: rows[0], column: columns[0] }), reach);
    this.#updateSelection();
    this.#paint();
  }

  /** The selected cells, at least one; undefined while a header is focused. */
  get range(): CellRange | undefined {
    const { rows, columns } = this.#table.bounds;
    return this.#selection.range(rows, columns);
  }

  /** The visible columns in their order, which the column indexes of a range refer to. */
  get columns(): readonly GridColumn[] {
    return this.#table.visible.columns;
  }

  /** All columns of the data, in their original order. */
  get allColumns(): readonly GridColumn[] {
    return this.#table.data.columns;
  }

  get arrangement(): ColumnArrangement {
    return this.#table.visible.arrangement;
  }

  /** Applies an arrangement. The focus stays on its column; the selection stays unless a column has moved. */
  #arrange(arrangement: ColumnArrangement): void {
    const { visible } = this.#table;
    const { row, column } = this.#selection.focus;
    const previousColumns = visible.columns;
    visible.arrange(arrangement);
    this.#table.updateColumns();
    if (previousColumns.some((column, index) => column !== visible.columns[index])) {
      const newIndex = visible.indexOf(previousColumns[column]?.name);
      this.#selection.moveTo(this.#table.clamp({ row, column: newIndex < 0 ? column : newIndex }));
    }
    this.#updateSelection();
    this.#paint();
  }

  /** Repaints the header after the summaries of columns have changed. */
  updateSummaries(): void {
    this.#painter.header.paintCells(this.#table.context, true);
  }

  #listen(): void {
    const { scroller } = this.#dom;
    const { view } = this.#table;
    scroller.addEventListener('scroll', () => {
      view.onScroll();
      this.#paint();
    });
    const onWheel = (event: WheelEvent) => {
      if (!view.onWheel(event)) return;
      event.preventDefault();
      this.#paint();
    };
    scroller.addEventListener('wheel', onWheel, { passive: false });
    this.element.addEventListener('keydown', event => this.#onKeyDown(event));
    new ResizeObserver(() => {
      if (!this.element.isConnected) return;
      this.#table.onResize();
      this.#paint();
    }).observe(scroller);
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { key, shiftKey: shift, altKey: alt } = event;
    const press = { key, shift, alt, jump: event.ctrlKey || event.metaKey };
    const { focus, isExtended } = this.#selection;
    const command = toGridCommand(press, focus, this.#table.bounds, isExtended);
    if (!command) return;
    event.preventDefault();
    // Otherwise VS Code would also handle the key, as one of its keyboard shortcuts.
    event.stopPropagation();
    this.#run(command);
  }

  #run(command: GridCommand): void {
    const { focus } = this.#selection;
    const name = this.#table.getColumnName(focus.column);
    switch (command.type) {
      case 'move':
        this.#moveFocus(command.to);
        return;
      case 'extend':
        this.#extendTo(command.to, true);
        return;
      case 'select':
        this.#selection.extendReach(command.reach);
        this.#updateSelection();
        this.#paint();
        return;
      case 'copy':
        this.#host.copy(this.#table.getExactText(focus), this.range, command.withHeaders);
        return;
      case 'menu':
        this.#openMenu(this.#focusController.getCellBounds());
        return;
      case 'sort':
        this.#sort(focus.column, command.additive);
        return;
      case 'moveColumn':
        this.operations.move(name, command.by);
        this.#focusController.focus();
        return;
      case 'widenColumn':
        this.operations.changeWidth(name, command.by);
        this.#focusController.focus();
        return;
      case 'hideColumn':
        this.operations.hide(name);
        return;
    }
  }

  #moveFocus(position: CellPosition): void {
    this.#selection.moveTo(position);
    this.#updateSelection();
    this.#focusController.focus();
  }

  #extendTo(position: CellPosition, reveal: boolean): void {
    if (position.row === headerRow && this.#selection.reach === 'cells') this.#selection.extendReach('columns');
    this.#selection.extendTo(position);
    this.#updateSelection();
    if (reveal) this.#focusController.focus();
    else this.#paint();
  }

  #updateSelection(): void {
    const { range } = this;
    const paintedRange = this.#table.paintedSelection;
    const isMultiple = range && hasMultipleCells(range);
    [paintedRange.firstRow, paintedRange.lastRow] = isMultiple ? range.rows : [0, -1];
    [paintedRange.firstColumn, paintedRange.lastColumn] = isMultiple ? range.columns : [0, -1];
    if (isSameRange(range, this.#reportedRange)) return;
    this.#reportedRange = range;
    this.#host.onSelectionChanged(range);
  }

  #sort(column: number, additive: boolean): void {
    const gridColumn = this.columns[column];
    if (gridColumn) this.#host.sort(gridColumn.source ?? gridColumn.name, additive);
  }

  #openMenu(anchor: DOMRect): void {
    const { focus } = this.#selection;
    if (focus.row === headerRow) this.#host.openColumnMenu(this.#table.getColumnName(focus.column), anchor);
    else this.#host.openCellMenu(focus, anchor);
  }

  #reveal(position: CellPosition): void {
    this.#table.scrollTo(position);
    this.#paint();
  }

  #paint(): void {
    const { view, context } = this.#table;
    this.#focusController.preserveFocus(() => this.#painter.paint(view, context, this.#selection.focus));
    clearTimeout(this.#idleTimer);
    this.#idleTimer = window.setTimeout(() => {
      this.#painter.sortForScreenReaders();
      this.#host.onSettled();
    }, idleDelayMs);
  }
}
