import { positionOf } from './cellElement.ts';
import { startDrag } from './dragSession.ts';
import { headerRow } from './focusMove.ts';
import type { CellPosition } from './focusMove.ts';
import type { HeaderPointer } from './headerPointer.ts';

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
  private readonly scroller: HTMLElement;
  private readonly surface: PointerSurface;
  private readonly header: HeaderPointer;

  constructor(scroller: HTMLElement, surface: PointerSurface, header: HeaderPointer) {
    this.scroller = scroller;
    this.surface = surface;
    this.header = header;
    scroller.addEventListener('pointerdown', event => this.pressed(event));
    // The browser would give the keyboard to the scroller.
    scroller.addEventListener('mousedown', event => {
      if (positionOf(event.target)) event.preventDefault();
    });
    scroller.addEventListener('contextmenu', event => this.menuWanted(event));
  }

  private pressed(event: PointerEvent): void {
    const position = positionOf(event.target);
    if (event.button !== 0 || !position) return;
    // On a Mac this is a right click: the selection it is for stays.
    if (event.ctrlKey && this.surface.isSelected(position)) return;
    if (position.row === headerRow) {
      this.header.pressed(event, position.column);
      return;
    }
    if (event.shiftKey) this.surface.extend(position, true);
    else this.surface.select(position);
    if (event.pointerType === 'touch') return;
    startDrag(this.scroller, event, {
      move: (clientX, clientY) => this.surface.extend(this.surface.cellNear(clientX, clientY), false),
      scroll: (clientX, clientY) => this.surface.scrollFor(clientX, clientY),
      end: () => undefined,
    });
  }

  private menuWanted(event: MouseEvent): void {
    const position = positionOf(event.target);
    if (!position) return;
    event.preventDefault();
    // The keyboard's own menu key has been heard as a key already; Ctrl and a click is the right click of a Mac.
    if (event.button !== 2 && !event.ctrlKey) return;
    if (!this.surface.isSelected(position)) this.surface.select(position);
    this.surface.menu(new DOMRect(event.clientX, event.clientY, 0, 0));
  }
}
