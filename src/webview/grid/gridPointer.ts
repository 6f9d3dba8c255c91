import { positionOf, type GridDom } from './gridDom.ts';
import { startDrag } from './dragSession.ts';
import { headerRow, type CellPosition } from './focusMove.ts';
import { HeaderPointer } from './headerPointer.ts';
import { holds, type CellRange } from './cellRange.ts';
import type { ColumnOperations } from './columnOperations.ts';
import type { GridTable } from './gridTable.ts';

/** What the pointer may do with the cells. */
export interface PointerSurface {
  readonly select: (position: CellPosition) => void;
  /** Extends the selection to a cell; `reveal` brings it into sight. */
  readonly extend: (position: CellPosition, reveal: boolean) => void;
  readonly cellNear: (clientX: number, clientY: number) => CellPosition;
  /** Scrolls for a pointer outside the cells; whether it did. */
  readonly scrollFor: (clientX: number, clientY: number) => boolean;
  readonly isSelected: (position: CellPosition) => boolean;
  readonly menu: (anchor: DOMRect) => void;
}

/** Clicks, drags and right clicks. Touches scroll; they only select a cell. */
export class GridPointer {
  readonly #scroller: HTMLElement;
  readonly #surface: PointerSurface;
  readonly #header: HeaderPointer;

  constructor(scroller: HTMLElement, surface: PointerSurface, header: HeaderPointer) {
    this.#scroller = scroller;
    this.#surface = surface;
    this.#header = header;
    scroller.addEventListener('pointerdown', event => this.#pressed(event));
    // The browser would give the keyboard to the scroller.
    scroller.addEventListener('mousedown', event => {
      if (positionOf(event.target)) event.preventDefault();
    });
    scroller.addEventListener('contextmenu', event => this.#menuWanted(event));
  }

  #pressed(event: PointerEvent): void {
    const position = positionOf(event.target);
    if (event.button !== 0 || !position) return;
    // On a Mac this is a right click: the selection it is for stays.
    if (event.ctrlKey && this.#surface.isSelected(position)) return;
    if (position.row === headerRow) {
      this.#header.pressed(event, position.column);
      return;
    }
    if (event.shiftKey) this.#surface.extend(position, true);
    else this.#surface.select(position);
    if (event.pointerType === 'touch') return;
    startDrag(this.#scroller, event, {
      move: (clientX, clientY) => this.#surface.extend(this.#surface.cellNear(clientX, clientY), false),
      scroll: (clientX, clientY) => this.#surface.scrollFor(clientX, clientY),
      end: () => undefined,
    });
  }

  #menuWanted(event: MouseEvent): void {
    const position = positionOf(event.target);
    if (!position) return;
    event.preventDefault();
    // The keyboard's own menu key has been heard as a key already; Ctrl and a click is the right click of a Mac.
    if (event.button !== 2 && !event.ctrlKey) return;
    if (!this.#surface.isSelected(position)) this.#surface.select(position);
    this.#surface.menu(new DOMRect(event.clientX, event.clientY, 0, 0));
  }
}

/** What the pointer sets off in the grid. */
interface PointerActions {
  readonly range: () => CellRange | undefined;
  readonly select: (position: CellPosition) => void;
  readonly extend: (position: CellPosition, reveal: boolean) => void;
  readonly menu: (anchor: DOMRect) => void;
  readonly sort: (column: number, additive: boolean) => void;
  readonly paint: () => void;
}

/** Gives the pointer what it may do with cells and headers. */
export function listenToPointer(
  { scroller, dropLine }: GridDom,
  table: GridTable,
  operations: ColumnOperations,
  actions: PointerActions,
): void {
  const { select, menu, extend, sort, range, paint } = actions;
  const header = new HeaderPointer(scroller, dropLine, {
    select,
    menu,
    sort,
    width: column => table.shown.layout.width(column),
    tryWidth: (column, width) => {
      table.shown.tryWidth(table.nameOf(column), width);
      table.columnsChanged();
      paint();
    },
    setWidth: (column, width) => operations.setWidth(table.nameOf(column), width),
    fit: column => operations.fit(table.nameOf(column)),
    dropAt: clientX => table.dropAt(clientX),
    drop: (column, before) => operations.moveTo(table.nameOf(column), before > column ? before - 1 : before),
    scrollFor: clientX => table.scrollFor(clientX, undefined),
  });
  const isSelected = (position: CellPosition) => {
    const now = range();
    return now !== undefined && holds(now, position);
  };
  const cells = {
    select,
    menu,
    extend,
    isSelected,
    cellNear: (clientX: number, clientY: number) => table.cellNear(clientX, clientY),
    scrollFor: (clientX: number, clientY: number) => table.scrollFor(clientX, clientY),
  };
  new GridPointer(scroller, cells, header);
}
