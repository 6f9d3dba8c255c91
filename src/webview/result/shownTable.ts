import type { Analysis, ShownColumn, ShownTable } from '../../shared/protocol.ts';
import { readArrangement, arrangedColumns } from '../grid/columnArrangement.ts';
import type { GridColumn } from '../grid/gridColumn.ts';
import type { ShownRows } from './rowModel.ts';

/** The cells selected: rows of the shown frame, and which of the shown columns, first and last. */
export interface Selected {
  readonly rows: Uint32Array;
  readonly columns: readonly [first: number, last: number];
}

interface OnScreen {
  readonly shown: ShownRows;
  /** All columns of the table, in the order of the data. */
  readonly columns: readonly GridColumn[];
  /** As it was persisted. */
  readonly arrangement: unknown;
  readonly missingRows: boolean;
  /** What computes the rows; empty for those received. */
  readonly analysis: Analysis;
  readonly selected: Selected | undefined;
}

/** What stands on screen, as the host needs it to write the same. */
export function shownTable({ shown, columns, arrangement, missingRows, analysis, selected }: OnScreen): ShownTable {
  const { order, frame } = shown;
  // One that the table makes of another is the end of that one's intervals.
  const inOrder = arrangedColumns(columns, readArrangement(arrangement)).map(({ name, source = name }): ShownColumn =>
    source === name ? { name } : { name: source, isEnd: true },
  );
  const fields = inOrder.filter(({ isEnd }) => !isEnd);
  const isComputed = Object.keys(analysis).length > 0;
  const isChanged =
    order !== undefined ||
    missingRows ||
    isComputed ||
    fields.length !== frame.columns.length ||
    fields.some(({ name }, at) => frame.columns[at]?.name !== name);
  return {
    ...(order && { rows: order }),
    columns: inOrder,
    missingRows: missingRows && !isComputed,
    isChanged,
    rowCount: frame.rowCount,
    ...analysis,
    ...(selected && {
      selection: { rows: selected.rows, columns: inOrder.slice(selected.columns[0], selected.columns[1] + 1) },
    }),
  };
}
