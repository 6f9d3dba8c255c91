import { positionOf } from './gridDom.ts';
import { startDrag } from './dragSession.ts';
import { headerParts } from './headerRow.ts';
import { headerRow, type CellPosition } from './focusMove.ts';

/** What the pointer may do with the headers. */
export interface HeaderSurface {
  readonly select: (position: CellPosition) => void;
  readonly sort: (column: number, additive: boolean) => void;
  readonly menu: (anchor: DOMRect) => void;
  readonly width: (column: number) => number;
  /** Draws a column at a width that is not decided yet; undefined goes back to the decided one. */
  readonly tryWidth: (column: number, width: number | undefined) => void;
  readonly setWidth: (column: number, width: number) => void;
  readonly fit: (column: number) => void;
  /** Where a column would be dropped: before the shown column of this number, and the pixel of that edge. */
  readonly dropAt: (clientX: number) => { readonly before: number; readonly x: number };
  readonly drop: (column: number, before: number) => void;
  readonly scrollFor: (clientX: number) => boolean;
}

/** A move of fewer pixels is a click. */
const dragFrom = 5;

/** A click focuses a header; its edge is dragged for the width, the header itself for the place among the others. */
export class HeaderPointer {
  readonly #scroller: HTMLElement;
  readonly #surface: HeaderSurface;
  readonly #dropLine: HTMLElement;

  constructor(scroller: HTMLElement, dropLine: HTMLElement, surface: HeaderSurface) {
    this.#scroller = scroller;
    this.#dropLine = dropLine;
    this.#surface = surface;
    scroller.addEventListener('click', event => this.#clicked(event));
    scroller.addEventListener('dblclick', event => {
      const edge = event.target instanceof HTMLElement && event.target.classList.contains(headerParts.edge);
      const position = positionOf(event.target);
      if (edge && position) surface.fit(position.column);
    });
  }

  /** A header was pressed with the main button. */
  pressed(event: PointerEvent, column: number): void {
    const part = event.target instanceof HTMLElement ? event.target : undefined;
    if (part?.classList.contains(headerParts.edge)) {
      this.#resize(part, event, column);
      return;
    }
    this.#surface.select({ row: headerRow, column });
    if (!isSign(part) && event.pointerType !== 'touch') this.#reorder(event, column);
  }

  #clicked(event: MouseEvent): void {
    const sign = event.target instanceof HTMLElement ? event.target : undefined;
    const position = positionOf(event.target);
    if (!sign || !position) return;
    if (sign.classList.contains(headerParts.menu)) this.#surface.menu(sign.getBoundingClientRect());
    else if (sign.classList.contains(headerParts.sort)) this.#surface.sort(position.column, event.shiftKey);
  }

  #resize(edge: HTMLElement, event: PointerEvent, column: number): void {
    const from = event.clientX;
    const width = this.#surface.width(column);
    let wanted = width;
    this.#scroller.classList.add('resizing');
    // A double click is heard by whoever has the pointer: the edge, not the scroller.
    startDrag(edge, event, {
      move: clientX => {
        wanted = width + clientX - from;
        this.#surface.tryWidth(column, wanted);
      },
      end: cancelled => {
        this.#scroller.classList.remove('resizing');
        this.#surface.tryWidth(column, undefined);
        if (!cancelled && wanted !== width) this.#surface.setWidth(column, wanted);
      },
    });
  }

  #reorder(event: PointerEvent, column: number): void {
    const from = event.clientX;
    let dragging = false;
    let before = column;
    startDrag(this.#scroller, event, {
      move: clientX => {
        dragging ||= Math.abs(clientX - from) >= dragFrom;
        if (!dragging) return;
        const drop = this.#surface.dropAt(clientX);
        before = drop.before;
        this.#scroller.classList.add('reordering');
        this.#dropLine.hidden = false;
        this.#dropLine.style.left = `${drop.x}px`;
      },
      scroll: clientX => dragging && this.#surface.scrollFor(clientX),
      end: cancelled => {
        this.#scroller.classList.remove('reordering');
        this.#dropLine.hidden = true;
        if (dragging && !cancelled) this.#surface.drop(column, before);
      },
    });
  }
}

function isSign(part: HTMLElement | undefined): boolean {
  return part !== undefined && [headerParts.sort, headerParts.menu].some(name => part.classList.contains(name));
}
