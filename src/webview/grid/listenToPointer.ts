import { holds } from './cellRange.ts';
import type { CellRange } from './cellRange.ts';
import type { ColumnOperations } from './columnOperations.ts';
import type { CellPosition } from './focusMove.ts';
import type { GridDom } from './gridDom.ts';
import { GridPointer } from './gridPointer.ts';
import type { GridTable } from './gridTable.ts';
import { HeaderPointer } from './headerPointer.ts';

/** What the pointer sets off in the grid. */
export interface PointerActions {
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
