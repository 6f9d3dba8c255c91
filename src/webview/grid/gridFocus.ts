import { cellElementOf, positionOf } from './gridDom.ts';
import type { CellPosition } from './gridSelection.ts';

/** The parts of the grid that `GridFocus` uses. */
interface FocusSurface {
  /** The focused cell. */
  readonly position: () => CellPosition;
  /** The element that currently shows a cell. */
  readonly cellAt: (position: CellPosition) => HTMLElement | undefined;
  /** Scrolls to a cell and paints, so that `cellAt` finds it. */
  readonly reveal: (position: CellPosition) => void;
  readonly tooltipOf: (position: CellPosition) => string;
}

/** Keeps the focused cell as the only tab stop of the grid. The element of that cell exists even while it is scrolled out of view. */
export class GridFocus {
  readonly #root: HTMLElement;
  readonly #surface: FocusSurface;
  #stop: HTMLElement | undefined;
  /** Whether the grid itself is moving the focus, so that a focus event does not mean that the user has entered the grid. */
  #moving = false;

  constructor(root: HTMLElement, surface: FocusSurface) {
    this.#root = root;
    this.#surface = surface;
    root.addEventListener('pointerover', event => this.#describe(cellElementOf(event.target)));
    root.addEventListener('focusin', event => this.#entered(event));
  }

  /** Moves the keyboard focus to the focused cell and scrolls it into view. */
  focus(): void {
    this.#surface.reveal(this.#surface.position());
    this.focusInPlace();
  }

  /** Moves the keyboard focus to the focused cell without scrolling. */
  focusInPlace(): void {
    this.#moving = true;
    this.#stop?.focus({ preventScroll: true });
    this.#moving = false;
  }

  /** Returns the bounds of the focused cell in the window. */
  box(): DOMRect {
    return (this.#stop ?? this.#root).getBoundingClientRect();
  }

  /** Paints the grid, then moves the tab stop, and the keyboard focus if it was there, to the element that now shows the focused cell. */
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
