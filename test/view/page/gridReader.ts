/** Finds a visible cell by row and column; row -1 is the header. */
export function cellAt(row: number, column: number): HTMLElement | null {
  return document.querySelector(
    `[aria-rowindex="${row + 2}"]:not([hidden]) [aria-colindex="${column + 1}"]:not([hidden])`,
  );
}

export function scroller(): HTMLElement {
  return document.querySelector('.grid-scroller') as HTMLElement;
}

/** Reads the state of the table for tests. */
export const gridReader = {
  /** The text of a visible cell, or of a header without its summary; null if there is none. */
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
  /** The first and the last visible row. */
  rowsInView(): readonly [number, number] {
    const top = document.querySelector('.grid-body')?.getBoundingClientRect().top ?? 0;
    const bottom = scroller().getBoundingClientRect().top + scroller().clientHeight;
    const rows = [...document.querySelectorAll('.grid-row:not([hidden])')]
      .filter(row => row.getBoundingClientRect().bottom > top + 1 && row.getBoundingClientRect().top < bottom - 1)
      .map(row => Number(row.ariaRowIndex) - 2);
    return [Math.min(...rows), Math.max(...rows)];
  },
  gridElements: (): number => document.querySelectorAll('.grid *').length,
};
