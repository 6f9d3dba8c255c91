import { cellState, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { slotsOf } from '../frame/assembleFrames.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { instantsOf } from '../frame/frames.ts';
import { cellsDiffer } from '../revisions/revisions.ts';
import { rowsAtInstants } from './compare.ts';

/** The differences between two tables at the same instants. */
export interface CellChanges {
  /** The number of changed cells in each row; absent for a row that only the newer table has. */
  readonly counts: Pick<NumberColumn, 'values' | 'gaps'>;
  /** The changed columns by label with the number of changed cells, in descending order. */
  readonly columns: readonly (readonly [label: string, cells: number])[];
  /** The number of rows, and the labels of the columns, that only one of the tables has. */
  readonly added: { readonly rows: number; readonly columns: readonly string[] };
  readonly removed: CellChanges['added'];
}

/** Compares the cells of columns with the same JSON path. A field that a record of the older table lacks counts as unchanged. */
export function cellChanges(newer: Frame, older: Frame): CellChanges {
  const instants = instantsOf(newer);
  const partners = rowsAtInstants(instants, older);
  const values = new Float64Array(newer.rowCount);
  const gaps = Uint8Array.from(partners, row => (row < 0 ? cellState.absent : cellState.value));
  const columns: [string, number][] = [];
  const [added, removed]: [string[], string[]] = [[], []];
  const times = [timeColumnOf(newer), timeColumnOf(older)];
  for (const [is, was] of slotsOf([newer, older]).values()) {
    if (times.includes(is as never) || times.includes(was as never)) continue;
    const label = (column: NonNullable<typeof is>): string => column.field?.label ?? column.name;
    if (!was) added.push(...(is ? [label(is)] : []));
    else if (!is) removed.push(label(was));
    else {
      const differ = cellsDiffer(was, is);
      let cells = 0;
      for (let row = 0; row < partners.length; row++) {
        const partner = partners[row] ?? -1;
        if (partner < 0 || !differ(partner, row)) continue;
        values[row] = (values[row] ?? 0) + 1;
        cells++;
      }
      if (cells > 0) columns.push([label(is), cells]);
    }
  }
  const here = new Set(instants);
  return {
    counts: { values, gaps },
    columns: columns.sort(([, a], [, b]) => b - a),
    added: { rows: countOf(partners, row => row < 0), columns: added },
    removed: { rows: countOf(instantsOf(older), ms => !here.has(ms)), columns: removed },
  };
}

function countOf(values: Int32Array | Float64Array, isCounted: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) if (isCounted(value)) count++;
  return count;
}
