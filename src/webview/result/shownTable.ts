import type { Analysis } from '../../shared/analysis.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ShownColumn, ShownNumbers, ShownSelection, ShownTable } from '../../shared/protocol.ts';
import { readArrangement, arrangedColumns } from '../../presentation/table/columnArrangement.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';

/** The cells selected: rows of the table on screen, and which of its columns, first and last each. */
export interface Selected {
  readonly rows: ShownSelection['rows'];
  readonly columns: readonly [first: number, last: number];
}

interface OnScreen {
  readonly frame: Frame;
  /** All columns of the table, in the order of the data. */
  readonly columns: readonly GridColumn[];
  /** As it was persisted. */
  readonly arrangement: unknown;
  readonly analysis: Analysis;
  readonly numbers?: ShownNumbers | undefined;
  readonly selected: Selected | undefined;
}

/** What stands on screen, as the host needs it to make the same. */
export function shownTable({ frame, columns, arrangement, analysis, numbers, selected }: OnScreen): ShownTable {
  // One that the table makes of another is the end of that one's intervals.
  const inOrder = arrangedColumns(columns, readArrangement(arrangement)).map(({ name, source = name }): ShownColumn =>
    source === name ? { name } : { name: source, isEnd: true },
  );
  const fields = inOrder.filter(({ isEnd }) => !isEnd);
  const isChanged =
    numbers !== undefined ||
    Object.keys(analysis).length > 0 ||
    fields.length !== frame.columns.length ||
    fields.some(({ name }, at) => frame.columns[at]?.name !== name);
  return {
    analysis,
    columns: inOrder,
    ...(numbers && { numbers }),
    isChanged,
    ...(selected && {
      selection: { rows: selected.rows, columns: inOrder.slice(selected.columns[0], selected.columns[1] + 1) },
    }),
  };
}
