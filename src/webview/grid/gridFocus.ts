import { findCellElement, findCellPosition } from './gridDom.ts';
import type { CellPosition } from './gridSelection.ts';

/** The parts of the grid that `GridFocus` uses. */
interface FocusSurface {
  /** The focused cell. */
  readonly focusedCell: () => CellPosition;
  /** The element that currently shows a cell. */
  readonly cellAt: (focusedCell: CellPosition) => HTMLElement | undefined;
  /** Scrolls to a cell and paints, so that `cellAt` finds it. */
  readonly scrollTo: (focusedCell: CellPosition) => void;
  readonly getTooltip: (focusedCell: CellPosition) => string;
}

/** Keeps the focused cell as the only tab stop of the grid. The element of that cell exists even while it is scrolled out of view. */
export class GridFocus {
  readonly #root: HTMLElement;
  readonly #surface: FocusSurface;
  #tabStop: HTMLElement | undefined;
  /** Whether the grid itself is moving the focus, so that a focus event does not mean that the user has entered the grid. */
  #moving = false;

  constructor(root: HTMLElement, surface: FocusSurface) {
    this.#root = root;
    this.#surface = surface;
    root.addEventListener('pointerover', event => this.#updateTooltip(findCellElement(event.target)));
    root.addEventListener('focusin', event => this.#onFocusIn(event));
  }

  /** Moves the keyboard focus to the focused cell and scrolls it into view. */
  focus(): void {
    this.#surface.scrollTo(this.#surface.focusedCell());
    this.focusWithoutScrolling();
  }

  /** Moves the keyboard focus to the focused cell without scrolling. */
  focusWithoutScrolling(): void {
    this.#moving = true;
    this.#tabStop?.focus({ preventScroll: true });
    this.#moving = false;
  }

  /** Returns the bounds of the focused cell in the window. */
  getCellBounds(): DOMRect {
    return (this.#tabStop ?? this.#root).getBoundingClientRect();
  }

  /** Paints the grid, then moves the tab stop, and the keyboard focus if it was there, to the element that now shows the focused cell. */
  preserveFocus(paint: () => void): void {
    const hadKeyboard = this.#tabStop?.contains(document.activeElement) === true;
    this.#moving = true;
    paint();
    const cell = this.#surface.cellAt(this.#surface.focusedCell());
    if (cell !== this.#tabStop) {
      this.#tabStop?.removeAttribute('tabindex');
      this.#tabStop = cell;
      if (cell) cell.tabIndex = 0;
    }
    if (hadKeyboard && !cell?.contains(document.activeElement)) cell?.focus({ preventScroll: true });
    this.#moving = false;
  }

  #onFocusIn(event: FocusEvent): void {
    const cell = findCellElement(event.target);
    if (!cell) return;
    this.#updateTooltip(cell);
    const fromOutside = !(event.relatedTarget instanceof Node && this.#root.contains(event.relatedTarget));
    if (fromOutside && !this.#moving) this.#surface.scrollTo(this.#surface.focusedCell());
  }

  #updateTooltip(cell: HTMLElement | undefined): void {
    const position = cell && findCellPosition(cell);
    if (!position) return;
    const tooltip = this.#surface.getTooltip(position);
    if (tooltip && cell.title !== tooltip) cell.title = tooltip;
  }
}
