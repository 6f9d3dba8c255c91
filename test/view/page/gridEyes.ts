/** The cell in sight of a shown row and column; row -1 is the header. */
export function cellAt(row: number, column: number): HTMLElement | null {
  return document.querySelector(
    `[aria-rowindex="${row + 2}"]:not([hidden]) [aria-colindex="${column + 1}"]:not([hidden])`,
  );
}

/** What scrolls the table. */
export function scroller(): HTMLElement {
  return document.querySelector('.grid-scroller') as HTMLElement;
}

/** What a test sees of the table. */
export const gridEyes = {
  /** Text of a cell in sight, of a header without its summary; null where there is none. */
  cellText: (row: number, column: number): string | null => {
    const cell = cellAt(row, column);
    const gaps = cell?.querySelector('.grid-gaps')?.textContent ?? '';
    return cell ? cell.textContent.slice(0, -gaps.length || undefined) : null;
  },
  /** The focused cell, as [row, column]; row -1 is the header. */
  focused(): readonly [number, number] | null {
    const focused = document.activeElement;
    const row = focused?.closest('[aria-rowindex]');
    return focused && row ? [Number(row.ariaRowIndex) - 2, Number(focused.ariaColIndex) - 1] : null;
  },
  /** Lowest and highest row drawn inside the view. */
  rowsInView(): readonly [number, number] {
    const top = document.querySelector('.grid-body')?.getBoundingClientRect().top ?? 0;
    const bottom = scroller().getBoundingClientRect().top + scroller().clientHeight;
    const rows = [...document.querySelectorAll('.grid-row:not([hidden])')]
      .filter(row => row.getBoundingClientRect().bottom > top + 1 && row.getBoundingClientRect().top < bottom - 1)
      .map(row => Number(row.ariaRowIndex) - 2);
    return [Math.min(...rows), Math.max(...rows)];
  },
  /** Number of elements in the grid. */
  gridElements: (): number => document.querySelectorAll('.grid *').length,
};
