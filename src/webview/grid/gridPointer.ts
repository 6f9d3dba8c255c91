import { startDrag } from '../startDrag.ts';
import type { ColumnOperations } from './columnOperations.ts';
import { positionOf, type GridDom } from './gridDom.ts';
import { headerRow, holds, type CellPosition, type CellRange } from './gridSelection.ts';
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
    scroller.addEventListener('pointerdown', event => this.#pressed(event));
    // Keeps the browser from moving the focus to the scroller.
    scroller.addEventListener('mousedown', event => {
      if (positionOf(event.target)) event.preventDefault();
    });
    scroller.addEventListener('contextmenu', event => this.#menuRequested(event));
  }

  #pressed(event: PointerEvent): void {
    const { select, extend } = this.#actions;
    const position = positionOf(event.target);
    if (event.button !== 0 || !position) return;
    // On a Mac, Ctrl+click is a right click, which must not change the selection under it.
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
    // The menu key has already been handled on keydown. Ctrl+click is the right click of a Mac.
    if (event.button !== 2 && !event.ctrlKey) return;
    if (!this.#isSelected(position)) this.#actions.select(position);
    this.#actions.menu(new DOMRect(event.clientX, event.clientY, 0, 0));
  }

  #isSelected(position: CellPosition): boolean {
    const range = this.#actions.range();
    return range !== undefined && holds(range, position);
  }
}

/** Distance in pixels from which a press is a drag and no longer a click. */
const dragFrom = 5;

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
    dom.scroller.addEventListener('click', event => this.#clicked(event));
    dom.scroller.addEventListener('dblclick', event => {
      const edge = event.target instanceof HTMLElement && event.target.classList.contains(headerParts.edge);
      const position = positionOf(event.target);
      if (edge && position) operations.fit(table.nameOf(position.column));
    });
  }

  /** Handles a press of the main button on a header. */
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

  /** Handles clicks on the menu button of a header, and clicks by touch or a screen reader on the header. A mouse or pen click is handled as a drag that did not move. */
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
    // The edge captures the pointer, and not the scroller, so that it also receives the double click.
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

  /** Previews a column at another width; undefined ends the preview. */
  #tryWidth(name: string, width: number | undefined): void {
    this.#table.shown.tryWidth(name, width);
    this.#table.columnsChanged();
    this.#actions.paint();
  }

  /** Moves the column, or sorts by it if the pointer does not move. */
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

/** Whether a part of a header handles a press itself. */
function isOwnPart(part: HTMLElement | undefined): boolean {
  return Object.values(headerParts).some(name => part?.classList.contains(name));
}
