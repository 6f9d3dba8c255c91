import { cellState, stateAt, textAt, type Column, type Frame } from '../shared/frame.ts';
import { columnTree, type ColumnTree } from './columnTree.ts';
import { formatInstant } from './instant.ts';

/** One record as the service sent it: its own names, nested where they were nested. */
export type Row = Record<string, unknown>;

/**
 * The frame's records, one at a time: numbers as numbers, times as received, null as null, absent fields left out. Of two columns of
 * which one lies within the other (`a` and `a.b`, of answers that differ) the second stands in the record under its name.
 */
export function* rowsOf(frame: Frame): Generator<Row> {
  const tree = columnTree(frame.columns);
  for (let row = 0; row < frame.rowCount; row++) yield recordOf(tree, row);
}

function recordOf(tree: ColumnTree, row: number): Row {
  const record: Row = {};
  for (const [key, node] of tree) {
    if (node instanceof Map) {
      const inner = recordOf(node, row);
      // A parent whose fields are all absent was absent itself.
      if (Object.keys(inner).length > 0) define(record, key, inner);
      continue;
    }
    const state = stateAt(node, row);
    if (state !== cellState.absent) define(record, key, state === cellState.null ? null : cellValue(node, row));
  }
  return record;
}

/** A cell as a JavaScript value. Integers beyond 2^53 lose digits here, as in any JavaScript number; exports keep them. */
function cellValue(column: Column, row: number): unknown {
  switch (column.kind) {
    case 'time':
    case 'text':
      return receivedText(column, row);
    case 'number':
      return column.values[row];
    case 'boolean':
      return column.values[row] === 1;
    case 'nested':
      return JSON.parse(textAt(column.texts, row)) as unknown;
  }
}

/** The service's own text of a cell that has a value. */
export function receivedText(column: Column & { readonly kind: 'time' | 'text' }, row: number): string {
  if (column.kind === 'text') return textAt(column.texts, row);
  return column.received ? textAt(column.received, row) : formatInstant(column.values[row] ?? NaN);
}

/** Plain assignment, but for a field named `__proto__`, which must become a field and not the record's prototype. */
function define(target: Row, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}
