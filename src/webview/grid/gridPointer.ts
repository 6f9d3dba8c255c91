import { startDrag } from '../startDrag.ts';
import type { ColumnOperations } from './columnOperations.ts';
import { positionOf, type GridDom } from './gridDom.ts';
import { headerRow, holds, type CellPosition, type CellRange } from './gridSelection.ts';
import type { GridTable } from './gridTable.ts';
import { headerParts } from './headerRow.ts';

/** What the pointer sets off in the grid. */
interface PointerActions {
  readonly range: () => CellRange | undefined;
  readonly select: (position: CellPosition) => void;
  /** Extends the selection to a cell; `reveal` brings it into sight. */
  readonly extend: (position: CellPosition, reveal: boolean) => void;
  readonly menu: (anchor: DOMRect) => void;
  readonly sort: (column: number, additive: boolean) => void;
  readonly paint: () => void;
}

/** Clicks, drags and right clicks. Touches scroll; they only select a cell. */
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
    scroller.addEventListener('pointerdown', event => this.#pressed(event));
    // The browser would give the keyboard to the scroller.
    scroller.addEventListener('mousedown', event => {
      if (positionOf(event.target)) event.preventDefault();
    });
    scroller.addEventListener('contextmenu', event => this.#menuRequested(event));
  }

  #pressed(event: PointerEvent): void {
    const { select, extend } = this.#actions;
    const position = positionOf(event.target);
    if (event.button !== 0 || !position) return;
    // On a Mac this is a right click: the selection it is for stays.
    if (event.ctrlKey && this.#isSelected(position)) return;
    if (position.row === headerRow) {
      this.#header.pressed(event, position.column);
      return;
    }
    if (event.shiftKey) extend(position, true);
    else select(position);
    if (event.pointerType === 'touch') return;
    startDrag(this.#scroller, event, {
      move: (clientX, clientY) => extend(this.#table.cellNear(clientX, clientY), false),
      scroll: (clientX, clientY) => this.#table.scrollFor(clientX, clientY),
      end: () => undefined,
    });
  }

  #menuRequested(event: MouseEvent): void {
    const position = positionOf(event.target);
    if (!position) return;
    event.preventDefault();
    // The menu key has already been handled on keydown; Ctrl and a click is the right click of a Mac.
    if (event.button !== 2 && !event.ctrlKey) return;
    if (!this.#isSelected(position)) this.#actions.select(position);
    this.#actions.menu(new DOMRect(event.clientX, event.clientY, 0, 0));
  }

  #isSelected(position: CellPosition): boolean {
    const range = this.#actions.range();
    return range !== undefined && holds(range, position);
  }
}

/** A move of fewer pixels is a click. */
const dragFrom = 5;

/** A click sorts by a header, with Ctrl or Command it selects the column; its edge is dragged for the width, the header itself for the place among the others. */
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
    dom.scroller.addEventListener('click', event => this.#clicked(event));
    dom.scroller.addEventListener('dblclick', event => {
      const edge = event.target instanceof HTMLElement && event.target.classList.contains(headerParts.edge);
      const position = positionOf(event.target);
      if (edge && position) operations.fit(table.nameOf(position.column));
    });
  }

  /** A header was pressed with the main button. */
  pressed(event: PointerEvent, column: number): void {
    const part = event.target instanceof HTMLElement ? event.target : undefined;
    if (part?.classList.contains(headerParts.edge)) {
      this.#resize(part, event, column);
      return;
    }
    const { select, extend } = this.#actions;
    const position = { row: headerRow, column };
    const selects = event.ctrlKey || event.metaKey;
    if (!selects || !event.shiftKey) select(position);
    if (selects) extend(position, true);
    else if (!isOwnPart(part) && event.pointerType !== 'touch') this.#drag(event, column);
  }

  /** A click of a mouse or pen on a header itself ends as a drag that did not move: one of a finger or a screen reader comes here. */
  #clicked(event: PointerEvent): void {
    const part = event.target instanceof HTMLElement ? event.target : undefined;
    const position = positionOf(event.target);
    if (!part || position?.row !== headerRow) return;
    if (part.classList.contains(headerParts.menu)) this.#actions.menu(part.getBoundingClientRect());
    else if (!isOwnPart(part) && !['mouse', 'pen'].includes(event.pointerType))
      this.#actions.sort(position.column, event.shiftKey);
  }

  #resize(edge: HTMLElement, event: PointerEvent, column: number): void {
    const { scroller } = this.#dom;
    const name = this.#table.nameOf(column);
    const width = this.#table.shown.layout.width(column);
    let wanted = width;
    scroller.classList.add('resizing');
    // The browser sends the double click to the element that captures the pointer: the edge, not the scroller.
    startDrag(edge, event, {
      move: clientX => {
        wanted = width + clientX - event.clientX;
        this.#tryWidth(name, wanted);
      },
      end: cancelled => {
        scroller.classList.remove('resizing');
        this.#tryWidth(name, undefined);
        if (!cancelled && wanted !== width) this.#operations.setWidth(name, wanted);
      },
    });
  }

  /** Draws a column at a width that is not decided yet; undefined goes back to the decided one. */
  #tryWidth(name: string, width: number | undefined): void {
    this.#table.shown.tryWidth(name, width);
    this.#table.columnsChanged();
    this.#actions.paint();
  }

  /** Moves the column, or sorts by it where the pointer does not move. */
  #drag(event: PointerEvent, column: number): void {
    const { scroller, dropLine } = this.#dom;
    let dragging = false;
    let before = column;
    startDrag(scroller, event, {
      move: clientX => {
        dragging ||= Math.abs(clientX - event.clientX) >= dragFrom;
        if (!dragging) return;
        const drop = this.#table.dropAt(clientX);
        before = drop.before;
        scroller.classList.add('reordering');
        dropLine.hidden = false;
        dropLine.style.left = `${drop.x}px`;
      },
      scroll: clientX => dragging && this.#table.scrollFor(clientX, undefined),
      end: cancelled => {
        scroller.classList.remove('reordering');
        dropLine.hidden = true;
        if (cancelled) return;
        if (!dragging) this.#actions.sort(column, event.shiftKey);
        else this.#operations.moveTo(this.#table.nameOf(column), before > column ? before - 1 : before);
      },
    });
  }
}

/** Whether a part of a header does something of its own with a press. */
function isOwnPart(part: HTMLElement | undefined): boolean {
  return Object.values(headerParts).some(name => part?.classList.contains(name));
}
