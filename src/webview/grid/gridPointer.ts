import { startDrag } from '../startDrag.ts';
import type { ColumnOperations } from './columnOperations.ts';
import { findCellPosition, type GridDom } from './gridDom.ts';
import { headerRow, containsCell, type CellPosition, type CellRange } from './gridSelection.ts';
import type { GridTable } from './gridTable.ts';
import { headerParts } from './headerRow.ts';

/** Actions of the grid that the pointer triggers. */
interface PointerActions {
  readonly range: () => CellRange | undefined;
  readonly select: (position: CellPosition) => void;
  /** Extends the selection to a cell; `reveal` scrolls to it. */
  readonly extend: (position: CellPosition, reveal: boolean) => void;
  readonly menu: (anchor: DOMRect) => void;
  readonly sort: (column: number, additive: boolean) => void;
  readonly paint: () => void;
}

/** Handles clicks, drags and right clicks. A touch selects a cell, but its drag scrolls. */
export class GridPointer {
  readonly #scroller: HTMLElement;
  readonly #table: GridTable;
  readonly #actions: PointerActions;
  readonly #header: HeaderPointer;

  constructor(dom: GridDom, table: GridTable, operations: ColumnOperations, actions: PointerActions) {
    const { scroller } = dom;
    this.#scroller = scroller;
    this.#table = table;
    this.#actions = actions;
    this.#header = new HeaderPointer(dom, table, operations, actions);
    scroller.addEventListener('pointerdown', event => this.#onPointerDown(event));
    // Keeps the browser from moving the focus to the scroller.
    scroller.addEventListener('mousedown', event => {
      if (findCellPosition(event.target)) event.preventDefault();
    });
    scroller.addEventListener('contextmenu', event => this.#onContextMenu(event));
  }

  #onPointerDown(event: PointerEvent): void {
    const { select, extend } = this.#actions;
    const position = findCellPosition(event.target);
    if (event.button !== 0 || !position) return;
    // On a Mac, Ctrl+click is a right click, which must not change the selection under it.
    if (event.ctrlKey && this.#isSelected(position)) return;
    if (position.row === headerRow) {
      this.#header.onPointerDown(event, position.column);
      return;
    }
    if (event.shiftKey) extend(position, true);
    else select(position);
    if (event.pointerType === 'touch') return;
    startDrag(this.#scroller, event, {
      move: (clientX, clientY) => extend(this.#table.findNearestCell(clientX, clientY), false),
      scroll: (clientX, clientY) => this.#table.autoScroll(clientX, clientY),
      end: () => undefined,
    });
  }

  #onContextMenu(event: MouseEvent): void {
    const position = findCellPosition(event.target);
    if (!position) return;
    event.preventDefault();
    // The menu key has already been handled on keydown. Ctrl+click is the right click of a Mac.
    if (event.button !== 2 && !event.ctrlKey) return;
    if (!this.#isSelected(position)) this.#actions.select(position);
    this.#actions.menu(new DOMRect(event.clientX, event.clientY, 0, 0));
  }

  #isSelected(position: CellPosition): boolean {
    const range = this.#actions.range();
    return range !== undefined && containsCell(range, position);
  }
}

/** Distance in pixels from which a press is a drag and no longer a click. */
const minDragDistance = 5;

/** Handles the pointer in the header: a click sorts by a column, Ctrl or Command and a click selects it, dragging its edge resizes it, and dragging the header moves it. */
class HeaderPointer {
  readonly #dom: GridDom;
  readonly #table: GridTable;
  readonly #operations: ColumnOperations;
  readonly #actions: PointerActions;

  constructor(dom: GridDom, table: GridTable, operations: ColumnOperations, actions: PointerActions) {
    this.#dom = dom;
    this.#table = table;
    this.#operations = operations;
    this.#actions = actions;
    dom.scroller.addEventListener('click', event => this.#onClick(event));
    dom.scroller.addEventListener('dblclick', event => {
      const isEdge = event.target instanceof HTMLElement && event.target.classList.contains(headerParts.edge);
      const position = findCellPosition(event.target);
      if (isEdge && position) operations.fitToContent(table.getColumnName(position.column));
    });
  }

  /** Handles a press of the main button on a header. */
  onPointerDown(event: PointerEvent, column: number): void {
    const part = event.target instanceof HTMLElement ? event.target : undefined;
    if (part?.classList.contains(headerParts.edge)) {
      this.#startResize(part, event, column);
      return;
    }
    const { select, extend } = this.#actions;
    const position = { row: headerRow, column };
    const isSelecting = event.ctrlKey || event.metaKey;
    if (!isSelecting || !event.shiftKey) select(position);
    if (isSelecting) extend(position, true);
    else if (!isInteractivePart(part) && event.pointerType !== 'touch') this.#startDrag(event, column);
  }

  /** Handles clicks on the menu button of a header, and clicks by touch or a screen reader on the header. A mouse or pen click is handled as a drag that did not move. */
  #onClick(event: PointerEvent): void {
    const part = event.target instanceof HTMLElement ? event.target : undefined;
    const position = findCellPosition(event.target);
    if (!part || position?.row !== headerRow) return;
    if (part.classList.contains(headerParts.menu)) this.#actions.menu(part.getBoundingClientRect());
    else if (!isInteractivePart(part) && !['mouse', 'pen'].includes(event.pointerType))
      this.#actions.sort(position.column, event.shiftKey);
  }

  #startResize(edge: HTMLElement, event: PointerEvent, column: number): void {
    const { scroller } = this.#dom;
    const name = this.#table.getColumnName(column);
    const width = this.#table.visible.layout.width(column);
    let newWidth = width;
    scroller.classList.add('resizing');
    // The edge captures the pointer, and not the scroller, so that it also receives the double click.
    startDrag(edge, event, {
      move: clientX => {
        newWidth = width + clientX - event.clientX;
        this.#previewWidth(name, newWidth);
      },
      end: isCanceled => {
        scroller.classList.remove('resizing');
        this.#previewWidth(name, undefined);
        if (!isCanceled && newWidth !== width) this.#operations.setWidth(name, newWidth);
      },
    });
  }

  /** Previews a column at another width; undefined ends the preview. */
  #previewWidth(name: string, width: number | undefined): void {
    this.#table.visible.previewWidth(name, width);
    this.#table.updateColumns();
    this.#actions.paint();
  }

  /** Moves the column, or sorts by it if the pointer does not move. */
  #startDrag(event: PointerEvent, column: number): void {
    const { scroller, dropLine } = this.#dom;
    let dragging = false;
    let insertIndex = column;
    startDrag(scroller, event, {
      move: clientX => {
        dragging ||= Math.abs(clientX - event.clientX) >= minDragDistance;
        if (!dragging) return;
        const drop = this.#table.findDropPosition(clientX);
        insertIndex = drop.before;
        scroller.classList.add('reordering');
        dropLine.hidden = false;
        dropLine.style.left = `${drop.x}px`;
      },
      scroll: clientX => dragging && this.#table.autoScroll(clientX, undefined),
      end: isCanceled => {
        scroller.classList.remove('reordering');
        dropLine.hidden = true;
        if (isCanceled) return;
        if (!dragging) this.#actions.sort(column, event.shiftKey);
        else
          this.#operations.moveTo(
            this.#table.getColumnName(column),
            insertIndex > column ? insertIndex - 1 : insertIndex,
          );
      },
    });
  }
}

/** Whether a part of a header handles a press itself. */
function isInteractivePart(part: HTMLElement | undefined): boolean {
  return Object.values(headerParts).some(name => part?.classList.contains(name));
}
