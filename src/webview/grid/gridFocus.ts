import { cellElementOf, positionOf } from './gridDom.ts';
import type { CellPosition } from './gridSelection.ts';

/** What the focus needs of the grid. */
interface FocusSurface {
  /** The focused cell. */
  readonly position: () => CellPosition;
  /** The element that shows a cell now. */
  readonly cellAt: (position: CellPosition) => HTMLElement | undefined;
  /** Scrolls to a cell and paints; afterwards `cellAt` finds it. */
  readonly reveal: (position: CellPosition) => void;
  readonly tooltipOf: (position: CellPosition) => string;
}

/** One cell is the tab stop. Its element exists also when it is scrolled out of sight. */
export class GridFocus {
  readonly #root: HTMLElement;
  readonly #surface: FocusSurface;
  #stop: HTMLElement | undefined;
  /** The grid itself moves the focus between its elements: no entry from outside. */
  #moving = false;

  constructor(root: HTMLElement, surface: FocusSurface) {
    this.#root = root;
    this.#surface = surface;
    root.addEventListener('pointerover', event => this.#describe(cellElementOf(event.target)));
    root.addEventListener('focusin', event => this.#entered(event));
  }

  /** Gives the keyboard to the focused cell, and brings it into sight. */
  focus(): void {
    this.#surface.reveal(this.#surface.position());
    this.focusInPlace();
  }

  /** Gives it the keyboard without scrolling. */
  focusInPlace(): void {
    this.#moving = true;
    this.#stop?.focus({ preventScroll: true });
    this.#moving = false;
  }

  /** Where the focused cell is drawn. */
  box(): DOMRect {
    return (this.#stop ?? this.#root).getBoundingClientRect();
  }

  /** Paints: the tab stop follows its cell, and so does the keyboard if the stop had it. */
  around(paint: () => void): void {
    const hadKeyboard = this.#stop?.contains(document.activeElement) === true;
    this.#moving = true;
    paint();
    const cell = this.#surface.cellAt(this.#surface.position());
    if (cell !== this.#stop) {
      this.#stop?.removeAttribute('tabindex');
      this.#stop = cell;
      if (cell) cell.tabIndex = 0;
    }
    if (hadKeyboard && !cell?.contains(document.activeElement)) cell?.focus({ preventScroll: true });
    this.#moving = false;
  }

  #entered(event: FocusEvent): void {
    const cell = cellElementOf(event.target);
    if (!cell) return;
    this.#describe(cell);
    const fromOutside = !(event.relatedTarget instanceof Node && this.#root.contains(event.relatedTarget));
    if (fromOutside && !this.#moving) this.#surface.reveal(this.#surface.position());
  }

  #describe(cell: HTMLElement | undefined): void {
    const position = cell && positionOf(cell);
    if (!position) return;
    const tooltip = this.#surface.tooltipOf(position);
    if (tooltip && cell.title !== tooltip) cell.title = tooltip;
  }
}
