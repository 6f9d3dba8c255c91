import { focusMove } from './focusMove.ts';
import type { CellPosition, FocusBounds } from './focusMove.ts';

/** What the focus needs of the grid. */
export interface FocusSurface {
  readonly bounds: () => FocusBounds;
  /** The element that shows a cell now. */
  readonly cellAt: (position: CellPosition) => HTMLElement | undefined;
  /** Scrolls to a cell and paints; afterwards `cellAt` finds it. */
  readonly reveal: (position: CellPosition) => void;
  readonly tooltipOf: (position: CellPosition) => string;
  readonly copy: (position: CellPosition) => void;
}

/** One cell is the tab stop; keys and clicks move it. Its element exists also when it is scrolled out of sight. */
export class GridFocus {
  position: CellPosition = { row: 0, column: 0 };
  private readonly root: HTMLElement;
  private readonly surface: FocusSurface;
  private stop: HTMLElement | undefined;

  constructor(root: HTMLElement, surface: FocusSurface) {
    this.root = root;
    this.surface = surface;
    root.addEventListener('keydown', event => this.pressed(event));
    root.addEventListener('mousedown', event => this.clicked(event));
    root.addEventListener('pointerover', event => this.hovered(event));
    root.addEventListener('focusin', event => this.entered(event));
  }

  /** Sets the tab stop without taking the keyboard. */
  place(position: CellPosition): void {
    this.position = position;
  }

  /** Takes the keyboard. */
  take(): void {
    this.surface.reveal(this.position);
    this.stop?.focus({ preventScroll: true });
  }

  /** After each paint: the tab stop follows its cell, and so does the keyboard if the stop had it. */
  painted(): void {
    const cell = this.surface.cellAt(this.position);
    if (cell === this.stop) return;
    const hadKeyboard = this.stop !== undefined && document.activeElement === this.stop;
    this.stop?.removeAttribute('tabindex');
    this.stop = cell;
    if (cell) cell.tabIndex = 0;
    if (hadKeyboard) cell?.focus({ preventScroll: true });
  }

  private moveTo(position: CellPosition): void {
    this.position = position;
    this.take();
  }

  private pressed(event: KeyboardEvent): void {
    const jump = event.ctrlKey || event.metaKey;
    if (jump && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'c') {
      event.preventDefault();
      this.surface.copy(this.position);
      return;
    }
    if (event.altKey || event.shiftKey) return;
    const next = focusMove(this.position, event.key, jump, this.surface.bounds());
    if (!next) return;
    event.preventDefault();
    this.moveTo(next);
  }

  private clicked(event: MouseEvent): void {
    const position = this.positionOf(event.target);
    if (event.button !== 0 || !position) return;
    this.moveTo(position);
    // The browser would give the keyboard to the scroller.
    event.preventDefault();
  }

  private hovered(event: PointerEvent): void {
    this.describe(this.cellOf(event.target));
  }

  private entered(event: FocusEvent): void {
    const cell = this.cellOf(event.target);
    if (!cell) return;
    this.describe(cell);
    const fromOutside = !(event.relatedTarget instanceof Node && this.root.contains(event.relatedTarget));
    if (fromOutside) this.surface.reveal(this.position);
  }

  private describe(cell: HTMLElement | undefined): void {
    const position = cell && this.positionOf(cell);
    if (!position) return;
    const tooltip = this.surface.tooltipOf(position);
    if (tooltip && cell.title !== tooltip) cell.title = tooltip;
  }

  private cellOf(target: EventTarget | null): HTMLElement | undefined {
    const cell = target instanceof Element ? target.closest('[aria-colindex]') : null;
    return cell instanceof HTMLElement ? cell : undefined;
  }

  private positionOf(target: EventTarget | null): CellPosition | undefined {
    const cell = this.cellOf(target);
    const row = cell?.closest('[aria-rowindex]');
    if (!cell || !row) return undefined;
    return { row: Number(row.ariaRowIndex) - 2, column: Number(cell.ariaColIndex) - 1 };
  }
}
