import { cellState, stateAt, type Column } from '../../shared/frame.ts';
import type { CellTexts } from './cellTexts.ts';
import type { CopyRange } from './copyRange.ts';

type Tree = Map<string, Column | Tree>;

/** A JSON array of records, one a line, nested as the service nests them. */
export function* jsonLines({ columns, rows }: CopyRange, textOf: CellTexts): Generator<string> {
  const tree = treeOf(columns);
  yield '[';
  for (let at = 0; at < rows.length; at++)
    yield `  ${record(tree, rows[at] ?? -1, textOf)}${at + 1 < rows.length ? ',' : ''}`;
  yield ']';
}

function treeOf(columns: readonly Column[]): Tree {
  const root: Tree = new Map<string, Column | Tree>();
  for (const column of columns) {
    let node = root;
    for (const key of column.path.slice(0, -1)) {
      const next = node.get(key);
      const child: Tree = next instanceof Map ? next : new Map<string, Column | Tree>();
      node.set(key, child);
      node = child;
    }
    const key = column.path.at(-1) ?? column.name;
    // Columns that were computed beside the service's may share a path: their names never are the same.
    if (node.has(key)) root.set(column.name, column);
    else node.set(key, column);
  }
  return root;
}

function record(tree: Tree, row: number, textOf: CellTexts): string {
  const members: string[] = [];
  for (const [key, node] of tree) {
    const text = node instanceof Map ? record(node, row, textOf) : cell(node, row, textOf);
    // A parent whose fields are all absent was absent itself; an empty object of the service's is a cell of its own.
    if (text !== undefined && !(node instanceof Map && text === '{}')) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

function cell(column: Column, row: number, textOf: CellTexts): string | undefined {
  if (stateAt(column, row) === cellState.absent) return undefined;
  const found = textOf(column, row);
  if (!found || (column.kind === 'number' && !Number.isFinite(column.values[row]))) return 'null';
  // Nested cells are JSON already.
  return found.literal || column.kind === 'nested' ? found.text : JSON.stringify(found.text);
}
