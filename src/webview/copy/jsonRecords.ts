import { columnTree, recordText } from '../../core/columnTree.ts';
import { cellState, stateAt, type Column } from '../../shared/frame.ts';
import type { CellTexts } from './cellTexts.ts';
import type { CopyRange } from './copyRange.ts';

/** A JSON array of records, one a line, nested as the service nests them. */
export function* jsonLines({ columns, rows }: CopyRange, textOf: CellTexts): Generator<string> {
  const tree = columnTree(columns);
  yield '[';
  for (let at = 0; at < rows.length; at++) {
    const record = recordText(tree, column => cell(column, rows[at] ?? -1, textOf));
    yield `  ${record}${at + 1 < rows.length ? ',' : ''}`;
  }
  yield ']';
}

function cell(column: Column, row: number, textOf: CellTexts): string | undefined {
  if (stateAt(column, row) === cellState.absent) return undefined;
  const found = textOf(column, row);
  if (!found || (column.kind === 'number' && !Number.isFinite(column.values[row]))) return 'null';
  // Nested cells are JSON already.
  return found.literal || column.kind === 'nested' ? found.text : JSON.stringify(found.text);
}
