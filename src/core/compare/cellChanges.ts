import { cellState, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { groupColumnsByPath } from '../frame/assembleFrames.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { getInstants } from '../frame/frames.ts';
import { createCellComparer } from '../revisions/findRevisions.ts';
import { findRowsAtInstants } from './compareFrames.ts';

/** The differences between two tables at the same instants. */
export interface CellChanges {
  /** The number of changed cells in each row; absent for a row that is only in the newer table. */
  readonly counts: Pick<NumberColumn, 'values' | 'gaps'>;
  /** The changed columns by label with the number of changed cells, in descending order. */
  readonly columns: readonly (readonly [label: string, cells: number])[];
  /** The number of rows, and the labels of the columns, that only one of the tables has. */
  readonly added: { readonly rows: number; readonly columns: readonly string[] };
  readonly removed: CellChanges['added'];
}

/** Compares the cells of columns with the same JSON path. A field that a record of the older table lacks is treated as unchanged. */
export function findCellChanges(newer: Frame, older: Frame): CellChanges {
  const instants = getInstants(newer);
  const olderRows = findRowsAtInstants(instants, older);
  const values = new Float64Array(newer.rowCount);
  const gaps = Uint8Array.from(olderRows, row => (row < 0 ? cellState.absent : cellState.value));
  const columns: [string, number][] = [];
  const added: string[] = [];
  const removed: string[] = [];
  const times = [findTimeColumn(newer), findTimeColumn(older)];
  for (const [newerColumn, olderColumn] of groupColumnsByPath([newer, older]).values()) {
    if (times.includes(newerColumn as never) || times.includes(olderColumn as never)) continue;
    const getLabel = (column: NonNullable<typeof newerColumn>): string => column.field?.label ?? column.name;
    if (!olderColumn) added.push(...(newerColumn ? [getLabel(newerColumn)] : []));
    else if (!newerColumn) removed.push(getLabel(olderColumn));
    else {
      const isDifferent = createCellComparer(olderColumn, newerColumn);
      let cells = 0;
      for (let row = 0; row < olderRows.length; row++) {
        const olderRow = olderRows[row] ?? -1;
        if (olderRow < 0 || !isDifferent(olderRow, row)) continue;
        values[row] = (values[row] ?? 0) + 1;
        cells++;
      }
      if (cells > 0) columns.push([getLabel(newerColumn), cells]);
    }
  }
  const newerInstants = new Set(instants);
  return {
    counts: { values, gaps },
    columns: columns.sort(([, a], [, b]) => b - a),
    added: { rows: countWhere(olderRows, row => row < 0), columns: added },
    removed: { rows: countWhere(getInstants(older), ms => !newerInstants.has(ms)), columns: removed },
  };
}

function countWhere(values: Int32Array | Float64Array, matches: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) if (matches(value)) count++;
  return count;
}
