import type { CellPosition } from './focusMove.ts';

/** The cell or header that a target of an event is in. */
export function cellElementOf(target: EventTarget | null): HTMLElement | undefined {
  const cell = target instanceof Element ? target.closest('[aria-colindex]') : null;
  return cell instanceof HTMLElement ? cell : undefined;
}

/** Where the cell stands that a target of an event is in. */
export function positionOf(target: EventTarget | null): CellPosition | undefined {
  const cell = cellElementOf(target);
  const row = cell?.closest('[aria-rowindex]');
  if (!cell || !row) return undefined;
  return { row: Number(row.ariaRowIndex) - 2, column: Number(cell.ariaColIndex) - 1 };
}
